import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';
import { foreseenOf, type Foreseen } from '../foreseenOf.ts';

/**
 * Returns what prevents sending a review now; null for nothing, and for transactions that are no review or
 * follow another one.
 */
export async function foreseenSend(
	locals: App.Locals,
	send: Send,
	now: number
): Promise<Foreseen | null> {
	if (send.state !== 'reviewed' || send.follows !== null || send.expiresAt <= now) return null;
	return mayAccess(locals.identity.role, 'broadcast', false) ? foreseenOf(locals, send) : null;
}

/** Whether a member may send the same bytes again: nothing can be said yet of what became of them. */
export const mayResend = ({ state, finalAt, rejection }: Send): boolean =>
	state === 'unknown' ||
	(state === 'rejected' && finalAt === null && rejection?.code !== 'batch.replaced');

/**
 * Returns the rule that keeps the reader from sending bytes again, because no approval can be requested for bytes
 * that may have been sent; null for none.
 */
export async function heldResend(
	locals: App.Locals,
	send: Send
): Promise<Extract<Foreseen, { is: 'approval' }> | null> {
	if (!mayResend(send) || send.follows !== null) return null;
	if (!mayAccess(locals.identity.role, 'broadcast', false)) return null;
	const foreseen = await foreseenOf(locals, send);
	return foreseen?.is === 'approval' ? foreseen : null;
}
