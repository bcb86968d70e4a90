/** The unspent outputs of an address. */
import { z } from 'zod';
import { isValidAddress } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { listFaults, listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq } from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { Coins, Hash, Height, NO_ROWS, type List } from './list.ts';

interface UtxoRow {
	seq: bigint;
	/** Index of the output in its transaction. */
	n: bigint;
	/** Satoshi. */
	value: bigint;
	/** Type of its script. */
	type: string;
	txid: Uint8Array;
}

const SORT = '-place';
/**
 * Transactions of the address that one page scans, since an address may have spent nearly all of a million outputs.
 * A page that ends there may have few rows or none, and still be followed by another.
 */
const LOOKED_THROUGH = 2_000;
/** Greater than any output index. */
const LAST_OUTPUT = 2n ** 31n;

const filter = z.object({
	address: z
		.string(listFaults.address.missing)
		.refine(isValidAddress, listFaults.address.invalid)
		.describe(listMembers.address)
});

type Place = Pick<UtxoRow, 'seq' | 'n'>;

const placeAt = ({ seq, n }: Place): string => writeCursor(SORT, [seq, n]);

function placeOf(text: string, side: 'cursor' | 'before'): Place {
	const [seq, n] = readCursor(text, SORT, ['int', 'int'], side);
	return { seq: BigInt(seq!), n: BigInt(n!) };
}

interface Walk {
	chain: bigint;
	address: string;
	/** Where the scan begins; null at either end of the list. */
	from: Place | null;
	/** Toward older transactions. */
	isDown: boolean;
}

/** Returns the transaction at which a page stops scanning; null when the history ends before. */
async function edgeOf(
	index: Index,
	{ chain, address, from, isDown }: Walk
): Promise<bigint | null> {
	let query = index
		.selectFrom('ix_address_txs')
		.select('seq')
		.where('chain', '=', chain)
		.where('address', '=', address)
		.orderBy('seq', isDown ? 'desc' : 'asc')
		.offset(LOOKED_THROUGH)
		.limit(1);
	if (from !== null) query = query.where('seq', isDown ? '<=' : '>=', from.seq);
	return (await query.executeTakeFirst())?.seq ?? null;
}

/** Reads unspent outputs from `from` up to, but not including, the edge, in scan order. */
function unspent(
	index: Index,
	{ chain, address, from, isDown }: Walk,
	edge: bigint | null,
	limit: number
): Promise<UtxoRow[]> {
	const direction = isDown ? 'desc' : 'asc';
	let query = index
		.selectFrom('ix_address_txs as a')
		.innerJoin('ix_outputs as o', (join) =>
			join.onRef('o.chain', '=', 'a.chain').onRef('o.seq', '=', 'a.seq')
		)
		.innerJoin('ix_txs as t', (join) =>
			join.onRef('t.chain', '=', 'a.chain').onRef('t.seq', '=', 'a.seq')
		)
		.select(['a.seq', 'o.n', 'o.value', 'o.type', 't.txid'])
		.where('a.chain', '=', chain)
		.where('a.address', '=', address)
		.where('o.address', '=', address)
		.where('o.spent_seq', 'is', null)
		.orderBy('a.seq', direction)
		.orderBy('o.n', direction)
		.limit(limit);
	if (from !== null) {
		query = query
			.where('a.seq', isDown ? '<=' : '>=', from.seq)
			.where(({ eb, or }) =>
				or([eb('a.seq', '!=', from.seq), eb('o.n', isDown ? '<' : '>', from.n)])
			);
	}
	if (edge !== null) query = query.where('a.seq', isDown ? '>' : '<', edge);
	return query.execute();
}

export const utxos: List<UtxoRow, typeof filter> = {
	name: 'address-utxos',
	summary: listSummaries.utxos,
	scope: 'chain',
	filter,
	sorts: [SORT],
	row: z.object({
		txid: Hash,
		vout: z.int(),
		height: Height,
		value: Coins,
		condition: z.boolean().describe(listMembers.condition)
	}),
	wire: ({ seq, n, value, type, txid }) => ({
		txid: bytesToHex(txid),
		vout: Number(n),
		height: heightOfSeq(seq),
		value: formatCoins(value),
		condition: type === 'cryptocondition'
	}),
	columns: [
		{ title: 'txid', value: ({ txid }) => bytesToHex(txid) },
		{ title: 'vout', value: ({ n }) => n },
		{ title: 'height', value: ({ seq }) => heightOfSeq(seq) },
		{ title: 'value', value: ({ value }) => ({ decimal: formatCoins(value) }) },
		{ title: 'script', value: ({ type }) => type }
	],
	async read(index, { chain: name, filter: { address }, cursor, before, limit }) {
		const side = before === undefined ? 'cursor' : 'before';
		const text = before ?? cursor;
		const from = text === undefined ? null : placeOf(text, side);
		const chain = await chainIdOf(index, name);
		if (chain === null) return NO_ROWS;
		const walk = { chain, address, from, isDown: side === 'cursor' };
		const edge = await edgeOf(index, walk);
		const found = await unspent(index, walk, edge, limit + 1);
		const hasMore = found.length > limit;
		const rows = found.slice(0, limit);
		const beyond = (last: bigint): Place => ({ seq: last, n: walk.isDown ? LAST_OUTPUT : -1n });
		const ahead = hasMore ? rows.at(-1)! : edge === null ? null : beyond(edge);
		if (!walk.isDown) rows.reverse();
		// The page that the reader came from lies on the other side.
		const behind = from && (rows.at(walk.isDown ? 0 : -1) ?? (walk.isDown ? null : from));
		const [next, previous] = walk.isDown ? [ahead, behind] : [behind, ahead];
		return {
			rows,
			next: next && placeAt(next),
			previous: previous && placeAt(previous)
		};
	}
};
