/** Writes a batch of blocks into the index, and removes blocks from it. */
import { sql } from 'kysely';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { chunks } from '../../platform/database/chunks.ts';
import { insertRows, type IndexTrx } from './bulk.ts';
import type { Found, FoundMove } from './found.ts';
import { insertLooks, insertNames, removeLooks, removeNames } from './names.ts';
import { NOTARIZATION_COLUMNS, seqOf, TOKEN_COLUMNS } from './tables.ts';
import {
	addFlows,
	addMovesToTotals,
	addToAddresses,
	importFlows,
	joinImports,
	sumAddresses,
	type FlowChange
} from './totals.ts';

/** A chain, as index rows refer to it. */
export interface IndexedChain {
	id: bigint;
	name: string;
}

/** The runtime's conversion, which is faster: there are several hashes in each row. */
const hexToBytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
const optional = (hex: string | undefined | null): Uint8Array | null =>
	hex === undefined || hex === null ? null : hexToBytes(hex);

/** Writes the rows of a batch. The caller has checked that it continues the indexed chain. */
export async function writeFound(trx: IndexTrx, chain: IndexedChain, found: Found): Promise<void> {
	const { id } = chain;
	await insertRows(
		trx,
		'ix_blocks',
		['chain', 'height', 'hash', 'time', 'size', 'txs'],
		found.blocks.map(({ height, hash, time, size, txs }) => [
			id,
			height,
			hexToBytes(hash),
			time,
			size,
			txs
		])
	);
	await insertRows(
		trx,
		'ix_txs',
		['chain', 'seq', 'txid', 'kind', 'size', 'inputs', 'outputs', 'value', 'fee'],
		found.transactions.map((tx) => [
			id,
			tx.seq,
			hexToBytes(tx.txid),
			tx.kind,
			tx.size,
			tx.inputs,
			tx.outputs,
			tx.value,
			tx.fee
		])
	);
	await writeOutputs(trx, id, found);
	await insertRows(
		trx,
		'ix_address_txs',
		['chain', 'address', 'seq', 'received', 'sent'],
		found.addressTxs.map(({ address, seq, received, sent }) => [id, address, seq, received, sent])
	);
	await addToAddresses(trx, id, sumAddresses(found.addressTxs), 1n);
	await insertRows(
		trx,
		'ix_tokens',
		['chain', ...TOKEN_COLUMNS],
		found.tokens.map((token) => [
			id,
			token.seq,
			hexToBytes(token.tokenid),
			token.name,
			token.nameKey,
			token.description,
			token.owner,
			token.supply,
			token.data?.[0] ?? null,
			token.data === null ? null : Buffer.from(token.data).toString('hex'),
			token.originChain,
			optional(token.originTokenid),
			token.createdAt,
			0,
			0,
			0
		])
	);
	const named = found.tokens.map(({ seq, name }) => ({ chain: id, seq, name }));
	await insertNames(trx, named);
	await insertLooks(trx, named);
	await insertRows(
		trx,
		'ix_token_moves',
		['chain', 'token', 'seq', 'n', 'kind', 'from_holder', 'to_holder', 'units'],
		found.moves.map(({ token, seq, n, kind, from, to, units }) => [
			id,
			token,
			seq,
			n,
			kind,
			from,
			to,
			units
		])
	);
	await countTokens(trx, id, found.tokens.length);
	await addMovesToTotals(trx, id, found.moves, 1n);
	await writeNotarizations(trx, id, found);
	await writeTransfers(trx, chain, found);
}

async function writeOutputs(trx: IndexTrx, id: bigint, found: Found): Promise<void> {
	const spentHere = new Map<string, { seq: bigint; n: number }>();
	const spentBefore: { seq: bigint; n: number; by: { seq: bigint; n: number } }[] = [];
	const first = found.outputs[0]?.seq;
	for (const { seq, n, prev } of found.inputs) {
		if (!prev) continue;
		if (first !== undefined && prev.seq >= first)
			spentHere.set(`${prev.seq}:${prev.n}`, { seq, n });
		else spentBefore.push({ ...prev, by: { seq, n } });
	}
	await insertRows(
		trx,
		'ix_outputs',
		['chain', 'seq', 'n', 'value', 'type', 'address', 'token', 'holder', 'spent_seq', 'spent_n'],
		found.outputs.map(({ seq, n, value, type, address, token, holder }) => {
			const spent = spentHere.get(`${seq}:${n}`);
			return [
				id,
				seq,
				n,
				value,
				type,
				address,
				token?.seq ?? null,
				holder,
				spent?.seq ?? null,
				spent?.n ?? null
			];
		})
	);
	// An upsert is the fastest way to update many rows by key in both databases. The other values are never
	// written, because the rows exist.
	await insertRows(
		trx,
		'ix_outputs',
		['chain', 'seq', 'n', 'value', 'type', 'spent_seq', 'spent_n'],
		spentBefore.map(({ seq, n, by }) => [id, seq, n, 0, '', by.seq, by.n]),
		'on conflict (chain, seq, n) do update set spent_seq = excluded.spent_seq, spent_n = excluded.spent_n'
	);
	await insertRows(
		trx,
		'ix_inputs',
		['chain', 'seq', 'n', 'prev_seq', 'prev_n'],
		found.inputs.map(({ seq, n, prev }) => [id, seq, n, prev?.seq ?? null, prev?.n ?? null])
	);
}

async function writeNotarizations(trx: IndexTrx, id: bigint, found: Found): Promise<void> {
	await insertRows(
		trx,
		'ix_notarizations',
		['chain', ...NOTARIZATION_COLUMNS],
		found.notarizations.map(({ seq, txid, time, form, data, signers }) => [
			id,
			seq,
			hexToBytes(txid),
			form,
			data.symbol,
			time,
			data.height,
			hexToBytes(data.blockHash),
			optional(data.kmdTxid),
			data.mom ?? null,
			data.momDepth ?? null,
			data.ccid ?? null,
			data.momom ?? null,
			data.momomDepth ?? null,
			signersText(signers),
			signers.length
		])
	);
}

/** Numbers of notaries as stored in the table: ascending, joined by commas. */
export const signersText = (signers: readonly number[]): string =>
	[...signers].sort((a, b) => a - b).join(',');

const withoutDuplicates = (txids: readonly string[]): Uint8Array[] =>
	[...new Set(txids)].map(hexToBytes);

async function writeTransfers(trx: IndexTrx, { id, name }: IndexedChain, found: Found) {
	const burnTxids = withoutDuplicates([
		...found.burns.map(({ txid }) => txid),
		...found.imports.map(({ burnTxid }) => burnTxid)
	]);
	// A new burn can change the source of an import that is indexed already.
	const before = await importFlows(trx, burnTxids, -1n);
	await insertRows(
		trx,
		'ix_burns',
		[
			'chain',
			'seq',
			'txid',
			'time',
			'target',
			'target_ccid',
			'value',
			'tokenid',
			'units',
			'payouts_hash'
		],
		found.burns.map((burn) => [
			id,
			burn.seq,
			hexToBytes(burn.txid),
			burn.time,
			burn.target,
			burn.ccid,
			burn.value,
			optional(burn.tokenid),
			burn.units,
			burn.payoutsHash
		])
	);
	await insertRows(
		trx,
		'ix_imports',
		['chain', 'seq', 'txid', 'time', 'burn_txid', 'source', 'ccid', 'value', 'token', 'proof'],
		found.imports.map((row) => [
			id,
			row.seq,
			hexToBytes(row.txid),
			row.time,
			hexToBytes(row.burnTxid),
			row.source,
			row.ccid,
			row.value,
			row.token,
			row.proof
		])
	);
	await joinImports(trx, burnTxids);
	await addFlows(trx, [
		...found.burns
			.filter(({ tokenid }) => tokenid === null)
			.map((burn) => burnFlow(name, burn, 1n)),
		...before,
		...(await importFlows(trx, burnTxids, 1n))
	]);
}

const burnFlow = (
	source: string,
	{ target, ccid, value }: { target: string; ccid: number; value: bigint },
	sign: 1n | -1n
): FlowChange => ({
	source,
	target,
	ccid,
	burned: sign * value,
	burns: sign,
	imported: 0n,
	imports: 0n
});

/** Counts the tokens of a chain, so that no page has to count a million rows. */
async function countTokens({ trx }: IndexTrx, id: bigint, change: number): Promise<void> {
	if (change === 0) return;
	await trx
		.updateTable('ix_chains')
		.set((eb) => ({ tokens: eb('tokens', '+', BigInt(change)) }))
		.where('id', '=', id)
		.execute();
}

/** Tables whose rows belong to one transaction, found by its `seq`; beside those of `takeBackTransfers`. */
const BY_SEQ = ['ix_token_moves', 'ix_notarizations', 'ix_inputs', 'ix_outputs', 'ix_txs'] as const;

/** Removes every block above `height`, restoring the index as it was with that tip. */
export async function takeBack(
	trx: IndexTrx,
	{ id, name }: IndexedChain,
	height: number
): Promise<void> {
	const db = trx.trx;
	const cut = seqOf(height + 1, 0);
	const moves = await db
		.selectFrom('ix_token_moves')
		.selectAll()
		.where('chain', '=', id)
		.where('seq', '>=', cut)
		.execute();
	await addMovesToTotals(
		trx,
		id,
		moves.map(({ token, seq, kind, from_holder, to_holder, units }): Omit<FoundMove, 'n'> => ({
			token,
			seq,
			kind,
			from: from_holder,
			to: to_holder,
			units
		})),
		-1n
	);
	// From the new blocks, because `ix_address_txs` is keyed by address.
	const touched = await sql<{ address: string; received: bigint; sent: bigint; txs: bigint }>`
		select address, sum(received) as received, sum(sent) as sent, count(*) as txs
		from (
			select o.address, o.value as received, 0 as sent, o.seq from ix_outputs o
			where o.chain = ${id} and o.seq >= ${cut} and o.address is not null
			union all
			select p.address, 0, p.value, i.seq from ix_inputs i
			join ix_outputs p on p.chain = i.chain and p.seq = i.prev_seq and p.n = i.prev_n
			where i.chain = ${id} and i.seq >= ${cut} and p.address is not null
		) as parts group by address, seq`.execute(db);
	const changes = sumAddresses(touched.rows.map((row) => ({ ...row, txs: 1n })));
	await addToAddresses(trx, id, changes, -1n);
	// In chunks: five hundred blocks may pay a hundred thousand addresses.
	for (const part of chunks(changes)) {
		await db
			.deleteFrom('ix_address_txs')
			.where('chain', '=', id)
			.where(
				'address',
				'in',
				part.map(({ address }) => address)
			)
			.where('seq', '>=', cut)
			.execute();
	}
	await sql`update ix_outputs set spent_seq = null, spent_n = null
		where chain = ${id} and seq < ${cut} and (seq, n) in (
			select prev_seq, prev_n from ix_inputs where chain = ${id} and seq >= ${cut} and prev_seq < ${cut}
		)`.execute(db);
	await takeBackTransfers(trx, id, name, cut);
	for (const table of BY_SEQ) {
		await db.deleteFrom(table).where('chain', '=', id).where('seq', '>=', cut).execute();
	}
	const tokens = await db
		.deleteFrom('ix_tokens')
		.where('chain', '=', id)
		.where('seq', '>=', cut)
		.returning(['chain', 'seq', 'name'])
		.execute();
	await removeNames(trx, tokens);
	await removeLooks(trx, tokens);
	await countTokens(trx, id, -tokens.length);
	await db
		.deleteFrom('ix_blocks')
		.where('chain', '=', id)
		.where('height', '>', BigInt(height))
		.execute();
}

async function takeBackTransfers(trx: IndexTrx, id: bigint, name: string, cut: bigint) {
	const db = trx.trx;
	const burns = await db
		.selectFrom('ix_burns')
		.select(['txid', 'target', 'target_ccid', 'value', 'tokenid'])
		.where('chain', '=', id)
		.where('seq', '>=', cut)
		.execute();
	const imports = await db
		.selectFrom('ix_imports')
		.select('burn_txid')
		.where('chain', '=', id)
		.where('seq', '>=', cut)
		.execute();
	const burnTxids = withoutDuplicates(
		[...burns.map(({ txid }) => txid), ...imports.map(({ burn_txid }) => burn_txid)].map(bytesToHex)
	);
	if (burnTxids.length === 0) return;
	const before = await importFlows(trx, burnTxids, -1n);
	for (const table of ['ix_burns', 'ix_imports'] as const) {
		await db.deleteFrom(table).where('chain', '=', id).where('seq', '>=', cut).execute();
	}
	await joinImports(trx, burnTxids);
	await addFlows(trx, [
		...burns
			.filter(({ tokenid }) => tokenid === null)
			.map(({ target, target_ccid, value }) =>
				burnFlow(name, { target, ccid: Number(target_ccid), value }, -1n)
			),
		...before,
		...(await importFlows(trx, burnTxids, 1n))
	]);
}
