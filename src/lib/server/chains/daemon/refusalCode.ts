/** Recognizes a daemon's refusals by their texts. */
import { recognizeError, type DaemonErrorCode } from '#lib/rpc/errors/index.ts';
import { isAppError } from '../../platform/errors/appError.ts';

/** Returns the meaning of a daemon's refusal; null for an unknown text, and for any other error. */
export const refusalCode = (error: unknown): DaemonErrorCode | null =>
	isAppError(error, 'daemon.rpc-error', 'daemon.in-band-error')
		? (recognizeError(error.params.method, error.params.rpcMessage ?? '')?.code ?? null)
		: null;
