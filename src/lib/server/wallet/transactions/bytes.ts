/**
 * Decides who may read signed bytes. Until the network has them they are secret: their holder can send them from
 * anywhere, past every wallet grant, limit and safety control of this server. So no account reads them before a
 * member confirms the transaction; then those who may send it do, and once it is on the network, all do.
 */
import type { Access } from '#lib/rpc/method.ts';
import type { Account, Identity } from '../../access/identity/identity.ts';
import type { Rights } from '../../access/rights/rights.ts';
import { mayAccess } from '../../access/policy/permissions.ts';
import type { Send } from './store.ts';

/**
 * How exposed signed bytes are: `unconfirmed` by a member, `confirmed` but perhaps not on the network yet, or
 * `public`.
 */
export type BytesStatus = 'unconfirmed' | 'confirmed' | 'public';

/**
 * Returns how exposed the bytes of a transaction are.
 * @param before the first transaction of a pair, which has to confirm first; a member confirms both together
 */
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

/** The properties of signed bytes that decide who may read them. */
export interface SignedBytes {
	status: BytesStatus;
	chain: string;
	/** Id of the daemon whose wallet signed them. */
	daemon: string;
	/** The access that sending them requires. */
	access: Access;
}

/** Returns whether an account may read signed bytes. */
export async function mayReadBytes(
	rights: Pick<Rights, 'walletRefusal' | 'isLimited'>,
	{ account, identity }: { account: Account | null; identity: Identity },
	{ status, chain, daemon, access }: SignedBytes
): Promise<boolean> {
	if (status !== 'confirmed') return status === 'public';
	if (account === null || !mayAccess(identity.role, access, false)) return false;
	if ((await rights.walletRefusal(account.name, daemon)) !== null) return false;
	// Sent from elsewhere, they would not count against any member's limits.
	return !(await rights.isLimited(account.name, chain));
}
