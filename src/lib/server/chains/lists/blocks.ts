import { bytesToHex } from '#lib/chain/bytes.ts';
import { listSummaries } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Hash, Height, heightRange, isoTimeOfSeconds, Time, type List, NO_ROWS } from './list.ts';

export interface BlockRow {
	height: bigint;
	hash: Uint8Array;
	/** Unix seconds. */
	time: bigint;
	size: bigint;
	txs: bigint;
}

const filter = z.object(heightRange);

const order = (descending: boolean): Order<BlockRow> => ({
	columns: [{ name: 'height', type: 'int', value: ({ height }) => height }],
	descending
});

export const blocks: List<BlockRow, typeof filter> = {
	name: 'blocks',
	summary: listSummaries.blocks,
	scope: 'chain',
	filter,
	sorts: ['-height', 'height'],
	row: z.object({ height: Height, hash: Hash, time: Time, size: z.int(), transactions: z.int() }),
	wire: ({ height, hash, time, size, txs }) => ({
		height: Number(height),
		hash: bytesToHex(hash),
		time: isoTimeOfSeconds(time),
		size: Number(size),
		transactions: Number(txs)
	}),
	columns: [
		{ title: 'height', value: ({ height }) => height },
		{ title: 'hash', value: ({ hash }) => bytesToHex(hash) },
		{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) },
		{ title: 'size', value: ({ size }) => size },
		{ title: 'transactions', value: ({ txs }) => txs }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		let rows = index
			.selectFrom('ix_blocks')
			.select(['height', 'hash', 'time', 'size', 'txs'])
			.where('chain', '=', chain);
		const { from, to } = query.filter;
		if (from !== undefined) rows = rows.where('height', '>=', BigInt(from));
		if (to !== undefined) rows = rows.where('height', '<=', BigInt(to));
		return keysetPage(rows, order(query.sort.startsWith('-')), query);
	}
};
