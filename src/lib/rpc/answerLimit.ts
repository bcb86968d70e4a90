/**
 * Limits of one response. A larger response is not read: the upstream is faulty, or not the expected server.
 */
export interface AnswerLimit {
	/** Bytes of the body. */
	bytes: number;
	/** Number of JSON values: each takes more memory than its bytes suggest. */
	values: number;
	/** Whether the response usually grows with the chain or the wallet. */
	grows: boolean;
}

const MIB = 1024 * 1024;

/** Limits for the methods of the registry. A block has at most 4 MiB, and twice that in hex. */
export const answers = {
	/** A single fact, a short list, or an error with the method's help text. */
	small: { bytes: MIB, values: 20_000, grows: false },
	/** A whole transaction, or a wallet's data about many addresses. */
	transaction: { bytes: 16 * MIB, values: 300_000, grows: false },
	/** A list that grows with the chain, the mempool or a wallet. */
	list: { bytes: 64 * MIB, values: 500_000, grows: true }
} as const satisfies Readonly<Record<string, AnswerLimit>>;

/** Maximum nesting of objects and arrays; the deepest known response has 8 levels. */
export const MOST_DEPTH = 64;
/** Maximum characters of a number, far more than any amount, height or difficulty has. */
export const MOST_DIGITS = 100;
/** Maximum bytes of one string: a block in hex, with some margin. */
export const MOST_TEXT = 9 * MIB;
