import { bytesToHex } from '#lib/chain/bytes.ts';
import { listFaults, listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Index } from '../indexer/open.ts';
import {
	heightOfSeq,
	NOTARIZATION_COLUMNS,
	type IndexNotarizationsTable
} from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import { Hash, Height, isoTimeOfSeconds, optionalText, Time, type List, NO_ROWS } from './list.ts';

export type NotarizationRow = Pick<
	Selectable<IndexNotarizationsTable>,
	(typeof NOTARIZATION_COLUMNS)[number]
>;

const filter = z.object({
	of: optionalText(z.string().max(64, listFaults.chainName)).describe(listMembers.notarized)
});

const order: Order<NotarizationRow> = {
	columns: [{ name: 'seq', type: 'int', value: ({ seq }) => seq }],
	descending: true
};

const root = (bytes: Uint8Array | null): string | null =>
	bytes && bytesToHex(Uint8Array.from(bytes).reverse());

/** Returns the numbers of the notaries that signed; empty when the daemon does not report them. */
export const signersOf = ({ signers }: { signers: string }): number[] =>
	signers === '' ? [] : signers.split(',').map(Number);

export const notarizations: List<NotarizationRow, typeof filter> = {
	name: 'notarizations',
	summary: listSummaries.notarizations,
	scope: 'chain',
	filter,
	sorts: ['-place'],
	row: z.object({
		txid: Hash,
		recordedAt: Height,
		time: Time,
		form: z.enum(['kmd', 'back']),
		chain: z.string(),
		height: Height,
		hash: Hash,
		kmdTxid: Hash.nullable(),
		mom: Hash.nullable(),
		momDepth: z.int().nullable(),
		ccid: z.int().nullable(),
		momom: Hash.nullable(),
		momomDepth: z.int().nullable(),
		signers: z.array(z.int())
	}),
	wire: (row) => ({
		txid: bytesToHex(row.txid),
		recordedAt: heightOfSeq(row.seq),
		time: isoTimeOfSeconds(row.time),
		form: row.form,
		chain: row.symbol,
		height: Number(row.height),
		hash: bytesToHex(row.hash),
		kmdTxid: row.kmd_txid && bytesToHex(row.kmd_txid),
		mom: root(row.mom),
		momDepth: row.mom_depth === null ? null : Number(row.mom_depth),
		ccid: row.ccid === null ? null : Number(row.ccid),
		momom: root(row.momom),
		momomDepth: row.momom_depth === null ? null : Number(row.momom_depth),
		signers: signersOf(row)
	}),
	columns: [
		{ title: 'recorded at', value: ({ seq }) => heightOfSeq(seq) },
		{ title: 'txid', value: ({ txid }) => bytesToHex(txid) },
		{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) },
		{ title: 'chain', value: ({ symbol }) => symbol },
		{ title: 'height', value: ({ height }) => height },
		{ title: 'hash', value: ({ hash }) => bytesToHex(hash) },
		{ title: 'KMD txid', value: ({ kmd_txid }) => kmd_txid && bytesToHex(kmd_txid) },
		{ title: 'MoM', value: ({ mom }) => root(mom) },
		{ title: 'MoM depth', value: ({ mom_depth }) => mom_depth },
		{ title: 'signers', value: ({ signers }) => signers.replaceAll(',', ' ') }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		let rows = index
			.selectFrom('ix_notarizations')
			.select(NOTARIZATION_COLUMNS)
			.where('chain', '=', chain);
		if (query.filter.of !== undefined) rows = rows.where('symbol', '=', query.filter.of);
		return keysetPage(rows, order, query);
	}
};

/** Reads one notarization of a chain by its txid; null when it is not indexed. */
export async function readNotarization(
	index: Index,
	chain: bigint,
	txid: string
): Promise<NotarizationRow | null> {
	const row = await index
		.selectFrom('ix_txs as t')
		.innerJoin('ix_notarizations as n', (join) =>
			join.onRef('n.chain', '=', 't.chain').onRef('n.seq', '=', 't.seq')
		)
		.select(NOTARIZATION_COLUMNS.map((column) => `n.${column}` as const))
		.where('t.txid', '=', Buffer.from(txid, 'hex'))
		.where('t.chain', '=', chain)
		.executeTakeFirst();
	return row ?? null;
}
