import type { Gateway } from '../../chains/daemon/types.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Refusals } from '../audit/refusals.ts';
import type { Policies } from '../policy/rules/policies.ts';
import type { Wallets } from '../policy/wallets/wallets.ts';
import type { Limits } from '../policy/limits/limits.ts';
import type { Measurer } from '../policy/measuring/measurer.ts';

/** What the functions of rights need. */
export interface RightsDependencies {
	gateway: Gateway;
	wallets: Wallets;
	limits: Limits;
	/** The policy rules that judge sends. */
	policies: Pick<
		Policies,
		| 'judge'
		| 'isRecorded'
		| 'look'
		| 'lookInOrder'
		| 'record'
		| 'giveBack'
		| 'holdsBack'
		| 'transaction'
	>;
	/** Approvals by other members. */
	approvals: Pick<Approvals, 'ask' | 'use' | 'reopen'>;
	measurer: Measurer;
	refusals: Pick<Refusals, 'refused'>;
}
