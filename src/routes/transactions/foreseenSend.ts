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
