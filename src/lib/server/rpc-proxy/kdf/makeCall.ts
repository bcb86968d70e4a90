/** One call to a trading node for a person or a script: authorized, counted, recorded and sent. */
import type { Denial } from '#lib/messages/denials.ts';
import { kdfParamMessage } from '#lib/messages/rpcErrors.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { decodeKdfParams } from '#lib/rpc/kdf/codec.ts';
import { kdfDefinition, type KdfMethod, type KdfParams } from '#lib/rpc/kdf/index.ts';
import { isRpcError } from '#lib/rpc/rpcError.ts';
import type { CallOrigin, CallPolicy } from '../../access/calls/authorizeCall.ts';
import { judgedBeforeSend } from '../../access/calls/judgeAgain.ts';
import { kdfDemands } from '../../access/calls/demands.ts';
import { giveBackUnsent } from '../../access/calls/giveBackUnsent.ts';
import type { KdfError } from '../../kdf/client/kdfError.ts';
import type { KdfGateway } from '../../kdf/client/kdfTypes.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { HttpAnswer } from '../../chains/upstream/requestHandler.ts';
import type { WhoNow } from '../http/whoNow.ts';

export interface KdfCallParts {
	nodes: Pick<KdfGateway, 'proxy'>;
	policy: CallPolicy;
}

interface ProposedCall {
	method: KdfMethod;
	params: JsonValue | undefined;
	/** The caller's id, echoed by the node in version 2; null for none. */
	id: bigint | null;
}

type MadeKdfCall =
	/** Nothing was sent. */
	| { kind: 'denied'; denial: Denial }
	/** Nothing was sent: the caller's credential is no longer valid. */
	| { kind: 'ended' }
	/** The parameters do not fit the method: nothing was sent. */
	| { kind: 'mismatch'; words: string }
	/** No response to return. */
	| { kind: 'failed'; error: KdfError }
	| { kind: 'answered'; answer: HttpAnswer };

/**
 * Judges a call and sends it to the trading node. What was counted for it is reverted when it was not sent.
 * @throws what looking up and recording throw, such as errors of the database; failures of the node are returned
 */
export async function makeKdfCall(
	{ nodes, policy }: KdfCallParts,
	who: WhoNow,
	node: string,
	{ method, params, id }: ProposedCall,
	origin: CallOrigin
): Promise<MadeKdfCall> {
	const identity = await who();
	if (identity === null) return { kind: 'ended' };
	let native: KdfParams<KdfMethod>;
	try {
		native = decodeKdfParams(method, params);
	} catch (error) {
		if (!isRpcError(error, 'kdf-params.invalid')) throw error;
		const { name, access } = kdfDefinition(method);
		const denial = await policy.authorizeMethod(identity, node, { name, access });
		return denial === null
			? { kind: 'mismatch', words: kdfParamMessage(error.params) }
			: { kind: 'denied', denial };
	}
	const demands = kdfDemands(node, method, native);
	const decision = await policy.authorizeCall(identity, demands, origin);
	if (decision.denial !== null) return { kind: 'denied', denial: decision.denial };
	const { beforeSend, kept } = judgedBeforeSend(policy, who, demands);
	try {
		const call = { requestId: origin.requestId, authorized: true, beforeSend } as const;
		const answer = await nodes
			.proxy(node, method, native, id, call)
			.catch((error: unknown) => giveBackUnsent(decision.giveBack, error));
		return { kind: 'answered', answer };
	} catch (error) {
		if (isAppError(error, 'queue.kept')) return kept();
		if (!isAppError(error, 'kdf')) throw error;
		return { kind: 'failed', error };
	}
}
