/** The RPC API to daemons: accepts requests and responds as a daemon does, after Komodeck's policy has decided. */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import { RPC_INTERNAL_ERROR } from '#lib/rpc/errorCodes.ts';
import type { DaemonInfo, Gateway } from '../../chains/daemon/types.ts';
import type { CallOrigin } from '../../access/calls/authorizeCall.ts';
import type { Trace } from '../http/onceCalls.ts';
import { refusal, refuse } from '../http/refusal.ts';
import type { Reply } from '../http/reply.ts';
import type { WhoNow } from '../http/whoNow.ts';
import { withId } from './answers.ts';
import { makeDaemonBatch, unknownMethod } from './makeBatch.ts';
import { makeDaemonCall, type DaemonCallParts, type MadeDaemonCall } from './makeCall.ts';
import { makeFurtherCall } from './makeFurtherCall.ts';
import { denialRefusal, failureRefusal, keptRefusal, nobodys } from './refusals.ts';
import type { RpcBody, RpcItem } from './requestBody.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Responds to a request in the daemon's format. */
type DaemonProxy = (
	request: { body: RpcBody; who: WhoNow; daemon: DaemonInfo; origin: CallOrigin },
	reply: Reply,
	trace: Trace
) => Promise<void>;

const JSON_TYPE = 'application/json';

export function createDaemonProxy(
	parts: DaemonCallParts & {
		gateway: Pick<Gateway, 'proxyBatch' | 'furtherMethods' | 'proxyFurther'>;
	}
): DaemonProxy {
	async function single(
		item: RpcItem,
		{ who, daemon, origin }: Parameters<DaemonProxy>[0],
		reply: Reply,
		trace: Trace
	): Promise<void> {
		if (item.kind === 'refusal') return refuse(reply, item);
		const { method, params, idText } = item;
		const access = parts.gateway.furtherMethods(daemon.id).get(method);
		try {
			let made: MadeDaemonCall;
			if (isDaemonMethod(method)) {
				made = await makeDaemonCall(parts, who, daemon, { method, params }, origin, trace);
			} else if (access !== undefined) {
				made = await makeFurtherCall(parts, who, daemon, { method, access, params }, origin);
			} else {
				return refuse(reply, (await who()) === null ? nobodys(idText) : unknownMethod(idText));
			}
			if (made.kind === 'ended') return refuse(reply, nobodys(idText));
			if (made.kind === 'denied') return refuse(reply, denialRefusal(made.denial, idText));
			if (made.kind === 'withheld') return refuse(reply, keptRefusal(made.why, idText));
			const { status, contentType } = made.answer;
			reply(status, contentType || JSON_TYPE, withId(made.answer, idText));
		} catch (error) {
			if (isAppError(error, 'answer.malformed')) {
				return refuse(reply, refusal(502, RPC_INTERNAL_ERROR, rpcApi.answerNotJson, idText));
			}
			if (!isAppError(error, 'daemon')) throw error;
			trace.mayBeDone = error.params.delivery !== 'not-sent';
			refuse(reply, failureRefusal(error, idText));
		}
	}

	return (request, reply, trace) => {
		const { body, who, daemon, origin } = request;
		const [item] = body.items;
		return body.batch || item === undefined
			? makeDaemonBatch(parts, who, daemon, body.items, origin, { reply, trace })
			: single(item, request, reply, trace);
	};
}
