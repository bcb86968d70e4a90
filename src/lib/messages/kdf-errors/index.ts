/** Explanations of trading node errors in plain words. */
import type { Turn } from '#lib/rpc/errors/index.ts';
import { recognizeKdfError } from '#lib/rpc/errors/kdf.ts';
import type { KdfRefusal } from '#lib/rpc/kdf/envelope.ts';
import { coinSentence } from './sentence.ts';
import { kdfErrorWords } from './words.ts';

/** A trading node error in plain words. */
interface KnownKdfError {
	what: string;
	turn: Turn;
	next: string;
	/** The node's own text is more specific and should be shown, too. */
	quotes?: true;
}

/**
 * Explains an error.
 * @param method method name in the request
 * @param coin the coin's ticker, if known
 * @returns null for an unknown error
 */
export function explainKdfError(
	method: string,
	refusal: KdfRefusal,
	coin: string | null = null
): KnownKdfError | null {
	const known = recognizeKdfError(method, refusal);
	if (known === null) return null;
	const { what, next } = kdfErrorWords[known.code];
	return {
		what: coinSentence(what, coin),
		turn: known.turn,
		next: coinSentence(next, coin),
		...(known.quotes === undefined ? {} : { quotes: known.quotes })
	};
}
