/**
 * Converts blocks to rows of the index. Pure: everything needed from earlier blocks is passed in, and the blocks of
 * a batch see each other's outputs.
 */
import { parseApproval } from '#lib/chain/approval.ts';
import { parseBurn, SELF_IMPORT_CCID, type Burn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { classify } from '#lib/chain/classified.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { looksLikeImport, parseImport } from '#lib/chain/importProof.ts';
import { parseNotarization, type Notarization } from '#lib/chain/notarization.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import { BLOB, blobOf } from '#lib/chain/token.ts';
import {
	isMarker,
	tokenEffectOf,
	tokenPayloadOf,
	type SpentOutput,
	type TokenEffect,
	type TokenLookup
} from '#lib/chain/tokenEffect.ts';
import {
	isCoinbase,
	isShielded,
	shieldedBalance,
	type Transaction
} from '#lib/chain/transaction.ts';
import { nameKeyOf } from './fold.ts';
import type { DecodedBlock, DecodedTransaction } from './decode.ts';
import { seqOf, type IndexTokenMovesTable, type TxKind } from './tables.ts';

/**
 * Number of the rules by which blocks are read. Increase it when blocks that are indexed already would give other rows:
 * a chain that was read by other rules is read again from its start.
 */
export const RULES = 2;

/** An output that later inputs may spend. */
export interface KnownOutput {
	seq: bigint;
	n: number;
	value: bigint;
	type: SpentOutput['type'];
	address: string | null;
	/** The token whose units it holds; null for coins. */
	token: KnownToken | null;
	holder: string | null;
}

export interface KnownToken {
	tokenid: string;
	seq: bigint;
	/** Non-fungible data, evaluation code first; null for a fungible token. */
	data: Uint8Array | null;
}

/** What the blocks may refer to in earlier blocks; the batch adds its own outputs and tokens. */
interface Known {
	/** By `txid:n`. */
	outputs: Map<string, KnownOutput>;
	/** By tokenid. */
	tokens: Map<string, KnownToken>;
	/** Numbers of the signing notaries, by txid of the notarizations that count. */
	notarized: ReadonlyMap<string, readonly number[]>;
}

export interface FoundOutput extends KnownOutput {
	txid: string;
}

export interface FoundInput {
	seq: bigint;
	n: number;
	/** The output that is spent; null when it is not indexed. */
	prev: { seq: bigint; txid: string; n: number } | null;
}

export interface FoundMove {
	token: bigint;
	seq: bigint;
	n: number;
	kind: IndexTokenMovesTable['kind'];
	from: string | null;
	to: string | null;
	units: bigint;
}

export interface FoundToken extends KnownToken {
	name: string;
	/** See {@link nameKeyOf}. */
	nameKey: string;
	description: string;
	owner: string;
	supply: bigint;
	originChain: string | null;
	originTokenid: string | null;
	createdAt: number;
}

export interface FoundTransaction {
	seq: bigint;
	txid: string;
	kind: TxKind;
	size: number;
	inputs: number;
	outputs: number;
	value: bigint;
	fee: bigint | null;
}

export interface FoundNotarization {
	seq: bigint;
	txid: string;
	time: number;
	form: 'kmd' | 'back';
	data: Notarization;
	signers: readonly number[];
}

export interface FoundBurn {
	seq: bigint;
	txid: string;
	time: number;
	target: string;
	ccid: number;
	/** Satoshi; 0 for tokens. */
	value: bigint;
	tokenid: string | null;
	units: bigint;
	payoutsHash: Uint8Array;
}

export interface FoundImport {
	seq: bigint;
	txid: string;
	time: number;
	burnTxid: string;
	/** The chain that the burn names as its own; empty for a self-import, and where it names none. */
	source: string;
	/** Null for a self-import. */
	ccid: number | null;
	value: bigint;
	token: bigint | null;
	proof: 'txproof' | 'approvals' | 'merkleblock';
}

/** Rows of a batch of blocks. */
export interface Found {
	blocks: { height: number; hash: string; time: number; size: number; txs: number }[];
	transactions: FoundTransaction[];
	outputs: FoundOutput[];
	inputs: FoundInput[];
	/** One for each address and transaction. */
	addressTxs: { address: string; seq: bigint; received: bigint; sent: bigint }[];
	tokens: FoundToken[];
	moves: FoundMove[];
	notarizations: FoundNotarization[];
	burns: FoundBurn[];
	imports: FoundImport[];
}

export const nothingFound = (): Found => ({
	blocks: [],
	transactions: [],
	outputs: [],
	inputs: [],
	addressTxs: [],
	tokens: [],
	moves: [],
	notarizations: [],
	burns: [],
	imports: []
});

/** The key without an owner: sending units to it burns them. */
export const BURN_HOLDER = bytesToHex(BURN_PUBKEY);

/** PostgreSQL stores no zero byte in a text, but names of chains and tokens may contain one. */
const storable = (text: string): string => text.replaceAll('\0', '\u{FFFD}');

/** Komodo daemon 0.9.0: length of the longest chain name. */
const LONGEST_SYMBOL = 64;

/** Returns the chain name of a payload. A name that is too long for any chain is cut off. */
export function symbolOf(text: string): string {
	const name = storable(text);
	return name.length <= LONGEST_SYMBOL ? name : `${[...name].slice(0, LONGEST_SYMBOL).join('')}…`;
}

/** Komodo daemon 0.9.0: bytes of the longest key; a longer one counts as no key. */
const LONGEST_KEY = 65;

/** Returns the outputs of earlier blocks that the blocks spend: output indexes by txid. */
export function neededOutputs(blocks: readonly DecodedBlock[]): Map<string, number[]> {
	const own = new Set<string>();
	const needed = new Map<string, number[]>();
	for (const { transactions } of blocks) {
		for (const { txid, tx } of transactions) {
			own.add(txid);
			if (isCoinbase(tx) || looksLikeImport(tx)) continue;
			for (const input of tx.vin) {
				if (own.has(input.txid)) continue;
				const indexes = needed.get(input.txid);
				if (indexes) indexes.push(input.vout);
				else needed.set(input.txid, [input.vout]);
			}
		}
	}
	return needed;
}

/** Returns the tokenids that transfers in the blocks refer to. */
export function neededTokens(blocks: readonly DecodedBlock[]): Set<string> {
	const needed = new Set<string>();
	for (const { transactions } of blocks) {
		for (const { tx } of transactions) {
			const payload = tokenPayloadOf(tx);
			if (payload?.kind === 'transfer') needed.add(payload.tokenid);
		}
	}
	return needed;
}

/**
 * Returns the notarization in a transaction; null when there is none. On KMD the form with a KMD txid is used only
 * for records about KMD itself.
 */
export function notarizationOf(
	chain: string,
	tx: Transaction
): { form: 'kmd' | 'back'; data: Notarization } | null {
	const out = tx.vout[1];
	if (!out || isCoinbase(tx)) return null;
	if (chain === 'KMD') {
		const own = parseNotarization(out.script, 'back');
		if (own && (own.symbol === 'BTC' || own.symbol === 'KMD')) return { form: 'back', data: own };
	}
	const form = chain === 'KMD' ? 'kmd' : 'back';
	const data = parseNotarization(out.script, form);
	return data && { form, data };
}

/** Appends the rows of one block to `found`. */
export function extractBlock(
	chain: string,
	height: number,
	block: DecodedBlock,
	known: Known,
	found: Found
): void {
	found.blocks.push({
		height,
		hash: block.hash,
		time: block.time,
		size: block.size,
		txs: block.transactions.length
	});
	block.transactions.forEach((decoded, place) => {
		extractTransaction({
			...decoded,
			chain,
			isGenesis: height === 0,
			seq: seqOf(height, place),
			time: block.time,
			known,
			found
		});
	});
}

/** A transaction in its block, with what is known before it and what is found in the batch. */
interface Extraction extends DecodedTransaction {
	chain: string;
	/** Whether it is in the genesis block, whose outputs cannot be spent. */
	isGenesis: boolean;
	seq: bigint;
	/** Unix seconds of the block. */
	time: number;
	known: Known;
	found: Found;
}

function extractTransaction(extraction: Extraction): void {
	const { seq, txid, size, tx, known, found } = extraction;
	const coinbase = isCoinbase(tx);
	const importing = !coinbase && looksLikeImport(tx);
	const spends = coinbase || importing ? [] : tx.vin;
	const spent = spends.map(({ txid: from, vout }) => known.outputs.get(`${from}:${vout}`) ?? null);
	const complete = spent.every((output) => output !== null);
	// Outputs from before the first indexed block are unknown and count as zero.
	const spentOutputs = spent.map((output): SpentOutput =>
		output
			? { value: output.value, type: output.type, address: output.address ?? undefined }
			: { value: 0n, type: 'nonstandard' }
	);
	const lookup: TokenLookup = {
		dataOf: (id) => known.tokens.get(id)?.data,
		tokenAt: (from, vout) => known.outputs.get(`${from}:${vout}`)?.token?.tokenid
	};
	const effect = coinbase ? null : tokenEffectOf(txid, tx, spentOutputs, lookup);
	const token = effect === null ? null : tokenOf(extraction, effect);
	const inputs = coinbase ? [] : tx.vin;
	const sums: AddressSums = new Map();
	addInputs(extraction, inputs, spent, sums);
	addOutputs(extraction, effect, token, sums);
	for (const [address, sum] of sums) found.addressTxs.push({ address, seq, ...sum });

	const burn = coinbase || importing ? null : parseBurn(tx);
	if (token && effect) addMoves(extraction, spent, effect, token, burn !== null);
	const isNotarization = addNotarization(extraction);
	if (burn) addBurn(extraction, burn, token);
	if (importing) addImport(extraction, token);
	const tokens = token && effect ? effect.kind : null;
	const kind = kindOf(tx, { coinbase, importing, isBurn: burn !== null, tokens, isNotarization });
	const value = tx.vout.reduce((sum, out) => sum + out.value, 0n);
	// In an unknown format, value may also enter or leave other than by inputs and outputs.
	const hasFee = !coinbase && !importing && complete && kind !== 'other';
	found.transactions.push({
		seq,
		txid,
		kind,
		size,
		inputs: inputs.length,
		outputs: tx.vout.length,
		value,
		fee: hasFee ? feeOf(tx, spentOutputs, value) : null
	});
}

/** What a transaction pays to addresses and takes from them, satoshi, by address. */
type AddressSums = Map<string, { received: bigint; sent: bigint }>;

function sumOf(sums: AddressSums, address: string): { received: bigint; sent: bigint } {
	let entry = sums.get(address);
	if (!entry) sums.set(address, (entry = { received: 0n, sent: 0n }));
	return entry;
}

/** @param spent the outputs that the inputs spend, in their order; null for those that are not indexed */
function addInputs(
	{ seq, found }: Extraction,
	inputs: Transaction['vin'],
	spent: readonly (KnownOutput | null)[],
	sums: AddressSums
): void {
	inputs.forEach((input, n) => {
		const output = spent[n] ?? null;
		found.inputs.push({
			seq,
			n,
			prev: output && { seq: output.seq, txid: input.txid, n: output.n }
		});
		if (output?.address) sumOf(sums, output.address).sent += output.value;
	});
}

function addOutputs(
	{ isGenesis, seq, txid, tx, known, found }: Extraction,
	effect: TokenEffect | null,
	token: KnownToken | null,
	sums: AddressSums
): void {
	tx.vout.forEach((out, n) => {
		const { type, address: payee } = classify(out.script);
		// Komodo daemon 0.9.0 does not connect the transaction of the genesis block (main.cpp, `ConnectBlock`): its
		// coins are in no balance, no address index, and no set of unspent outputs.
		const address = isGenesis ? undefined : payee;
		const units = effect?.outputs.get(n);
		const output: FoundOutput = {
			txid,
			seq,
			n,
			value: out.value,
			type,
			address: address ?? null,
			token: units && token ? token : null,
			holder: units && token ? (units.holder ?? address ?? null) : null
		};
		found.outputs.push(output);
		known.outputs.set(`${txid}:${n}`, output);
		if (address !== undefined) sumOf(sums, address).received += out.value;
	});
}

/** Adds the notarization of a transaction, if it has one that counts; returns whether it does. */
function addNotarization({ chain, seq, txid, time, tx, known, found }: Extraction): boolean {
	const notarization = notarizationOf(chain, tx);
	const signers = notarization && known.notarized.get(txid);
	if (!notarization || !signers) return false;
	const { form, data } = notarization;
	found.notarizations.push({
		seq,
		txid,
		time,
		form,
		data: { ...data, symbol: storable(data.symbol) },
		signers
	});
	return true;
}

/** Adds a burn, after the moves of its token. */
function addBurn(
	{ seq, txid, time, found }: Extraction,
	burn: Burn,
	token: KnownToken | null
): void {
	const tokenid = burn.tokenCreationTx === undefined ? null : (token?.tokenid ?? null);
	const burnt = found.moves.filter((move) => move.seq === seq && move.kind === 'export');
	found.burns.push({
		seq,
		txid,
		time,
		target: symbolOf(burn.targetSymbol),
		ccid: burn.targetCcid,
		value: tokenid === null ? burn.value : 0n,
		tokenid,
		units: burnt.reduce((sum, { units }) => sum + units, 0n),
		payoutsHash: burn.payoutsHash
	});
}

/** Fee in satoshi; null when interest was claimed, because the bytes do not contain its amount. */
function feeOf(
	tx: Transaction,
	spentOutputs: readonly SpentOutput[],
	value: bigint
): bigint | null {
	const spent = spentOutputs.reduce((sum, output) => sum + output.value, shieldedBalance(tx));
	const fee = spent - value;
	return fee < 0n ? null : fee;
}

/** What was found out about a transaction, from which its kind follows. */
interface Findings {
	coinbase: boolean;
	importing: boolean;
	isBurn: boolean;
	/** What it does with the units of a token; null when it does nothing. */
	tokens: TokenEffect['kind'] | null;
	isNotarization: boolean;
}

function kindOf(tx: Transaction, is: Findings): TxKind {
	if (is.coinbase) return 'coinbase';
	if (tx.overwintered && tx.versionGroupId === 0) return 'other';
	if (is.importing) return is.tokens ? 'token-import' : 'import';
	if (is.isBurn) return is.tokens ? 'token-burn' : 'burn';
	if (is.tokens) return is.tokens === 'create' ? 'token-create' : 'token-transfer';
	if (is.isNotarization) return 'notarization';
	if (parseSelfImportSource(tx) !== null) return 'self-import-source';
	if (parseApproval(tx) !== null) return 'notary-approval';
	return isShielded(tx) ? 'shielded' : 'transfer';
}

/** Returns the token of an effect and records a new one; null when the daemon's token list would not show it. */
function tokenOf(
	{ seq, time, tx, known, found }: Extraction,
	effect: TokenEffect
): KnownToken | null {
	if (effect.kind === 'transfer') return known.tokens.get(effect.tokenid) ?? null;
	const payload = tokenPayloadOf(tx);
	if (payload?.kind !== 'create' || !tx.vout.some(({ script }) => isMarker(script))) return null;
	const origin = looksLikeImport(tx) ? parseImport(tx) : null;
	const burn = origin && parseBurn(origin.burnTx);
	const burnt = origin && tokenPayloadOf(origin.burnTx);
	const token: FoundToken = {
		tokenid: effect.tokenid,
		seq,
		data: blobOf(payload.blobs, BLOB.nonFungible) ?? null,
		name: storable(payload.name),
		nameKey: nameKeyOf(payload.name),
		description: storable(payload.description),
		owner: payload.owner.length > LONGEST_KEY ? '' : bytesToHex(payload.owner),
		supply: effect.supply,
		originChain: burn ? symbolOf(burn.sourceSymbol) : null,
		originTokenid: burnt?.kind === 'transfer' ? burnt.tokenid : null,
		createdAt: time
	};
	known.tokens.set(token.tokenid, token);
	found.tokens.push(token);
	return token;
}

/**
 * Adds moves from holders with a loss to holders with a gain, which add up to each balance change.
 * @param exported whether burned units move to another chain
 */
function addMoves(
	{ seq, txid, known, found }: Extraction,
	spent: readonly (KnownOutput | null)[],
	effect: TokenEffect,
	token: KnownToken,
	exported: boolean
): void {
	const gains = new Map<string, bigint>();
	const add = (holder: string | null, units: bigint): void => {
		if (holder !== null) gains.set(holder, (gains.get(holder) ?? 0n) + units);
	};
	for (const [n, { units }] of effect.outputs) {
		add(known.outputs.get(`${txid}:${n}`)?.holder ?? null, units);
	}
	for (const output of spent) {
		if (output?.token?.tokenid === token.tokenid) add(output.holder, -output.value);
	}
	const base = { token: token.seq, seq };
	let n = 0;
	const kindFor = (to: string): FoundMove['kind'] =>
		to !== BURN_HOLDER ? 'transfer' : exported ? 'export' : 'burn';
	if (effect.kind === 'create') {
		for (const [to, units] of gains) {
			found.moves.push({ ...base, n: n++, kind: 'create', from: null, to, units });
		}
		return;
	}
	const givers = [...gains].filter(([, units]) => units < 0n);
	const takers = [...gains].filter(([, units]) => units > 0n);
	if (givers.length === 0) {
		// The units returned to their holder: the transfer happened, but no balance changes.
		for (const [to] of gains) {
			found.moves.push({ ...base, n: n++, kind: 'transfer', from: to, to, units: 0n });
		}
		return;
	}
	// Units that became invalid are burned; no other holder gains them.
	for (const giver of givers) {
		let left = -giver[1];
		for (const taker of takers) {
			if (left === 0n) break;
			const units = left < taker[1] ? left : taker[1];
			if (units === 0n) continue;
			const [to] = taker;
			found.moves.push({ ...base, n: n++, kind: kindFor(to), from: giver[0], to, units });
			taker[1] -= units;
			left -= units;
		}
		if (left > 0n) {
			found.moves.push({ ...base, n: n++, kind: 'burn', from: giver[0], to: null, units: left });
		}
	}
}

function addImport({ seq, time, txid, tx, found }: Extraction, token: KnownToken | null): void {
	const parts = parseImport(tx);
	if (!parts) return;
	const burn = parseBurn(parts.burnTx);
	const origin = burn?.targetCcid === SELF_IMPORT_CCID ? null : burn;
	found.imports.push({
		seq,
		txid,
		time,
		burnTxid: tx.vin[0]!.txid,
		source: symbolOf(origin?.sourceSymbol ?? ''),
		ccid: origin?.targetCcid ?? null,
		value: token ? 0n : (burn?.value ?? 0n),
		token: token?.seq ?? null,
		proof: parts.proof.kind
	});
}
