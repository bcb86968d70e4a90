import type { SendAccess } from '../../access/rights/walletRefusal.ts';
import type { Send } from './store.ts';

/** Returns what sending a transaction demands of a role: approvals of burns are for notaries only. */
export const sendAccessOf = ({ kind }: Pick<Send, 'kind'>): SendAccess =>
	kind === 'notary-approval' ? 'notary' : 'broadcast';
