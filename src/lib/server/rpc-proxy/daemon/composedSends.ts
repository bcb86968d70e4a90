/**
 * Transactions that a daemon creates and sends itself: the txid is known only from its response, so the send is
 * recorded then, in addition to the event from before the call.
 */
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { hash } from '#lib/rpc/types.ts';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';
import type { Member } from '../../access/identity/identity.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import type { AuditEntry } from '../../platform/audit-trail/entry.ts';

/** Limit of a response that is parsed: the response to such a method is a txid, or an object with one. */
const MOST_LETTERS = 64 * 1024;

/** Whether the method makes the daemon create and send a transaction, so that its txid is not known in advance. */
export const composes = (method: DaemonMethod): boolean =>
	method !== 'sendrawtransaction' && daemonMethods[method].access === 'broadcast';

/** Returns the txid of the transaction that a call has sent; null for other methods, and for failures. */
export function composedTxid(method: DaemonMethod, answer: string | Buffer): string | null {
	if (!composes(method) || answer.length > MOST_LETTERS) return null;
	const result = (jsonOrNull(String(answer)) as { result?: unknown } | null)?.result;
	const id =
		typeof result === 'object' && result !== null && 'txid' in result ? result.txid : result;
	const read = hash.safeParse(id);
	return read.success ? read.data : null;
}

/** Returns the audit event of such a send. */
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
