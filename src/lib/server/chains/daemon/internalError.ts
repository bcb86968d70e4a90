import { RPC_INTERNAL_ERROR } from '#lib/rpc/errorCodes.ts';

/**
 * Returns whether an error code concerns the server and not the transaction. A proxy that lost its connection
 * answers with such a code even after the daemon accepted the call.
 */
export function isInternal(code: number | undefined): boolean {
	return code === RPC_INTERNAL_ERROR || (code !== undefined && code <= -32_000 && code >= -32_099);
}
