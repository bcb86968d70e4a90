/**
 * Who reads signed bytes. Until the network has them they are a secret: whoever has them can send them from
 * anywhere, whatever wallet, limit or switch stands against it here. So nobody gets them before they were
 * confirmed, then those who may send them, and everybody once they are on the network.
 */
import type { Access } from '#lib/rpc/method.ts';
import type { Account, Identity } from '../../access/policy/identity.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import { mayAccess } from '../../access/policy/permissions.ts';
import type { Send } from './store.ts';

/** How far signed bytes have come: `unconfirmed`, `confirmed` but perhaps nowhere yet, or `public`. */
export type BytesStatus = 'unconfirmed' | 'confirmed' | 'public';

/** @param before the transaction that has to be in a block first; both are confirmed together */
export function statusOfBytes(
	{ state }: Pick<Send, 'state'>,
	before: Pick<Send, 'state'> | null = null
): BytesStatus {
	switch (state) {
		case 'broadcast':
		case 'confirmed':
			return 'public';
		case 'broadcasting':
		case 'unknown':
		case 'rejected':
			return 'confirmed';
		case 'reviewed':
			return before !== null && statusOfBytes(before) === 'public' ? 'confirmed' : 'unconfirmed';
		case 'needs-approval':
		case 'discarded':
			return 'unconfirmed';
	}
}

/** Signed bytes, as far as it is asked who may read them. */
export interface SignedBytes {
	status: BytesStatus;
	chain: string;
	/** Whose wallet signed them. */
	daemon: string;
	/** What sending them takes. */
	access: Access;
}

/** Whether somebody may read signed bytes. */
export async function mayReadBytes(
	rights: Pick<Rights, 'walletRefusal' | 'isLimited'>,
	{ account, identity }: { account: Account | null; identity: Identity },
	{ status, chain, daemon, access }: SignedBytes
): Promise<boolean> {
	if (status !== 'confirmed') return status === 'public';
	if (account === null || !mayAccess(identity.role, access, false)) return false;
	if ((await rights.walletRefusal(account.name, daemon)) !== null) return false;
	// Sent elsewhere they would count for nobody.
	return !(await rights.isLimited(account.name, chain));
}
