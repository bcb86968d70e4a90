/** How a sentence refers to the coin: its ticker, or a general term when it is unknown. */
interface CoinWords {
	atStart: string;
	inside: string;
}

/** A sentence that may name the coin. */
export type CoinSentence = string | ((coin: CoinWords) => string);

/** The meaning of an error, as sentences. */
export interface KdfErrorWords {
	/** What happened. */
	what: CoinSentence;
	/** What to do now. */
	next: CoinSentence;
}

/** @param coin the coin's ticker; null when it is unknown */
export function coinSentence(sentence: CoinSentence, coin: string | null): string {
	if (typeof sentence === 'string') return sentence;
	return sentence({ atStart: coin ?? 'The coin', inside: coin ?? 'the coin' });
}
