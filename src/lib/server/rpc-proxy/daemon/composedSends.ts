/**
 * Sends that a daemon composes by itself: the id of the transaction is known when it has answered, so it goes
 * on record then, beside what was on record before the call.
 */
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { hash } from '#lib/rpc/types.ts';
import type { Member } from '../../access/policy/identity.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';

/** An answer of such a method is an id, or an object with one. */
const MOST_LETTERS = 64 * 1024;

/** Whether a daemon makes and sends a transaction by this method, so that its id is not known before. */
export const composes = (method: DaemonMethod): boolean =>
	method !== 'sendrawtransaction' && daemonMethods[method].access === 'broadcast';

/** The id of the transaction that a call has sent; null for calls that send none, and for failures. */
export function composedTxid(method: DaemonMethod, answer: string | Buffer): string | null {
	if (!composes(method) || answer.length > MOST_LETTERS) return null;
	let result: unknown;
	try {
		result = (JSON.parse(String(answer)) as { result?: unknown } | null)?.result;
	} catch {
		return null;
	}
	const id =
		typeof result === 'object' && result !== null && 'txid' in result ? result.txid : result;
	const read = hash.safeParse(id);
	return read.success ? read.data : null;
}

/** The event of such a send. */
export const composedSend = (
	method: DaemonMethod,
	txid: string,
	identity: Member,
	daemon: DaemonInfo
): AuditEntry => ({
	actor: identity.account.name,
	action: 'send.sent',
	target: txid,
	detail: {
		chain: daemon.chain,
		daemon: daemon.id,
		method,
		via: identity.via,
		...(identity.via === 'token' ? { tokenId: identity.token.id } : {})
	}
});
