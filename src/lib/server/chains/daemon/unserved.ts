/** What a daemon does not serve: a method that it does not know, or one of a wallet that it was started without. */
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonError } from './daemonError.ts';

/** JSON-RPC: the method is not there. */
export const NO_SUCH_METHOD = -32_601;

/** Whether a daemon answered that it does not serve the method. */
export const isUnserved = (error: unknown): error is DaemonError =>
	isAppError(error, 'daemon') && error.params.rpcCode === NO_SUCH_METHOD;
