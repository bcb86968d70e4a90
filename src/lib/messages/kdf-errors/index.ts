/** What a trading node says when it refuses, in plain words. */
import type { Turn } from '#lib/rpc/errors/index.ts';
import { recognizeKdfError } from '#lib/rpc/errors/kdf.ts';
import type { KdfRefusal } from '#lib/rpc/kdf/envelope.ts';
import { coinSentence } from './sentence.ts';
import { kdfErrorWords } from './words.ts';

/** A refusal in plain words. */
interface KnownKdfError {
	what: string;
	turn: Turn;
	next: string;
	/** The node's own text says more: it belongs beside these words. */
	quotes?: true;
}

/**
 * Explains a refusal.
 * @param method name on the wire
 * @param coin its ticker, where it is known
 * @returns null for one that is not known
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
