import { bytesToHex } from '#lib/chain/bytes.ts';
import { listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq } from '../indexer/tables.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Hash, Height, isoTimeOfSeconds, Time, Units, type List, NO_ROWS } from './list.ts';
import { tokenFilter, tokenPlace } from './ofToken.ts';

interface TokenMoveRow {
	seq: bigint;
	n: bigint;
	txid: Uint8Array;
	/** Unix seconds. */
	time: bigint;
	kind: 'create' | 'transfer' | 'burn' | 'export';
	from_holder: string | null;
	to_holder: string | null;
	units: bigint;
}

const order: Order<TokenMoveRow> = {
	columns: [
		{ name: 'm.seq', type: 'int', value: ({ seq }) => seq },
		{ name: 'm.n', type: 'int', value: ({ n }) => n }
	],
	descending: true
};

const KIND = z.enum(['create', 'transfer', 'burn', 'export']).describe(listMembers.exported);

export const tokenMoves: List<TokenMoveRow, typeof tokenFilter> = {
	name: 'token-transfers',
	summary: listSummaries.transfers,
	scope: 'chain',
	filter: tokenFilter,
	sorts: ['-place'],
	row: z.object({
		height: Height,
		txid: Hash,
		time: Time,
		kind: KIND,
		from: z.string().nullable(),
		to: z.string().nullable(),
		units: Units
	}),
	wire: (row) => ({
		height: heightOfSeq(row.seq),
		txid: bytesToHex(row.txid),
		time: isoTimeOfSeconds(row.time),
		kind: row.kind,
		from: row.from_holder,
		to: row.to_holder,
		units: row.units.toString()
	}),
	columns: [
		{ title: 'height', value: ({ seq }) => heightOfSeq(seq) },
		{ title: 'txid', value: ({ txid }) => bytesToHex(txid) },
		{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) },
		{ title: 'kind', value: ({ kind }) => kind },
		{ title: 'from', value: ({ from_holder }) => from_holder },
		{ title: 'to', value: ({ to_holder }) => to_holder },
		{ title: 'units', value: ({ units }) => units }
	],
	async read(index, query) {
		const place = await tokenPlace(index, query.chain, query.filter.tokenid);
		if (place === null) return NO_ROWS;
		return keysetPage(movesOf(index, place.chain, place.token), order, query);
	}
};

const movesOf = (index: Index, chain: bigint, token: bigint) =>
	index
		.selectFrom('ix_token_moves as m')
		.innerJoin('ix_txs as t', (join) =>
			join.onRef('t.chain', '=', 'm.chain').onRef('t.seq', '=', 'm.seq')
		)
		.innerJoin('ix_blocks as b', (join) =>
			join
				.onRef('b.chain', '=', 'm.chain')
				.on((eb) => eb('b.height', '=', eb('m.seq', '/', 65_536n)))
		)
		.select([
			'm.seq',
			'm.n',
			't.txid',
			'b.time',
			'm.kind',
			'm.from_holder',
			'm.to_holder',
			'm.units'
		])
		.where('m.chain', '=', chain)
		.where('m.token', '=', token);

/**
 * Returns the units in circulation after each of the newest creations and burns, oldest first, counted back from those
 * that circulate now; at most `limit` points.
 * @param token the place of its creation, and the units that circulate now
 */
export async function supplyOverTime(
	index: Index,
	chain: bigint,
	token: { seq: bigint; circulating: bigint },
	limit: number
): Promise<{ time: number; units: bigint }[]> {
	const rows = await movesOf(index, chain, token.seq)
		// A literal, because a partial index is not used with a bound parameter.
		.where(sql<boolean>`m.kind <> 'transfer'`)
		.orderBy('m.seq', 'desc')
		.orderBy('m.n', 'desc')
		.limit(limit)
		.execute();
	const points: { time: number; units: bigint }[] = [];
	let units = token.circulating;
	for (const row of rows) {
		const time = Number(row.time);
		if (points.at(-1)?.time !== time) points.push({ time, units });
		units -= row.kind === 'create' ? row.units : -row.units;
	}
	return points.toReversed();
}
