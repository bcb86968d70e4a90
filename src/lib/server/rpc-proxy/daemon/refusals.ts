/** Denials and Komodeck's own failures, in the daemon's error format. */
import { denialReason, type Denial } from '#lib/messages/denials.ts';
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';
import { RPC_INTERNAL_ERROR, RPC_IN_WARMUP, RPC_METHOD_NOT_FOUND } from '#lib/rpc/errorCodes.ts';
import type { Kept } from '../../access/calls/judgeAgain.ts';
import type { DaemonError } from '../../chains/daemon/daemonError.ts';
import { refusal, type RpcRefusal } from '../http/refusal.ts';

/** JSON-RPC code for calls that a policy rule denies, or whose transaction needs approval. */
export const BY_POLICY = -32050;

/** Daemons have no access rights: a method that the caller may not use is reported as nonexistent. */
const STATUS: Readonly<Record<Denial['code'], readonly [status: number, code: number]>> = {
	role: [404, RPC_METHOD_NOT_FOUND],
	'token-method': [404, RPC_METHOD_NOT_FOUND],
	'token-place': [404, RPC_METHOD_NOT_FOUND],
	'token-wallet': [403, RPC_METHOD_NOT_FOUND],
	'token-limit': [403, RPC_INTERNAL_ERROR],
	parameters: [403, RPC_METHOD_NOT_FOUND],
	servers: [403, RPC_METHOD_NOT_FOUND],
	wallet: [403, RPC_METHOD_NOT_FOUND],
	signature: [403, RPC_INTERNAL_ERROR],
	recipient: [403, RPC_INTERNAL_ERROR],
	factor: [403, RPC_INTERNAL_ERROR],
	limit: [429, RPC_INTERNAL_ERROR],
	policy: [403, BY_POLICY],
	safety: [503, RPC_INTERNAL_ERROR]
};

/** Refuses a call in the daemon's form. `idText`: the call's id as JSON. */
export function denialRefusal(denial: Denial, idText: string): RpcRefusal {
	const [status, code] = STATUS[denial.code];
	const reason = denialReason(denial);
	const message = code === RPC_METHOD_NOT_FOUND ? `Method not found (${reason})` : reason;
	return refusal(status, code, message, idText);
}

/** Refuses a call whose caller no longer has a valid credential. */
export const nobodys = (idText: string, words: string = rpcApi.ended): RpcRefusal =>
	refusal(401, RPC_INTERNAL_ERROR, words, idText);

/** Refuses to return the response of a call that the daemon has executed. */
function heldRefusal(denial: Denial, idText: string): RpcRefusal {
	if (denial.code === 'policy') return denialRefusal(denial, idText);
	const [status] = STATUS[denial.code];
	return refusal(status, RPC_INTERNAL_ERROR, denialReason(denial), idText);
}

/** Refuses to return the response of an executed call to a caller who lost the right to it meanwhile. */
export const keptRefusal = (kept: Kept, idText: string): RpcRefusal =>
	kept.kind === 'ended' ? nobodys(idText, rpcApi.late) : heldRefusal(kept.denial, idText);

/** Reports Komodeck's own failure; its status is one of a proxy, to distinguish it from the daemon's. */
export function failureRefusal(error: DaemonError, idText: string): RpcRefusal {
	const { what, safe } = explainDaemon(error.coded);
	const message = `${what} ${safe}`;
	// A starting daemon has its own status and code for this.
	return error.code === 'daemon.warming-up'
		? refusal(500, RPC_IN_WARMUP, error.params.rpcMessage ?? message, idText)
		: refusal(error.status, RPC_INTERNAL_ERROR, message, idText);
}
