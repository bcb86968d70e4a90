import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonError } from './daemonError.ts';

/** Komodo daemon 0.9.0: "no such transaction", in the chain or in the mempool. */
const NOT_FOUND = -5;

/** Whether a daemon answered that it does not know the transaction or block. */
export const isNotFound = (error: unknown): error is DaemonError =>
	isAppError(error, 'daemon') && error.params.rpcCode === NOT_FOUND;
