import type { CodesOf } from '#lib/messages/errors/index.ts';
import { pageOfHolder } from '../locked-utxos/locks.ts';
import { isAppError, type AppError } from '../../platform/errors/appError.ts';

/** Everything that can stand in the way of a transaction of ours and is told to whoever asked for it. */
const AREAS = [
	'limit',
	'notary-approval',
	'policy',
	'self-import',
	'transaction',
	'utxos',
	'verification',
	'wallet-daemon',
	'work'
] as const;

export type TransactionError = AppError<CodesOf<(typeof AREAS)[number]>>;

/** The page of the draft that has the outputs; null where something else stands in the way. */
export const lockedBy = (error: TransactionError): string | null =>
	isAppError(error, 'utxos.locked') ? pageOfHolder(error.params.holder) : null;

/** Whether something stands in the way of a transaction of ours. */
export const isTransactionError = (error: unknown): error is TransactionError =>
	isAppError(error, ...AREAS);

/** The daemon could not be asked now, or sends nothing while everything is frozen: that passes. */
export const isPassing = (error: TransactionError): boolean =>
	error.code === 'transaction.not-built' &&
	isAppError(error.cause, 'daemon') &&
	error.cause.code !== 'daemon.in-band-error' &&
	error.cause.code !== 'daemon.rpc-error';
