/** Recognizes the errors of daemons for pages, the console, transactions and migrations. */
import { broadcastErrors } from './broadcast.ts';
import type { ErrorPattern, Turn } from './entry.ts';
import { generalErrors } from './general.ts';
import { migrationErrors } from './migration.ts';
import { notarizationErrors } from './notarization.ts';
import { tokenErrors } from './tokens.ts';
import { transactionErrors } from './transactions.ts';

export type { Turn } from './entry.ts';

const patterns = [
	...broadcastErrors,
	...tokenErrors,
	...migrationErrors,
	...notarizationErrors,
	...transactionErrors,
	...generalErrors
] as const;

/** `usage`: the method was called with the wrong number of parameters. */
export type DaemonErrorCode = (typeof patterns)[number]['code'] | 'usage';

/** The meaning of a recognized error. */
interface RecognizedError {
	code: DaemonErrorCode;
	turn: Turn;
}

/** All known errors. The first match counts, so errors of single methods come before general ones. */
export const errorPatterns: readonly (ErrorPattern & RecognizedError)[] = patterns;

const fits = ({ says, of }: ErrorPattern, method: string | null, words: string): boolean =>
	(of === undefined || (method !== null && of.includes(method))) &&
	(typeof says === 'string' ? says === words : says.test(words));

/**
 * Looks up the meaning of a daemon's error message.
 *
 * @param method null when unknown, for example for a message that was stored without it
 * @param message the daemon's text; surrounding white space is ignored
 * @returns null for an unknown message
 */
export function recognizeError(method: string | null, message: string): RecognizedError | null {
	const words = message.trim();
	const known = errorPatterns.find((one) => fits(one, method, words));
	if (known !== undefined) return { code: known.code, turn: known.turn };
	if (method === null || !words.startsWith(method)) return null;
	// A wrong number of parameters is answered with the method's full help text.
	const isUsage = /^[\s"([]|^$/.test(words.slice(method.length));
	return isUsage ? { code: 'usage', turn: 'caller' } : null;
}
