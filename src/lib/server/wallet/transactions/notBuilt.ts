import { unsigned } from './compare.ts';
import { SendingError } from './errors.ts';
import type { Send } from './store.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/explained/daemon.ts';

/** What is known of a transaction when a step towards it fails. */
export const NOT_SENT = 'Nothing was sent.';

const STILL_UNKNOWN =
	'It is still not known whether the transaction went out before: do not build another one.';

/** What is known of a transaction before a step towards it. */
export const standingOf = ({ state }: Send): string =>
	state === 'unknown' ? STILL_UNKNOWN : NOT_SENT;

/** An error of the daemon, or about it, as a sentence that ends with where the transaction stands. */
export const inTheWay = (error: unknown, standing: string): unknown => {
	if (error instanceof SendingError && error.code === 'wrong-daemon') {
		return new SendingError('wrong-daemon', `${error.message} ${standing}`, { cause: error });
	}
	if (!isAppError(error, 'daemon')) return error;
	const { what, next } = explainDaemon(error.coded);
	const code = error.code === 'daemon.wrong-chain' ? 'wrong-daemon' : 'not-built';
	return new SendingError(code, `${what} ${standing} ${next}`, { cause: error });
};

/** What stopped a build, for people: a `SendingError` where the daemon was in the way, else as it is. */
export const notBuilt = (error: unknown): unknown => inTheWay(error, NOT_SENT);

/** Does what a build needs. @throws {SendingError} where the daemon is in the way */
export async function orNotBuilt<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw notBuilt(error);
	}
}

/**
 * Refusals of the builders in other words. (Komodo daemon 0.9.0: `tokencreate` that cannot sign answers an
 * error without words, and it spends only confirmed coins of the key itself, 64 outputs at most.)
 */
export const notBuiltToken = (error: unknown): unknown => {
	if (!isAppError(error, 'daemon.in-band-error')) return notBuilt(error);
	const words = (error.params.rpcMessage ?? '').trim();
	if (words === '') return unsigned();
	if (words !== 'cant find normal inputs') return notBuilt(error);
	return new SendingError(
		'bad-field',
		'The wallet has the coins, but the daemon cannot use them now: they wait for a block, belong to another of its keys, or lie in more than 64 small outputs. Wait for the next block, or choose a smaller supply.',
		{ field: 'supply', cause: error }
	);
};
