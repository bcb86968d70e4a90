import type { Certainty } from '#lib/messages/certainties.ts';
import type { CodedError, CodesOf } from '#lib/messages/errors/index.ts';
import { refusalCode } from '../../chains/daemon/refusalCode.ts';
import { AppError, isAppError } from '../../platform/errors/appError.ts';
import type { Send } from './store.ts';

/** Returns what is certain about a transaction before the next step towards sending it. */
export const certaintyOf = ({ state }: Pick<Send, 'state'>): Certainty =>
	state === 'unknown' ? 'send-unknown' : 'not-sent';

/**
 * Converts an error of the daemon, or about it, to one that says what is certain about the transaction.
 * Returns other errors unchanged.
 */
export const toSendError = (error: unknown, certain: Certainty): unknown => {
	if (isAppError(error, 'wallet-daemon')) {
		const { code, params } = error;
		const coded = { code, params: { ...params, certain } } as CodedError<CodesOf<'wallet-daemon'>>;
		return AppError.of(coded, { cause: error });
	}
	if (!isAppError(error, 'daemon')) return error;
	const code =
		error.code === 'daemon.wrong-chain' ? 'wallet-daemon.replaced' : 'transaction.not-built';
	return new AppError(code, { why: error.coded, certain }, { cause: error });
};

/** Converts a daemon's error that stopped a build. Returns other errors unchanged. */
export const notBuilt = (error: unknown): unknown => toSendError(error, 'not-sent');

/**
 * Runs a step of a build and converts daemon errors.
 * @throws {AppError} `transaction.not-built` or `wallet-daemon`
 */
export async function orNotBuilt<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw notBuilt(error);
	}
}

/**
 * Converts refusals of the daemon's token builders to clearer errors. (Komodo daemon 0.9.0: `tokencreate`
 * that cannot sign returns an error with an empty message; and it spends only confirmed coins of the key
 * itself, 64 outputs at most.)
 */
export const notBuiltToken = (error: unknown): unknown => {
	if (!isAppError(error, 'daemon.in-band-error')) return notBuilt(error);
	switch (refusalCode(error)) {
		case 'tokens.not-signed':
			return new AppError('transaction.unsigned', {}, { cause: error });
		case 'tokens.creation-funds':
			return new AppError('transaction.coins-unusable', {}, { cause: error });
		default:
			return notBuilt(error);
	}
};
