import { LRUCache } from 'lru-cache';
import { isHash } from '#lib/chain/idText.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { RawAnswer } from '../upstream/rawAnswer.ts';

/** Confirmations of a final block: Komodo daemon 0.9.0 undoes at most 99 blocks (coinbase maturity minus one). */
const REORG_LIMIT = 100;

/** An answer larger than this fraction of the cache (one eighth) is not cached: it would evict most of the others. */
const LARGEST_SHARE = 8;

/**
 * Creates a cache of answers that cannot change: the raw bytes of a block or header by hash, and of a transaction
 * deeper than any reorganization. Verbose answers are never cached, because confirmations and spent marks change.
 * Limited in bytes; evicts the least recently used answer first.
 */
export const createFinalBytes = (limitBytes: number): LRUCache<string, RawAnswer> =>
	new LRUCache({
		maxSize: limitBytes,
		maxEntrySize: Math.floor(limitBytes / LARGEST_SHARE),
		sizeCalculation: ({ body }) => Math.max(1, body.length)
	});

/** Returns whether the answer is final because of the call alone: it asks for raw bytes by block hash. */
export function isFinalByHash(method: string, paramsText: string): boolean {
	if (method !== 'getblock' && method !== 'getblockheader') return false;
	const [hash, verbose] = JSON.parse(paramsText) as unknown[];
	if (typeof hash !== 'string' || !isHash(hash.toLowerCase())) return false;
	if (method === 'getblock') return verbose === 0 || verbose === false;
	return verbose === false;
}

/** Returns the transaction of a verbose answer that shows it deeper than any reorganization; otherwise null. */
export function finalTransaction(
	method: string,
	result: unknown
): { txid: string; hex: string } | null {
	if (method !== 'getrawtransaction' || typeof result !== 'object' || result === null) return null;
	const facts = result as Record<string, unknown>;
	const txid = reported(facts, 'txid');
	const hex = reported(facts, 'hex');
	const rawconfirmations = reported(facts, 'rawconfirmations');
	if (typeof txid !== 'string' || typeof hex !== 'string') return null;
	if (typeof rawconfirmations !== 'number' && typeof rawconfirmations !== 'bigint') return null;
	return rawconfirmations > REORG_LIMIT ? { txid, hex } : null;
}
