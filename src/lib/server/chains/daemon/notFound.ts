import { RPC_INVALID_ADDRESS_OR_KEY } from '#lib/rpc/errorCodes.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonError } from './daemonError.ts';

/** Whether a daemon answered that it does not know the transaction, block or address. */
export const isNotFound = (error: unknown): error is DaemonError =>
	isAppError(error, 'daemon') && error.params.rpcCode === RPC_INVALID_ADDRESS_OR_KEY;
