/** What a trading node says when it refuses, in plain words: by its error type, or by the text of the older form. */
import type { NodeRefusal } from '../node/envelope.ts';
import type { KnownNodeError, NodeErrorEntry } from './nodeEntry.ts';
import { nodeTexts } from './nodeTexts.ts';
import { nodeTypes } from './nodeTypes.ts';

/** A sentence with the name of the coin, or without one where it is not known. */
export const withCoin = (sentence: string, coin: string | null): string =>
	sentence.replaceAll('{coin}', coin ?? 'the coin').replaceAll('{Coin}', coin ?? 'The coin');

/** What `says` is compared with: some types tell in their data what went wrong. */
const wordsOf = ({ message, data }: NodeRefusal): string =>
	typeof data === 'string' ? `${message} ${data}` : message;

const fits = ({ type, says, of }: NodeErrorEntry, method: string, refusal: NodeRefusal): boolean =>
	(type === undefined || type === refusal.type) &&
	(of === undefined || of.test(method)) &&
	(says === undefined || says.test(wordsOf(refusal)));

/** Every known refusal of a node. The first one that fits counts. */
export const nodeErrorEntries: readonly NodeErrorEntry[] = [...nodeTexts, ...nodeTypes];

/**
 * Finds what a refusal means.
 * @param method name on the wire
 * @param coin its ticker, where it is known
 * @returns null when nobody has written about it
 */
export function explainNodeError(
	method: string,
	refusal: NodeRefusal,
	coin: string | null = null
): KnownNodeError | null {
	const entry = nodeErrorEntries.find((one) => fits(one, method, refusal));
	if (entry === undefined) return null;
	const { what, turn, next, quotes } = entry;
	return {
		what: withCoin(what, coin),
		turn,
		next: withCoin(next, coin),
		...(quotes === undefined ? {} : { quotes })
	};
}
