/** Methods that a daemon does not serve: it does not know them, or they need the wallet that it was started without. */
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonError } from './daemonError.ts';

/** JSON-RPC 2.0: method not found. */
export const NO_SUCH_METHOD = -32_601;

/** Whether a daemon answered that it does not serve the method. */
export const isUnserved = (error: unknown): error is DaemonError =>
	isAppError(error, 'daemon') && error.params.rpcCode === NO_SUCH_METHOD;
