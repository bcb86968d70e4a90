/** What a trading node says when it refuses, in plain words: by its error type, or by the text of the older form. */
import type { KdfRefusal } from '../kdf/envelope.ts';
import type { KnownKdfError, KdfErrorEntry } from './kdfEntry.ts';
import { kdfTexts } from './kdfTexts.ts';
import { kdfTypes } from './kdfTypes.ts';

/** A sentence with the name of the coin, or without one where it is not known. */
export const withCoin = (sentence: string, coin: string | null): string =>
	sentence.replaceAll('{coin}', coin ?? 'the coin').replaceAll('{Coin}', coin ?? 'The coin');

/** What `says` is compared with: some types tell in their data what went wrong. */
const wordsOf = ({ message, data }: KdfRefusal): string =>
	typeof data === 'string' ? `${message} ${data}` : message;

const fits = ({ type, says, of }: KdfErrorEntry, method: string, refusal: KdfRefusal): boolean =>
	(type === undefined || type === refusal.type) &&
	(of === undefined || of.test(method)) &&
	(says === undefined || says.test(wordsOf(refusal)));

/** Every known refusal of a node. The first one that fits counts. */
export const kdfErrorEntries: readonly KdfErrorEntry[] = [...kdfTexts, ...kdfTypes];

/**
 * Finds what a refusal means.
 * @param method name on the wire
 * @param coin its ticker, where it is known
 * @returns null when nobody has written about it
 */
export function explainKdfError(
	method: string,
	refusal: KdfRefusal,
	coin: string | null = null
): KnownKdfError | null {
	const entry = kdfErrorEntries.find((one) => fits(one, method, refusal));
	if (entry === undefined) return null;
	const { what, turn, next, quotes } = entry;
	return {
		what: withCoin(what, coin),
		turn,
		next: withCoin(next, coin),
		...(quotes === undefined ? {} : { quotes })
	};
}
