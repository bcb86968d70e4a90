/**
 * Generates chains of any length in the index, with the indexer's own writer and identical each time: ALPHA
 * with a token in each block, transfers, burns and notarizations; BETA, which has the imports of the burns; KMD
 * with the notarizations of both.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { encodeAddress } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { ScriptType } from '#lib/chain/script.ts';
import { ensureChain, type ChainPosition } from '#lib/server/chains/indexer/chains.ts';
import {
	nothingFound,
	type Found,
	type FoundMove,
	type FoundOutput,
	type KnownToken
} from '#lib/server/chains/indexer/found.ts';
import type { Index } from '#lib/server/chains/indexer/open.ts';
import { writeFound } from '#lib/server/chains/indexer/store.ts';
import { seqOf, type TxKind } from '#lib/server/chains/indexer/tables.ts';
import { foldName } from '#lib/server/chains/indexer/fold.ts';

export interface Generated {
	chain: string;
	height: number;
	tip: string;
	/** The token in the middle of the chain, and a token with very many holders and transfers. */
	tokenid: string;
	busyToken: string;
	/** The address of the only miner, and a key that created tokens. */
	miner: string;
	owner: string;
	/** Position of the middle block. */
	middle: bigint;
	/** A transaction in the middle of the chain. */
	txid: string;
}

const BATCH = 2_000;
const START = 1_600_000_000;
const BLOCK_SECONDS = 60;
const WORDS = ['harbour', 'silver', 'north', 'ticket', 'deed', 'solar', 'market', 'copper'];
const KEYS = 50_000;
const REWARD = 300_000_000n;
const FEE = 10_000n;
/** Frequency of events, in blocks. */
const EVERY = {
	transfer: 2,
	busy: 10,
	notarization: 10,
	nft: 20,
	burn: 25,
	foreign: 50,
	export: 100
};
const BUSY = 11;
const BUSY_SUPPLY = 1_000_000_000n;
const SIGNERS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 60, 63];
/** Of the burns that are old enough, one in a hundred was never imported. */
const FORGOTTEN = 100;

const idOf = (what: string, at: number): string =>
	createHash('sha256').update(`${what} ${at}`).digest('hex');

/** Caches a computed value for each number below `size`. */
function table<T>(size: number, make: (at: number) => T): (at: number) => T {
	const made: T[] = [];
	return (at) => (made[at % size] ??= make(at % size));
}
const keyOf = table(KEYS, (at) => `02${idOf('key', at)}`);
const addressOf = table(2 * KEYS, (at) =>
	encodeAddress(Buffer.from(idOf('address', at).slice(0, 40), 'hex'))
);
const MINER = encodeAddress(Buffer.from(idOf('miner', 0).slice(0, 40), 'hex'));
const BURN_HOLDER = bytesToHex(BURN_PUBKEY);

const tokenPlace = (height: number): bigint => seqOf(height, 1);
const supplyOf = (token: number): bigint =>
	token === BUSY ? BUSY_SUPPLY : BigInt(10 + (token % 1_000_000));
const dataOf = (token: number): Uint8Array | null =>
	token % EVERY.nft === 0 ? Uint8Array.of(0xf1, 1, 2) : null;
const tokenOf = (token: number): KnownToken => ({
	tokenid: idOf('token', token),
	seq: tokenPlace(token),
	data: dataOf(token)
});

interface Spend {
	seq: bigint;
	txid: string;
	n: number;
	value: bigint;
	address: string;
}

interface Payment {
	value: bigint;
	type: ScriptType;
	address: string | null;
	token?: KnownToken;
	holder?: string;
}

/** Adds a transaction with its inputs, outputs and the history of its addresses. */
function addTransaction(
	found: Found,
	seq: bigint,
	txid: string,
	kind: TxKind,
	spends: readonly Spend[],
	payments: readonly Payment[]
): void {
	const value = payments.reduce((sum, payment) => sum + payment.value, 0n);
	const redeems = kind === 'coinbase' || kind.endsWith('import');
	found.transactions.push({
		seq,
		txid,
		kind,
		size: 200 + 100 * payments.length,
		inputs: kind === 'coinbase' ? 0 : Math.max(1, spends.length),
		outputs: payments.length,
		value,
		fee: redeems ? null : FEE
	});
	const touched = new Map<string, { received: bigint; sent: bigint }>();
	const touch = (address: string): { received: bigint; sent: bigint } => {
		let sums = touched.get(address);
		if (!sums) touched.set(address, (sums = { received: 0n, sent: 0n }));
		return sums;
	};
	spends.forEach((spend, n) => {
		found.inputs.push({ seq, n, prev: { seq: spend.seq, txid: spend.txid, n: spend.n } });
		touch(spend.address).sent += spend.value;
	});
	payments.forEach((payment, n) => {
		found.outputs.push({
			txid,
			seq,
			n,
			value: payment.value,
			type: payment.type,
			address: payment.address,
			token: payment.token ?? null,
			holder: payment.holder ?? null
		} satisfies FoundOutput);
		if (payment.address !== null) touch(payment.address).received += payment.value;
	});
	for (const [address, sums] of touched) found.addressTxs.push({ address, seq, ...sums });
}

const coins = (value: bigint, address: string): Payment => ({ value, type: 'pubkeyhash', address });
const units = (value: bigint, token: KnownToken, key: number): Payment => ({
	value,
	type: 'cryptocondition',
	address: addressOf(key),
	token,
	holder: keyOf(key)
});

function addHead(found: Found, chain: string, height: number, time: number, txs: number): void {
	found.blocks.push({ height, hash: idOf(`${chain} block`, height), time, size: 900, txs });
	const txid = idOf(`${chain} coinbase`, height);
	addTransaction(found, seqOf(height, 0), txid, 'coinbase', [], [coins(REWARD, MINER)]);
}

const rewardOf = (chain: string, height: number): Spend => ({
	seq: seqOf(height, 0),
	txid: idOf(`${chain} coinbase`, height),
	n: 0,
	value: REWARD,
	address: MINER
});

function addToken(
	found: Found,
	token: KnownToken,
	at: number,
	time: number,
	origin: { chain: string; tokenid: string } | null
): void {
	const name = `${WORDS[at % 8]!} ${WORDS[(at >> 3) % 8]!} ${at}`;
	found.tokens.push({
		...token,
		name,
		nameKey: foldName(name),
		description: `Token number ${at}`,
		owner: keyOf(at),
		supply: supplyOf(at),
		originChain: origin?.chain ?? null,
		originTokenid: origin?.tokenid ?? null,
		createdAt: time
	});
	found.moves.push(move(token, token.seq, 0, 'create', null, keyOf(at), supplyOf(at)));
}

const move = (
	token: KnownToken,
	seq: bigint,
	n: number,
	kind: FoundMove['kind'],
	from: string | null,
	to: string,
	moved: bigint
): FoundMove => ({ token: token.seq, seq, n, kind, from, to, units: moved });

function addNotarization(
	found: Found,
	chain: string,
	seq: bigint,
	time: number,
	form: 'kmd' | 'back',
	symbol: string,
	height: number
): void {
	const txid = idOf(`${chain} notarization`, Number(seq >> 16n));
	const script: Payment = { value: 0n, type: 'nulldata', address: null };
	addTransaction(found, seq, txid, 'notarization', [], [coins(FEE, MINER), script]);
	found.notarizations.push({
		seq,
		txid,
		time,
		form,
		data: {
			blockHash: idOf(`${symbol} block`, height),
			height,
			symbol,
			mom: Buffer.from(idOf('mom', height), 'hex'),
			momDepth: EVERY.notarization,
			ccid: 777,
			...(form === 'back' ? { kmdTxid: idOf('KMD notarization', height) } : {})
		},
		signers: SIGNERS
	});
}

type AddBlock = (found: Found, height: number) => void;

/** The blocks of ALPHA, one after the other. */
function alphaBlocks(): AddBlock {
	/** The units of the busy token that have no holder yet. */
	let rest: Spend | null = null;
	return (found, height) => {
		const time = START + height * BLOCK_SECONDS;
		const head = found.blocks.length;
		addHead(found, 'ALPHA', height, time, 1);
		if (height === 0) return;
		let place = 1;
		const next = (): bigint => seqOf(height, place++);
		const token = tokenOf(height);
		const created = next();
		const foreign = height % EVERY.foreign === 0;
		const reward = rewardOf('ALPHA', height - 1);
		addTransaction(
			found,
			created,
			token.tokenid,
			foreign ? 'token-import' : 'token-create',
			foreign ? [] : [reward],
			[units(supplyOf(height), token, height), coins(REWARD - FEE, addressOf(height + 1))]
		);
		const origin = foreign ? { chain: 'ELSEWHERE', tokenid: idOf('elsewhere', height) } : null;
		addToken(found, token, height, time, origin);
		if (foreign) {
			found.imports.push({
				seq: created,
				txid: token.tokenid,
				time,
				burnTxid: idOf('burn elsewhere', height),
				source: 'ELSEWHERE',
				ccid: 777,
				value: 0n,
				token: created,
				proof: 'approvals'
			});
		}
		if (height === BUSY) {
			const { tokenid: txid, seq } = token;
			rest = { seq, txid, n: 0, value: BUSY_SUPPLY, address: addressOf(BUSY) };
		}
		if (height > 2 * BUSY && height % EVERY.transfer === 0) {
			const busy = height % EVERY.busy === 0;
			const moved = busy ? BUSY : height - 7;
			const before: Spend =
				busy && rest
					? rest
					: {
							seq: tokenPlace(moved),
							txid: idOf('token', moved),
							n: 0,
							value: supplyOf(moved),
							address: addressOf(moved)
						};
			const [seq, txid, held] = [next(), idOf('transfer', height), tokenOf(moved)];
			const left = before.value - 1n;
			addTransaction(
				found,
				seq,
				txid,
				'token-transfer',
				[before],
				[units(left, held, moved), units(1n, held, height * 3 + 1)]
			);
			found.moves.push(move(held, seq, 0, 'transfer', keyOf(moved), keyOf(height * 3 + 1), 1n));
			if (busy) rest = { seq, txid, n: 0, value: left, address: addressOf(moved) };
		}
		if (height % EVERY.burn === 0) addBurn(found, height, next(), time);
		if (height % EVERY.notarization === 0) {
			addNotarization(found, 'ALPHA', next(), time, 'back', 'ALPHA', height - 5);
		}
		found.blocks[head]!.txs = place;
	};
}

/** A burn to BETA: of coins, and every fourth of token units. */
function addBurn(found: Found, height: number, seq: bigint, time: number): void {
	const txid = idOf('burn', height);
	const exported = height % EVERY.export === 0;
	const out: Payment = { value: 0n, type: 'nulldata', address: null };
	const base = { seq, txid, time, target: 'BETA', ccid: 777, payoutsHash: new Uint8Array(32) };
	if (!exported) {
		const payment = coins(100_000_000n, addressOf(height));
		addTransaction(found, seq, txid, 'burn', [], [{ ...out, value: 100_010_000n }, payment]);
		found.burns.push({ ...base, value: 100_010_000n, tokenid: null, units: 0n });
		return;
	}
	const burnt = tokenOf(height - 10);
	addTransaction(found, seq, txid, 'token-burn', [], [{ ...out, value: 1n }]);
	found.moves.push(move(burnt, seq, 0, 'export', keyOf(height - 10), BURN_HOLDER, 1n));
	found.burns.push({ ...base, value: 0n, tokenid: burnt.tokenid, units: 1n });
}

/** A block of BETA for each burn, with its import. */
const betaBlock: AddBlock = (found, height) => {
	const burnt = height * EVERY.burn;
	const time = START + (burnt + 10) * BLOCK_SECONDS;
	addHead(found, 'BETA', height, time, 2);
	if (height === 0 || height % FORGOTTEN === 0) return;
	const [seq, txid] = [seqOf(height, 1), idOf('import', burnt)];
	const exported = burnt % EVERY.export === 0;
	const base = { seq, txid, time, burnTxid: idOf('burn', burnt), source: 'ALPHA', ccid: 777 };
	if (!exported) {
		const paid = [coins(100_000_000n, addressOf(burnt))];
		addTransaction(found, seq, txid, 'import', [], paid);
		found.imports.push({ ...base, value: 100_010_000n, token: null, proof: 'txproof' });
		return;
	}
	const token = { tokenid: txid, seq, data: null };
	const origin = { chain: 'ALPHA', tokenid: idOf('token', burnt - 10) };
	addTransaction(found, seq, txid, 'token-import', [], [units(supplyOf(burnt), token, burnt)]);
	addToken(found, token, burnt, time, origin);
	found.imports.push({ ...base, value: 0n, token: seq, proof: 'txproof' });
};

/** A notarization in each block of KMD. */
const kmdBlock: AddBlock = (found, height) => {
	const time = START + height * EVERY.notarization * BLOCK_SECONDS;
	addHead(found, 'KMD', height, time, 2);
	const symbol = height % 2 === 0 ? 'ALPHA' : 'BETA';
	addNotarization(found, 'KMD', seqOf(height, 1), time, 'kmd', symbol, height);
};

async function write(index: Index, chain: ChainPosition, height: number, add: AddBlock) {
	for (let from = 0; from <= height; from += BATCH) {
		const found = nothingFound();
		const to = Math.min(height, from + BATCH - 1);
		for (let at = from; at <= to; at++) add(found, at);
		await index.write((trx) => writeFound(trx, chain, found));
	}
	const hash = (at: number): Buffer => Buffer.from(idOf(`${chain.name} block`, at), 'hex');
	await index
		.updateTable('ix_chains')
		.set({ height, hash: hash(height), genesis: hash(0), target_height: height, state: 'current' })
		.where('id', '=', chain.id)
		.execute();
}

/** Fills an empty index with ALPHA up to this height, and with BETA and KMD. */
export async function generate(index: Index, height: number): Promise<Generated> {
	if (index.dialect === 'sqlite') {
		// The indexer needs days for this, limited by its daemon; here only the rows matter.
		await sql`pragma cache_size = -262144`.execute(index);
		await sql`pragma synchronous = off`.execute(index);
	}
	const plan: readonly [string, number, AddBlock][] = [
		['ALPHA', height, alphaBlocks()],
		['BETA', Math.floor(height / EVERY.burn), betaBlock],
		['KMD', Math.floor(height / EVERY.notarization), kmdBlock]
	];
	for (const [name, length, add] of plan) {
		await write(index, await ensureChain(index, name, 0), length, add);
	}
	// PostgreSQL does this automatically some minutes after many rows were written.
	if (index.dialect === 'postgres') await sql`vacuum analyze`.execute(index);
	// A token with no event but its creation.
	const middle = (height >> 2) * 2 + 1;
	// Half of the keys are no points on the curve; no list notices but the filter by key.
	let owner = middle;
	while (!isValidPubkey(keyOf(owner))) owner++;
	return {
		chain: 'ALPHA',
		height,
		tip: idOf('ALPHA block', height),
		tokenid: idOf('token', middle),
		busyToken: idOf('token', BUSY),
		miner: MINER,
		owner: keyOf(owner),
		middle: seqOf(middle, 0),
		txid: idOf('ALPHA coinbase', middle)
	};
}
