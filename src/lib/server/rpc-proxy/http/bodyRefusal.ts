import { rpcApi } from '#lib/messages/rpcApi.ts';
import { RPC_INVALID_REQUEST, RPC_PARSE_ERROR } from '#lib/rpc/errorCodes.ts';
import { refusal, type RpcRefusal } from './refusal.ts';
import type { RpcBodyFault, RpcBodyLimits } from './rpcBody.ts';

/** Returns the refusal of a body that exceeds a limit or is malformed, in the daemon's words where it has them. */
export function bodyRefusal(fault: RpcBodyFault, limits: RpcBodyLimits): RpcRefusal {
	switch (fault) {
		case 'too-deep':
		case 'long-number':
		case 'not-utf8':
			return refusal(500, RPC_PARSE_ERROR, 'Parse error');
		case 'too-many-calls':
			return refusal(400, RPC_INVALID_REQUEST, rpcApi.tooManyCalls(limits.calls));
		case 'too-many-values':
			return refusal(413, RPC_INVALID_REQUEST, rpcApi.tooManyValues(limits.values));
		case 'too-large': {
			const { bytes, hexBytes } = limits;
			return refusal(413, RPC_INVALID_REQUEST, rpcApi.tooLarge(bytes, hexBytes));
		}
	}
}
