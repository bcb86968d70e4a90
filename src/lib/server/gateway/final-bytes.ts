import type { RawAnswer } from './types.ts';

/** Komodo daemon 0.9.0 never undoes more than 99 blocks (coinbase maturity minus one). */
export const REORG_LIMIT = 100;

const HASH = /^[0-9a-f]{64}$/i;
/** One answer larger than this share of the store would push everything else out. */
const LARGEST_SHARE = 8;

/**
 * Answers that cannot change: the raw bytes of a block or header by hash, and of a transaction that lies
 * deeper than any reorganisation. Verbose answers are not final (confirmations and spent marks move), so
 * they are never kept. Bounded by bytes; what was not read for longest goes first.
 */
export class FinalBytes {
	readonly #limit: number;
	readonly #answers = new Map<string, RawAnswer>();
	#size = 0;

	constructor(limitBytes: number) {
		this.#limit = limitBytes;
	}

	get(key: string): RawAnswer | undefined {
		const answer = this.#answers.get(key);
		if (answer === undefined) return undefined;
		this.#answers.delete(key);
		this.#answers.set(key, answer);
		return answer;
	}

	set(key: string, answer: RawAnswer): void {
		const size = answer.body.length;
		if (size * LARGEST_SHARE > this.#limit || this.#answers.has(key)) return;
		this.#answers.set(key, answer);
		this.#size += size;
		for (const [oldest, old] of this.#answers) {
			if (this.#size <= this.#limit) break;
			this.#answers.delete(oldest);
			this.#size -= old.body.length;
		}
	}
}

/** Whether the answer to this call is final by the call alone: raw bytes that a block hash names. */
export function isFinalByHash(method: string, params: readonly unknown[]): boolean {
	const [hash, verbose] = params;
	if (typeof hash !== 'string' || !HASH.test(hash)) return false;
	if (method === 'getblock') return verbose === 0 || verbose === false;
	return method === 'getblockheader' && verbose === false;
}

/** The transaction that this call asks the raw bytes of; null for any other call. */
export function rawTransactionAsked(method: string, params: readonly unknown[]): string | null {
	const [txid, verbose] = params;
	if (method !== 'getrawtransaction' || typeof txid !== 'string' || !HASH.test(txid)) return null;
	return verbose === undefined || verbose === 0 ? txid.toLowerCase() : null;
}
