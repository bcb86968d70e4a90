/** The coin of a sentence: its ticker, or words where it is not known. */
interface CoinWords {
	atStart: string;
	inside: string;
}

/** A sentence, which may name the coin. */
export type CoinSentence = string | ((coin: CoinWords) => string);

/** What one refusal means, as sentences. */
export interface KdfErrorWords {
	/** What happened. */
	what: CoinSentence;
	/** What to do now. */
	next: CoinSentence;
}

/** @param coin its ticker; null where it is not known */
export function coinSentence(sentence: CoinSentence, coin: string | null): string {
	if (typeof sentence === 'string') return sentence;
	return sentence({ atStart: coin ?? 'The coin', inside: coin ?? 'the coin' });
}
