import { bytesToHex } from '#lib/chain/bytes.ts';
import { listMembers, listSummaries } from '#lib/messages/apiLists.ts';
import { z } from 'zod';
import { formatCoins } from '#lib/chain/amount.ts';
import { heightOfSeq, seqOf } from '../indexer/tables.ts';
import { chainIdOf } from './chains.ts';
import { keysetPage, type Order } from './keyset.ts';
import {
	Coins,
	Hash,
	Height,
	heightRange,
	isoTimeOfSeconds,
	Time,
	Units,
	type List,
	NO_ROWS
} from './list.ts';

/** An import, with the amount that it really created. */
interface ImportRow {
	seq: bigint;
	txid: Uint8Array;
	/** Unix seconds. */
	time: bigint;
	burn_txid: Uint8Array;
	/** The chain that the burn names as its own; empty for a self-import, and where it names none. */
	source: string;
	/** Null for a self-import. */
	ccid: bigint | null;
	/** Satoshi of the burn, including the import fee; 0 for tokens. */
	value: bigint;
	/** Satoshi of all its outputs. */
	paid: bigint;
	/** The imported token and its units; null for coins. */
	tokenid: Uint8Array | null;
	units: bigint | null;
	proof: 'txproof' | 'approvals' | 'merkleblock';
}

const filter = z.object(heightRange);

const order = (descending: boolean): Order<ImportRow> => ({
	columns: [{ name: 'i.seq', type: 'int', value: ({ seq }) => seq }],
	descending
});

/** Coins paid to the recipients; null for tokens. */
const created = (row: ImportRow): string | null =>
	row.tokenid === null ? formatCoins(row.paid) : null;

export const imports: List<ImportRow, typeof filter> = {
	name: 'imports',
	summary: listSummaries.imports,
	scope: 'chain',
	filter,
	sorts: ['-height', 'height'],
	row: z.object({
		txid: Hash,
		height: Height,
		time: Time,
		burn: Hash.describe(listMembers.burn),
		source: z.string().nullable().describe(listMembers.importSource),
		created: Coins.nullable().describe(listMembers.created),
		burned: Coins.nullable().describe(listMembers.burned),
		token: z.object({ tokenid: Hash, units: Units }).nullable(),
		proof: z.enum(['txproof', 'approvals', 'merkleblock'])
	}),
	wire: (row) => ({
		txid: bytesToHex(row.txid),
		height: heightOfSeq(row.seq),
		time: isoTimeOfSeconds(row.time),
		burn: bytesToHex(row.burn_txid),
		source: row.source === '' ? null : row.source,
		created: created(row),
		burned: row.tokenid === null ? formatCoins(row.value) : null,
		token:
			row.tokenid === null
				? null
				: { tokenid: bytesToHex(row.tokenid), units: (row.units ?? 0n).toString() },
		proof: row.proof
	}),
	columns: [
		{ title: 'height', value: ({ seq }) => heightOfSeq(seq) },
		{ title: 'time', value: ({ time }) => isoTimeOfSeconds(time) },
		{ title: 'import', value: ({ txid }) => bytesToHex(txid) },
		{ title: 'burn', value: ({ burn_txid }) => bytesToHex(burn_txid) },
		{ title: 'source', value: ({ source }) => source },
		{ title: 'created', value: created },
		{
			title: 'burned',
			value: (row) => (row.tokenid === null ? formatCoins(row.value) : null)
		},
		{ title: 'token', value: ({ tokenid }) => tokenid && bytesToHex(tokenid) },
		{ title: 'units', value: ({ units }) => units },
		{ title: 'proof', value: ({ proof }) => proof }
	],
	async read(index, query) {
		const chain = await chainIdOf(index, query.chain);
		if (chain === null) return NO_ROWS;
		let rows = index
			.selectFrom('ix_imports as i')
			.innerJoin('ix_txs as t', (join) =>
				join.onRef('t.chain', '=', 'i.chain').onRef('t.seq', '=', 'i.seq')
			)
			.leftJoin('ix_tokens as k', (join) =>
				join.onRef('k.chain', '=', 'i.chain').onRef('k.seq', '=', 'i.token')
			)
			.select([
				'i.seq',
				'i.txid',
				'i.time',
				'i.burn_txid',
				'i.source',
				'i.ccid',
				'i.value',
				't.value as paid',
				'k.tokenid',
				'k.supply as units',
				'i.proof'
			])
			.where('i.chain', '=', chain);
		const { from, to } = query.filter;
		if (from !== undefined) rows = rows.where('i.seq', '>=', seqOf(from, 0));
		if (to !== undefined) rows = rows.where('i.seq', '<', seqOf(to + 1, 0));
		return keysetPage(rows, order(query.sort.startsWith('-')), query);
	}
};
