/** How much an answer may hold. Beyond it nothing is read: whoever sends it is wrong, or not what it should be. */
export interface AnswerLimit {
	/** Of the body. */
	bytes: number;
	/** JSON values: each costs memory that its bytes do not show. */
	values: number;
	/** The answer usually grows with the chain or the wallet. */
	grows: boolean;
}

const MIB = 1024 * 1024;

/** The limits that methods have. The bytes of a block are at most 4 MiB, and twice that in hex. */
export const answers = {
	/** A fact, a short list, a refusal with the text of the help. */
	small: { bytes: MIB, values: 20_000, grows: false },
	/** What holds a whole transaction, or what one wallet says of many addresses. */
	transaction: { bytes: 16 * MIB, values: 300_000, grows: false },
	/** What grows with the chain, the mempool or a wallet. */
	list: { bytes: 64 * MIB, values: 500_000, grows: true }
} as const satisfies Readonly<Record<string, AnswerLimit>>;

/** Objects and arrays in each other; the deepest answer that is known has 8. */
export const MOST_DEPTH = 64;
/** Characters of a number: what any amount, height or difficulty has, many times over. */
export const MOST_DIGITS = 100;
/** Bytes of one text: a block in hex, and some room. */
export const MOST_TEXT = 9 * MIB;
