/** What daemons say when they refuse, in plain words. Pages, console, sends and migrations read it here. */
import { broadcastErrors } from './broadcast.ts';
import type { ErrorText, Turn } from './entry.ts';
import { generalErrors } from './general.ts';
import { migrationErrors } from './migration.ts';
import { notarizationErrors } from './notarization.ts';
import { tokenErrors } from './tokens.ts';
import { transactionErrors } from './transactions.ts';

export type { Turn } from './entry.ts';

/** Every known text. The first one that fits counts, so texts that belong to a method come first. */
export const errorTexts: readonly ErrorText[] = [
	...broadcastErrors,
	...tokenErrors,
	...migrationErrors,
	...notarizationErrors,
	...transactionErrors,
	...generalErrors
];

/** A refusal in plain words. */
export interface KnownError {
	what: string;
	turn: Turn;
	next: string;
}

/** Whose turn it is, as a sentence begins. */
export const TURN_WORDS: Readonly<Record<Turn, string>> = {
	caller: 'Your turn',
	operator: 'The turn of whoever runs the daemon',
	chain: 'Time will do it',
	notaries: 'The notaries’ turn',
	nobody: 'Nobody’s turn'
};

/** Answer of a method that was given the wrong number of parameters: its whole help text. */
const USAGE: KnownError = {
	what: 'The number of parameters does not fit the method; the daemon answered with its usage.',
	turn: 'caller',
	next: 'Compare what was sent with the usage, and ask again.'
};

const fits = ({ says, of }: ErrorText, method: string | null, words: string): boolean =>
	(of === undefined || (method !== null && of.includes(method))) &&
	(typeof says === 'string' ? says === words : says.test(words));

/**
 * Finds what a daemon's words mean.
 *
 * @param method null when it is not known, for example for words that were kept without it
 * @param message the daemon's own text; blanks at its ends do not count
 * @returns null when nobody has written about these words
 */
export function explainErrorText(method: string | null, message: string): KnownError | null {
	const words = message.trim();
	const entry = errorTexts.find((one) => fits(one, method, words));
	if (entry !== undefined) return { what: entry.what, turn: entry.turn, next: entry.next };
	if (method === null || !words.startsWith(method)) return null;
	return /^[\s"([]|^$/.test(words.slice(method.length)) ? USAGE : null;
}
