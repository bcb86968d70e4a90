/**
 * Converts blocks to rows of the index. Pure: everything needed from earlier blocks is passed in, and the blocks of
 * a batch see each other's outputs.
 */
import { sumOf, valueOf } from '#lib/chain/amount.ts';
import { parseApproval } from '#lib/chain/approval.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/classified.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { mayEarnInterest } from '#lib/chain/interest.ts';
import { paysInterest } from '#lib/chain/mainChain.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import {
	tokenEffectOf,
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
import { isFromStart } from '#lib/text/indexed.ts';
import type { DecodedBlock } from './decode.ts';
import { addBurn, addImport, addNotarization } from './extractCrossChain.ts';
import { addMoves, tokenOf } from './extractTokens.ts';
import type { Extraction, Found, FoundOutput, Known, KnownOutput, KnownToken } from './found.ts';
import { heightOfSeq, seqOf, type TxKind } from './tables.ts';

/**
 * Number of the rules by which blocks are read. Increase it when blocks that are indexed already would give other rows:
 * a chain that was read by other rules is read again from its start.
 */
const RULES = 3;
/**
 * Added for chains that are not read from their start. By rule 2, earlier releases took a token for one without supply
 * if older coins had paid for its creation; a number of their own has only these chains read again.
 */
const PART = 1_000;

/**
 * Returns the number of the rules for a chain that is read from this height. KMD has had number 3 since the release
 * whose rules for interest concerned KMD alone.
 */
export function rulesFrom(startHeight: number): number {
	return isFromStart({ startHeight }) ? RULES : PART + RULES;
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

function extractTransaction(extraction: Extraction): void {
	const { seq, txid, size, tx, known, found } = extraction;
	const coinbase = isCoinbase(tx);
	const importing = !coinbase && looksLikeImport(tx);
	const spends = coinbase || importing ? [] : tx.vin;
	const spent = spends.map(({ txid: from, vout }) => known.outputs.get(`${from}:${vout}`) ?? null);
	const complete = spent.every((output) => output !== null);
	// Outputs from before the first indexed block are unknown.
	const spentOutputs = spent.map(
		(output): SpentOutput | null =>
			output && { value: output.value, type: output.type, address: output.address ?? undefined }
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
	if (burn) addBurn(extraction, burn);
	if (importing) addImport(extraction, token);
	const tokens = token && effect ? effect.kind : null;
	const kind = kindOf(tx, { coinbase, importing, isBurn: burn !== null, tokens, isNotarization });
	const value = valueOf(tx.vout);
	// In an unknown format, value may also enter or leave other than by inputs and outputs.
	const hasFee =
		!coinbase && !importing && complete && kind !== 'other' && !mayHaveInterest(extraction, spent);
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

function entryOf(sums: AddressSums, address: string): { received: bigint; sent: bigint } {
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
		if (output?.address) entryOf(sums, output.address).sent += output.value;
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
		if (address !== undefined) entryOf(sums, address).received += out.value;
	});
}

/** Whether interest may be among the coins that a transaction spends. Its bytes do not tell how much. */
const mayHaveInterest = ({ chain }: Extraction, spent: readonly (KnownOutput | null)[]): boolean =>
	paysInterest(chain) &&
	spent.some((output) => output && mayEarnInterest(output.value, heightOfSeq(output.seq)));

/** Fee in satoshi; null when the outputs exceed the inputs. */
function feeOf(
	tx: Transaction,
	spentOutputs: readonly (SpentOutput | null)[],
	value: bigint
): bigint | null {
	const spent = shieldedBalance(tx) + sumOf(spentOutputs.map((output) => output?.value ?? 0n));
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
