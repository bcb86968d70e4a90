/** Methods that a daemon does not serve: it does not know them, or they need the wallet that it was started without. */
import { RPC_METHOD_NOT_FOUND } from '#lib/rpc/errorCodes.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonError } from './daemonError.ts';

/** Whether a daemon answered that it does not serve the method. */
export const isUnserved = (error: unknown): error is DaemonError =>
	isAppError(error, 'daemon') && error.params.rpcCode === RPC_METHOD_NOT_FOUND;
