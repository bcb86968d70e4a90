/** A chain of any length in the index, written by the indexer's own writer. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { encodeAddress } from '#lib/chain/address.ts';
import { ensureChain } from '#lib/server/indexer/chains.ts';
import { nothingFound, type Found, type FoundOutput } from '#lib/server/indexer/extract.ts';
import type { Index } from '#lib/server/indexer/open.ts';
import { foldName } from '#lib/server/indexer/read/fold.ts';
import { writeFound } from '#lib/server/indexer/store.ts';
import { seqOf } from '#lib/server/indexer/tables.ts';

export interface Generated {
	chain: string;
	height: number;
	tip: string;
	/** The token in the middle, and the address of the one miner. */
	tokenid: string;
	miner: string;
	/** Any transaction, in the middle of the chain. */
	txid: string;
}

const BATCH = 1_000;
const START = 1_600_000_000;
const WORDS = ['harbour', 'silver', 'north', 'ticket', 'deed', 'solar', 'market', 'copper'];

const idOf = (what: string, at: number): string =>
	createHash('sha256').update(`${what} ${at}`).digest('hex');
const keyOf = (at: number): string => `02${idOf('key', at % 50_000)}`;
const addressOf = (at: number): string =>
	encodeAddress(Buffer.from(idOf('address', at % 100_000).slice(0, 40), 'hex'));
const MINER = addressOf(-1);

function output(txid: string, seq: bigint, n: number, value: bigint, address: string): FoundOutput {
	return { txid, seq, n, value, type: 'pubkeyhash', address, token: null, holder: null };
}

/** The rows of one block: a coinbase, and the creation of a token that spends an earlier coinbase. */
function addBlock(found: Found, height: number): void {
	const time = START + height * 60;
	found.blocks.push({ height, hash: idOf('block', height), time, size: 900, txs: 2 });
	const mined = idOf('coinbase', height);
	const coinbase = seqOf(height, 0);
	found.transactions.push({
		seq: coinbase,
		txid: mined,
		kind: 'coinbase',
		size: 120,
		inputs: 0,
		outputs: 1,
		value: 300_000_000n,
		fee: null
	});
	found.outputs.push(output(mined, coinbase, 0, 300_000_000n, MINER));
	found.addressTxs.push({ address: MINER, seq: coinbase, received: 300_000_000n, sent: 0n });
	if (height === 0) return;

	const seq = seqOf(height, 1);
	const tokenid = idOf('token', height);
	const owner = keyOf(height);
	const supply = BigInt(1 + (height % 1_000_000));
	const nft = height % 20 === 0;
	const token = {
		tokenid,
		seq,
		data: nft ? Uint8Array.of(0xf1, 1, 2) : null
	};
	const name = `${WORDS[height % 8]!} ${WORDS[(height >> 3) % 8]!} ${height}`;
	found.transactions.push({
		seq,
		txid: tokenid,
		kind: 'token-create',
		size: 700,
		inputs: 1,
		outputs: 3,
		value: 299_990_000n,
		fee: 10_000n
	});
	found.inputs.push({
		seq,
		n: 0,
		prev: { seq: seqOf(height - 1, 0), txid: idOf('coinbase', height - 1), n: 0 }
	});
	const address = addressOf(height);
	found.outputs.push(
		{ ...output(tokenid, seq, 0, supply, address), type: 'cryptocondition', token, holder: owner },
		output(tokenid, seq, 1, 299_990_000n - supply, addressOf(height + 1))
	);
	found.addressTxs.push(
		{ address: MINER, seq, received: 0n, sent: 300_000_000n },
		{ address, seq, received: supply, sent: 0n }
	);
	found.tokens.push({
		...token,
		name,
		nameKey: foldName(name),
		description: `Token number ${height}`,
		owner,
		supply,
		originChain: height % 50 === 0 ? 'ELSEWHERE' : null,
		originTokenid: null,
		createdAt: time
	});
	const base = { token: seq, seq };
	found.moves.push({ ...base, n: 0, kind: 'create', from: null, to: owner, units: supply });
	if (height % 10 === 0) {
		found.notarizations.push({
			seq,
			txid: tokenid,
			time,
			form: 'back',
			data: { blockHash: idOf('block', height - 5), height: height - 5, symbol: 'ALPHA' },
			signers: [1, 2, 3, 5, 8, 13, 21, 34, 55, 60, 63]
		});
	}
	if (height % 25 === 0) {
		found.burns.push({
			seq,
			txid: tokenid,
			time,
			target: 'BETA',
			ccid: 777,
			value: 100_010_000n,
			tokenid: null,
			units: 0n,
			payoutsHash: new Uint8Array(32)
		});
	}
}

/** Fills an empty index with a chain ALPHA of this height, one token a block. */
export async function generate(index: Index, height: number): Promise<Generated> {
	const chain = await ensureChain(index, 'ALPHA', 0);
	for (let from = 0; from <= height; from += BATCH) {
		const found = nothingFound();
		const to = Math.min(height, from + BATCH - 1);
		for (let at = from; at <= to; at++) addBlock(found, at);
		await index.write((trx) => writeFound(trx, chain, found));
	}
	const tip = idOf('block', height);
	await index
		.updateTable('ix_chains')
		.set({
			height,
			hash: Buffer.from(tip, 'hex'),
			genesis: Buffer.from(idOf('block', 0), 'hex'),
			target_height: height,
			state: 'current'
		})
		.execute();
	// PostgreSQL does this by itself some minutes after many rows were written.
	if (index.dialect === 'postgres') await sql`analyze`.execute(index);
	const middle = height >> 1;
	return {
		chain: 'ALPHA',
		height,
		tip,
		tokenid: idOf('token', middle),
		miner: MINER,
		txid: idOf('coinbase', middle)
	};
}
