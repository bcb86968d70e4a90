/** Single items of a chain, as the API returns them. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import { API_DOCUMENT } from '#lib/messages/apiDocument.ts';
import { listMembers } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { isHash } from '#lib/chain/idText.ts';
import type { Index } from '../chains/indexer/open.ts';
import { readAddress } from '../chains/lists/addresses.ts';
import { readBlockTransactions, readIndexedBlock } from '../chains/lists/block.ts';
import { blocks } from '../chains/lists/blocks.ts';
import { chainIdOf, chainProgress } from '../chains/lists/chains.ts';
import { Coins, Hash, Height, MAX_ROWS, isoTimeOfSeconds } from '../chains/lists/list.ts';
import { readIndexedToken, readTwins, tokens } from '../chains/lists/tokens.ts';
import {
	readIndexedTransaction,
	type OutPoint as OutPointRow
} from '../chains/lists/transaction.ts';
import { transactions } from '../chains/lists/transactions.ts';
import { AppError } from '../platform/errors/appError.ts';

/** One kind of item: its place in the path, its response schema, and how it is read. */
export interface Detail {
	/** Segment of `/api/v1/chains/<chain>/<name>/<id>`. */
	name: 'blocks' | 'tx' | 'tokens' | 'addresses';
	summary: string;
	/** Name of the id in the path, for the documentation. */
	id: string;
	answer: z.ZodType;
	/** Whether the item has parts that are returned in pages. */
	paged?: true;
	/**
	 * @param from index of the first part to return, from zero
	 * @throws {AppError} `api`
	 */
	read(
		index: Index,
		chain: { id: bigint; name: string },
		id: string,
		from: number
	): Promise<unknown>;
}

/** Highest accepted `from`: more parts than any block or transaction has. */
const MOST_PARTS = 999_999;
const Next = z.int().nullable().meta({ description: API_DOCUMENT.next });
/** Returns the index of the next page; null on the last one. */
const nextOf = (from: number, parts: bigint): number | null =>
	parts > BigInt(from + MAX_ROWS) ? from + MAX_ROWS : null;

/**
 * Parses the `from` parameter.
 * @throws {AppError} `api.from-invalid`
 */
export function firstPart(asked: string | null): number {
	if (asked === null) return 0;
	if (!/^\d{1,6}$/.test(asked)) throw new AppError('api.from-invalid', { most: MOST_PARTS });
	return Number(asked);
}

const hashBytes = (text: string): Buffer => Buffer.from(text, 'hex');
const absent = (what: string): AppError => new AppError('api.not-indexed', { what });

const block: Detail = {
	name: 'blocks',
	summary: API_DOCUMENT.details.block,
	id: 'height or hash',
	answer: z.object({ block: blocks.row, transactions: z.array(transactions.row), next: Next }),
	paged: true,
	async read(index, chain, id, from) {
		const byHash = isHash(id);
		if (!byHash && !/^\d{1,9}$/.test(id)) {
			throw new AppError('api.block-id-invalid');
		}
		const found = await readIndexedBlock(index, chain.id, byHash ? hashBytes(id) : BigInt(id));
		if (!found) throw absent('block');
		const { row } = found;
		const rows = await readBlockTransactions(index, chain.id, row, { from, most: MAX_ROWS });
		return {
			block: blocks.wire(row),
			transactions: rows.map((tx) => transactions.wire(tx)),
			next: nextOf(from, row.txs)
		};
	}
};

const OutPoint = z.object({ txid: Hash, n: z.int() });

const transaction: Detail = {
	name: 'tx',
	summary: API_DOCUMENT.details.transaction,
	id: 'txid',
	answer: z.object({
		transaction: transactions.row,
		time: z.iso.datetime(),
		inputs: z.array(
			z.object({
				from: OutPoint.nullable(),
				value: Coins.nullable(),
				address: z.string().nullable()
			})
		),
		outputs: z.array(
			z.object({
				value: Coins,
				type: z.string(),
				address: z.string().nullable(),
				token: z.object({ tokenid: Hash, holder: z.string().nullable() }).nullable(),
				spentBy: OutPoint.nullable()
			})
		),
		next: Next
	}),
	paged: true,
	async read(index, chain, id, from) {
		if (!isHash(id)) throw new AppError('api.txid-invalid');
		const window = { from, most: MAX_ROWS };
		const found = await readIndexedTransaction(index, chain.id, id, window);
		if (!found) throw absent('transaction');
		const { row } = found;
		return {
			transaction: transactions.wire(row),
			time: isoTimeOfSeconds(row.time),
			inputs: found.inputs.map(({ from, value, address }) => ({
				from: outPoint(from),
				value: value === null ? null : formatCoins(value),
				address
			})),
			outputs: found.outputs.map(({ value, type, address, token, spentBy }) => ({
				value: formatCoins(value),
				type,
				address,
				token: token && { tokenid: bytesToHex(token.tokenid), holder: token.holder },
				spentBy: outPoint(spentBy)
			})),
			next: nextOf(from, row.inputs > row.outputs ? row.inputs : row.outputs)
		};
	}
};

const outPoint = (point: OutPointRow | null) =>
	point && { txid: bytesToHex(point.txid), n: point.n };

const token: Detail = {
	name: 'tokens',
	summary: API_DOCUMENT.details.token,
	id: 'tokenid',
	answer: z.object({
		token: tokens.row,
		twins: z.array(
			z.object({
				chain: z.string(),
				tokenid: Hash,
				name: z.string(),
				relation: z.enum(['origin', 'import'])
			})
		)
	}),
	async read(index, chain, id) {
		if (!isHash(id)) throw new AppError('api.tokenid-invalid');
		const row = await readIndexedToken(index, chain.id, id);
		if (!row) throw absent('token');
		return { token: tokens.wire(row), twins: await readTwins(index, chain.name, row) };
	}
};

const address: Detail = {
	name: 'addresses',
	summary: API_DOCUMENT.details.address,
	id: 'address',
	answer: z.object({
		address: z.string(),
		balance: Coins,
		received: Coins,
		transactions: z.int(),
		since: Height.describe(listMembers.since)
	}),
	async read(index, chain, id) {
		if (!isValidAddress(id)) throw new AppError('api.address-invalid');
		const [facts, progress] = await Promise.all([
			readAddress(index, chain.id, id),
			chainProgress(index, chain.name)
		]);
		if (!facts || !progress) throw absent('address');
		return {
			address: id,
			balance: formatCoins(facts.balance),
			received: formatCoins(facts.received),
			transactions: Number(facts.txs),
			since: progress.startHeight
		};
	}
};

/** Every kind of item that has its own path in the API. */
export const details: readonly Detail[] = [block, transaction, token, address];

/** @throws {AppError} `api` for a chain that is not in the index */
export async function indexedChain(
	index: Index,
	name: string
): Promise<{ id: bigint; name: string }> {
	const id = await chainIdOf(index, name);
	if (id === null) throw new AppError('api.chain-not-indexed');
	return { id, name };
}
