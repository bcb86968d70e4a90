/** Reads one transaction with everything that the index knows about it. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { chunks } from '../../platform/database/chunks.ts';
import type { Index } from '../indexer/open.ts';
import { heightOfSeq, type IndexBurnsTable, type IndexImportsTable } from '../indexer/tables.ts';
import { reachOf, type Reach } from './reach.ts';
import type { TransactionRow } from './transactions.ts';

/** A range of a transaction's inputs and outputs, or of a block's transactions. */
export interface Window {
	/** The first one, counted from zero. */
	from: number;
	/** Maximum number. */
	most: number;
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex');
const ALL: Window = { from: 0, most: Number.MAX_SAFE_INTEGER };
/** Rows read in one turn of the event loop: a transaction may have thousands. */
const AT_ONCE = 500;

/** Reads a range in parts, yielding to the event loop between them. */
async function inParts<Row extends { n: number }>(
	{ from, most }: Window,
	read: (part: Window) => Promise<Row[]>
): Promise<Row[]> {
	const rows: Row[] = [];
	for (let next = from; rows.length < most;) {
		const size = Math.min(AT_ONCE, most - rows.length);
		const part = await read({ from: next, most: size });
		rows.push(...part);
		const last = part.at(-1);
		if (last === undefined || part.length < size) break;
		next = last.n + 1;
		await othersTurn();
	}
	return rows;
}

/** An output of a transaction. */
export interface OutPoint {
	txid: Uint8Array;
	n: number;
}

/** The token whose units an output holds, and their holder. */
export interface HeldToken {
	tokenid: Uint8Array;
	holder: string | null;
}

export interface IndexedInput {
	n: number;
	/** The output that is spent; null for a coinbase, an import, or an output from before the first indexed block. */
	from: OutPoint | null;
	/** Satoshi. */
	value: bigint | null;
	address: string | null;
	/** Type of the spent script, as script.ts classifies it. */
	type: string | null;
}

export interface IndexedOutput {
	n: number;
	/** Satoshi. */
	value: bigint;
	type: string;
	address: string | null;
	token: HeldToken | null;
	spentBy: OutPoint | null;
}

/** What was burned, and its import once one is indexed. */
export type BurnLeg = Pick<IndexBurnsTable, 'target'> & {
	ccid: number;
	value: bigint;
	units: bigint;
	tokenid: Uint8Array | null;
	payoutsHash: Uint8Array;
	import: { chain: string; txid: Uint8Array } | null;
};

/**
 * What was imported, and the burn that it redeems. `source` is the chain that the burn names as its own, empty where it
 * names none; `ccid` is null for a self-import.
 */
export type ImportLeg = Pick<IndexImportsTable, 'source' | 'proof'> & {
	ccid: number | null;
	value: bigint;
	burnTxid: Uint8Array;
	/** Name of the indexed chain that contains the burn; null when none does. */
	burnChain: string | null;
};

export interface IndexedTransaction {
	row: TransactionRow;
	height: number;
	blockHash: Uint8Array;
	reach: Reach;
	inputs: IndexedInput[];
	outputs: IndexedOutput[];
	burn: BurnLeg | null;
	import: ImportLeg | null;
}

/**
 * Reads outputs of a chain, by `txid:vout`; those that are not indexed are missing.
 * @param points with txids in display order
 */
export async function readOutputs(
	index: Index,
	chain: bigint,
	points: readonly { txid: string; vout: number }[]
): Promise<Map<string, { value: bigint; address: string | null }>> {
	const found = new Map<string, { value: bigint; address: string | null }>();
	for (const part of chunks(points)) {
		const rows = await index
			.selectFrom('ix_txs as t')
			.innerJoin('ix_outputs as o', (join) =>
				join.onRef('o.chain', '=', 't.chain').onRef('o.seq', '=', 't.seq')
			)
			.select(['t.txid', 'o.n', 'o.value', 'o.address'])
			.where('t.chain', '=', chain)
			.where('t.txid', 'in', [...new Set(part.map(({ txid }) => txid))].map(bytesOf))
			.where('o.n', 'in', [...new Set(part.map(({ vout }) => BigInt(vout)))])
			.execute();
		for (const { txid, n, ...output } of rows) found.set(`${bytesToHex(txid)}:${n}`, output);
	}
	return found;
}

/**
 * Reads a transaction of a chain; null when it is not indexed.
 * @param window range of the inputs and of the outputs to read
 */
export async function readIndexedTransaction(
	index: Index,
	chain: bigint,
	txid: string,
	window = ALL
): Promise<IndexedTransaction | null> {
	const head = await index
		.selectFrom('ix_txs as t')
		.innerJoin('ix_chains as c', 'c.id', 't.chain')
		.innerJoin('ix_blocks as k', (join) =>
			join
				.onRef('k.chain', '=', 't.chain')
				.on((eb) => eb('k.height', '=', eb('t.seq', '/', 65_536n)))
		)
		.select(['t.seq', 't.txid', 't.kind', 't.size', 't.inputs', 't.outputs', 't.value', 't.fee'])
		.select(['c.height as indexed', 'c.target_height as target', 'k.hash', 'k.time'])
		.where('t.txid', '=', Buffer.from(txid, 'hex'))
		.where('t.chain', '=', chain)
		.executeTakeFirst();
	if (!head) return null;
	const { indexed, target, hash, ...row } = head;
	const [inputs, outputs, burn, imported] = await Promise.all([
		inParts(window, (part) => inputsOf(index, chain, row.seq, part)),
		inParts(window, (part) => outputsOf(index, chain, row.seq, part)),
		row.kind.endsWith('burn') ? burnOf(index, chain, row.seq) : null,
		row.kind.endsWith('import') ? importOf(index, chain, row.seq) : null
	]);
	return {
		row,
		height: heightOfSeq(row.seq),
		blockHash: hash,
		reach: reachOf(indexed, target),
		inputs,
		outputs,
		burn,
		import: imported
	};
}

const outPoint = (txid: Uint8Array | null, n: bigint | null): OutPoint | null =>
	txid === null || n === null ? null : { txid, n: Number(n) };

async function inputsOf(
	index: Index,
	chain: bigint,
	seq: bigint,
	{ from, most }: Window
): Promise<IndexedInput[]> {
	const rows = await index
		.selectFrom('ix_inputs as i')
		.leftJoin('ix_outputs as o', (join) =>
			join
				.onRef('o.chain', '=', 'i.chain')
				.onRef('o.seq', '=', 'i.prev_seq')
				.onRef('o.n', '=', 'i.prev_n')
		)
		.leftJoin('ix_txs as t', (join) =>
			join.onRef('t.chain', '=', 'i.chain').onRef('t.seq', '=', 'i.prev_seq')
		)
		.select(['i.n', 't.txid', 'i.prev_n', 'o.value', 'o.address', 'o.type'])
		.where('i.chain', '=', chain)
		.where('i.seq', '=', seq)
		.where('i.n', '>=', BigInt(from))
		.orderBy('i.n')
		.limit(most)
		.execute();
	return rows.map(({ n, txid, prev_n, value, address, type }) => ({
		n: Number(n),
		from: outPoint(txid, prev_n),
		value,
		address,
		type
	}));
}

async function outputsOf(
	index: Index,
	chain: bigint,
	seq: bigint,
	{ from, most }: Window
): Promise<IndexedOutput[]> {
	const rows = await index
		.selectFrom('ix_outputs as o')
		.leftJoin('ix_txs as t', (join) =>
			join.onRef('t.chain', '=', 'o.chain').onRef('t.seq', '=', 'o.spent_seq')
		)
		.leftJoin('ix_tokens as k', (join) =>
			join.onRef('k.chain', '=', 'o.chain').onRef('k.seq', '=', 'o.token')
		)
		.select([
			'o.n',
			'o.value',
			'o.type',
			'o.address',
			'o.holder',
			'o.spent_n',
			't.txid',
			'k.tokenid'
		])
		.where('o.chain', '=', chain)
		.where('o.seq', '=', seq)
		.where('o.n', '>=', BigInt(from))
		.orderBy('o.n')
		.limit(most)
		.execute();
	return rows.map(({ n, value, type, address, holder, spent_n, txid, tokenid }) => ({
		n: Number(n),
		value,
		type,
		address,
		token: tokenid === null ? null : { tokenid, holder },
		spentBy: outPoint(txid, spent_n)
	}));
}

async function burnOf(index: Index, chain: bigint, seq: bigint): Promise<BurnLeg | null> {
	const row = await index
		.selectFrom('ix_burns as b')
		.leftJoin('ix_imports as i', (join) =>
			join.onRef('i.chain', '=', 'b.import_chain').onRef('i.seq', '=', 'b.import_seq')
		)
		.leftJoin('ix_chains as c', 'c.id', 'b.import_chain')
		.select(['b.target', 'b.target_ccid', 'b.value', 'b.units', 'b.tokenid', 'b.payouts_hash'])
		.select(['c.name', 'i.txid'])
		.where('b.chain', '=', chain)
		.where('b.seq', '=', seq)
		.executeTakeFirst();
	if (!row) return null;
	const { target, target_ccid, value, units, tokenid, payouts_hash, name, txid } = row;
	return {
		target,
		ccid: Number(target_ccid),
		value,
		units,
		tokenid,
		payoutsHash: payouts_hash,
		import: name === null || txid === null ? null : { chain: name, txid }
	};
}

async function importOf(index: Index, chain: bigint, seq: bigint): Promise<ImportLeg | null> {
	const row = await index
		.selectFrom('ix_imports as i')
		.leftJoin('ix_burns as b', (join) =>
			join.onRef('b.import_chain', '=', 'i.chain').onRef('b.import_seq', '=', 'i.seq')
		)
		.leftJoin('ix_chains as c', 'c.id', 'b.chain')
		.select(['i.source', 'i.proof', 'i.ccid', 'i.value', 'i.burn_txid', 'c.name'])
		.where('i.chain', '=', chain)
		.where('i.seq', '=', seq)
		.executeTakeFirst();
	if (!row) return null;
	const { source, proof, ccid, value, burn_txid, name } = row;
	return {
		source,
		proof,
		ccid: ccid === null ? null : Number(ccid),
		value,
		burnTxid: burn_txid,
		burnChain: name
	};
}

/** Units that a transaction moved, created or burned, in order. */
export interface TokenEffectRow {
	/** `seq` of the transaction. */
	seq: bigint;
	tokenid: Uint8Array;
	name: string;
	kind: 'create' | 'transfer' | 'burn' | 'export';
	from_holder: string | null;
	to_holder: string | null;
	units: bigint;
}

/** Reads the movements of tokens in some transactions; at most `limit`. */
export const readTokenEffects = (
	index: Index,
	chain: bigint,
	places: readonly bigint[],
	limit: number
): Promise<TokenEffectRow[]> =>
	index
		.selectFrom('ix_token_moves as m')
		.innerJoin('ix_tokens as k', (join) =>
			join.onRef('k.chain', '=', 'm.chain').onRef('k.seq', '=', 'm.token')
		)
		.select(['m.seq', 'k.tokenid', 'k.name', 'm.kind', 'm.from_holder', 'm.to_holder', 'm.units'])
		.where('m.chain', '=', chain)
		.where('m.seq', 'in', places)
		.orderBy('m.seq')
		.orderBy('m.token')
		.orderBy('m.n')
		.limit(limit)
		.execute();
