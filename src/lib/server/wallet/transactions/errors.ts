import type { CodesOf } from '#lib/messages/errors/index.ts';
import { pageOfHolder } from '../locked-utxos/locks.ts';
import { isUnmeasured } from '../../access/rights/refused.ts';
import { isAppError, type AppError } from '../../platform/errors/appError.ts';

/** Areas of errors that can stop a transaction and are shown to the member who asked for it. */
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

/** Returns the page of the draft that has locked the outputs; null for other errors. */
export const lockedBy = (error: TransactionError): string | null =>
	isAppError(error, 'utxos.locked') ? pageOfHolder(error.params.holder) : null;

/** Whether an error stops a transaction and can be shown to the member who asked for it. */
export const isTransactionError = (error: unknown): error is TransactionError =>
	isAppError(error, ...AREAS);

/** Whether an error is temporary: UTXOs are locked, or the daemon could not be asked, also what the bytes take. */
export const isPassing = (error: TransactionError): boolean =>
	error.code === 'utxos.locked' ||
	isUnmeasured(error) ||
	(error.code === 'transaction.not-built' &&
		isAppError(error.cause, 'daemon') &&
		error.cause.code !== 'daemon.in-band-error' &&
		error.cause.code !== 'daemon.rpc-error');
