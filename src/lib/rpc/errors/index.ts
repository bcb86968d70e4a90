/** What daemons mean when they refuse. Pages, console, sends and migrations read it here. */
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

/** `usage`: the method was given the wrong number of parameters. */
export type DaemonErrorCode = (typeof patterns)[number]['code'] | 'usage';

/** A refusal that was recognized. */
interface RecognizedError {
	code: DaemonErrorCode;
	turn: Turn;
}

/** Every known text. The first one that fits counts, so texts that belong to a method come first. */
export const errorPatterns: readonly (ErrorPattern & RecognizedError)[] = patterns;

const fits = ({ says, of }: ErrorPattern, method: string | null, words: string): boolean =>
	(of === undefined || (method !== null && of.includes(method))) &&
	(typeof says === 'string' ? says === words : says.test(words));

/**
 * Finds what a daemon's words mean.
 *
 * @param method null when it is not known, for example for words that were kept without it
 * @param message the daemon's own text; blanks at its ends do not count
 * @returns null for words that are not known
 */
export function recognizeError(method: string | null, message: string): RecognizedError | null {
	const words = message.trim();
	const known = errorPatterns.find((one) => fits(one, method, words));
	if (known !== undefined) return { code: known.code, turn: known.turn };
	if (method === null || !words.startsWith(method)) return null;
	// A wrong number of parameters is answered with the whole help text of the method.
	const isUsage = /^[\s"([]|^$/.test(words.slice(method.length));
	return isUsage ? { code: 'usage', turn: 'caller' } : null;
}
