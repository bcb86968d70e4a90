/** Explanations of daemon errors in plain words. */
import { recognizeError, type DaemonErrorCode, type Turn } from '#lib/rpc/errors/index.ts';
import { broadcast } from './broadcast.ts';
import { general } from './general.ts';
import { migration } from './migration.ts';
import { notarization } from './notarization.ts';
import { tokens } from './tokens.ts';
import { transactions } from './transactions.ts';
import type { ErrorWords } from './words.ts';

export const daemonErrorWords = {
	...broadcast,
	...tokens,
	...migration,
	...notarization,
	...transactions,
	...general,
	usage: {
		what: 'The number of parameters does not fit the method; the daemon answered with its usage.',
		next: 'Compare what was sent with the usage, and try again.'
	}
} as const satisfies Record<DaemonErrorCode, ErrorWords>;

/** A daemon error in plain words. */
export interface KnownError extends ErrorWords {
	turn: Turn;
}

/**
 * Explains a daemon's error message.
 * @param method null when it is unknown
 * @param message the daemon's own text
 * @returns null for an unknown message
 */
export function explainErrorText(method: string | null, message: string): KnownError | null {
	const known = recognizeError(method, message);
	return known && { ...daemonErrorWords[known.code], turn: known.turn };
}
