import { bytesToHex } from '#lib/chain/bytes.ts';
import { listFaults, listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq } from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import {
	Coins,
	Hash,
	Height,
	isoTimeOfSeconds,
	optionalText,
	Time,
	Units,
	NO_ROWS
} from './list.ts';
import type { List } from './list.ts';

/** A burn with its import, once one is indexed. */
export interface TransferRow {
	chain: bigint;
	source: string;
	seq: bigint;
	txid: Uint8Array;
	/** Unix seconds. */
	time: bigint;
	target: string;
	target_ccid: bigint;
	/** Satoshi, including the import fee; 0 for tokens. */
	value: bigint;
	tokenid: Uint8Array | null;
	units: bigint;
	import_seq: bigint | null;
	import_txid: Uint8Array | null;
	import_time: bigint | null;
	import_chain_name: string | null;
	proof: 'txproof' | 'approvals' | 'merkleblock' | null;
}

const name = (what: string) =>
	optionalText(z.string().max(64, listFaults.chainName)).describe(what);
const filter = z.object({
	from: name(listMembers.source),
	to: name(listMembers.target),
	state: optionalText(z.enum(['open', 'done'], listFaults.transferState)).describe(
		'open: not imported yet'
	),
	what: optionalText(z.enum(['coins', 'tokens'], listFaults.transferAsset)).describe(
		'coins or tokens'
	)
});

const order: Order<TransferRow> = {
	columns: [
		{ name: 'b.time', type: 'int', value: ({ time }) => time },
		{ name: 'b.chain', type: 'int', value: ({ chain }) => chain },
		{ name: 'b.seq', type: 'int', value: ({ seq }) => seq }
	],
	descending: true
};

/** Selects burns with their imports, for callers to filter and sort. */
export const transferRows = (index: Index) =>
	index
		.selectFrom('ix_burns as b')
		.innerJoin('ix_chains as c', 'c.id', 'b.chain')
		.leftJoin('ix_imports as i', (join) =>
			join.onRef('i.chain', '=', 'b.import_chain').onRef('i.seq', '=', 'b.import_seq')
		)
		.leftJoin('ix_chains as d', 'd.id', 'b.import_chain')
		.select([
			'b.chain',
			'c.name as source',
			'b.seq',
			'b.txid',
			'b.time',
			'b.target',
			'b.target_ccid',
			'b.value',
			'b.tokenid',
			'b.units',
			'b.import_seq',
			'i.txid as import_txid',
			'i.time as import_time',
			'd.name as import_chain_name',
			'i.proof'
		]);

export const transfers: List<TransferRow, typeof filter> = {
	name: 'transfers',
	summary: listSummaries.crossChain,
	scope: 'all',
	filter,
	sorts: ['-time'],
	row: z.object({
		burn: z.object({ chain: z.string(), txid: Hash, height: Height, time: Time }),
		to: z.string(),
		ccid: z.int(),
		value: Coins.nullable().describe(listMembers.coinsOnly),
		token: z.object({ tokenid: Hash, units: Units }).nullable(),
		import: z
			.object({
				chain: z.string(),
				txid: Hash,
				height: Height,
				time: Time,
				proof: z.enum(['txproof', 'approvals', 'merkleblock'])
			})
			.nullable()
			.describe(listMembers.noImport)
	}),
	wire: (row) => ({
		burn: {
			chain: row.source,
			txid: bytesToHex(row.txid),
			height: heightOfSeq(row.seq),
			time: isoTimeOfSeconds(row.time)
		},
		to: row.target,
		ccid: Number(row.target_ccid),
		value: row.tokenid === null ? formatCoins(row.value) : null,
		token:
			row.tokenid === null
				? null
				: { tokenid: bytesToHex(row.tokenid), units: row.units.toString() },
		import:
			row.import_txid === null
				? null
				: {
						chain: row.import_chain_name,
						txid: bytesToHex(row.import_txid),
						height: heightOfSeq(row.import_seq ?? 0n),
						time: isoTimeOfSeconds(row.import_time ?? 0n),
						proof: row.proof
					}
	}),
	columns: [
		{ title: 'burnt on', value: ({ source }) => source },
		{ title: 'burn', value: ({ txid }) => bytesToHex(txid) },
		{ title: 'burned at', value: ({ time }) => isoTimeOfSeconds(time) },
		{ title: 'to', value: ({ target }) => target },
		{ title: 'CCid', value: ({ target_ccid }) => target_ccid },
		{
			title: 'coins',
			value: (row) => (row.tokenid === null ? { decimal: formatCoins(row.value) } : null)
		},
		{ title: 'token', value: ({ tokenid }) => tokenid && bytesToHex(tokenid) },
		{ title: 'units', value: (row) => (row.tokenid === null ? null : row.units) },
		{ title: 'import', value: ({ import_txid }) => import_txid && bytesToHex(import_txid) },
		{ title: 'imported at', value: (row) => row.import_time && isoTimeOfSeconds(row.import_time) },
		{ title: 'proof', value: ({ proof }) => proof }
	],
	async read(index, query) {
		let rows = transferRows(index);
		const { from, to, state, what } = query.filter;
		if (from !== undefined) {
			const chain = await chainIdOf(index, from);
			if (chain === null) return NO_ROWS;
			rows = rows.where('b.chain', '=', chain);
		}
		if (to !== undefined) rows = rows.where('b.target', '=', to);
		if (state === 'open') rows = rows.where(sql<boolean>`b.import_seq is null`);
		if (state === 'done') rows = rows.where(sql<boolean>`b.import_seq is not null`);
		if (what === 'coins') rows = rows.where('b.tokenid', 'is', null);
		if (what === 'tokens') rows = rows.where('b.tokenid', 'is not', null);
		return keysetPage(rows, order, query);
	}
};
