import { sumOf, valueOf } from '#lib/chain/amount.ts';
import { parseBurn, type Burn } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	EVAL,
	nftScript,
	TOKENS_GLOBAL_PUBKEY,
	tokenScript
} from '#lib/chain/cryptocondition.ts';
import { parseFulfillment } from '#lib/chain/cryptocondition/fulfillment.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { claimedInterest, mayEarnInterest } from '#lib/chain/interest.ts';
import { isMainChain, paysInterest } from '#lib/chain/mainChain.ts';
import { parseNotarization, type Notarization } from '#lib/chain/notarization.ts';
import { classify, scriptAsm, scriptSigAsm } from '#lib/chain/script.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import { BLOB, blobOf, parseTokenPayload, type TokenPayload } from '#lib/chain/token.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import {
	isCoinbase,
	isShielded,
	serializeTransaction,
	shieldedBalance,
	txidOf
} from '#lib/chain/transaction.ts';
import type { Headline, TokenUnits } from '#lib/messages/headlines.ts';
import type { OutputKind } from '#lib/messages/outputKinds.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { BURN_HOLDER, paymentHeadline } from './headlines.ts';
import {
	approvalContent,
	burnContent,
	importContent,
	NO_CONTENT,
	notarizationContent,
	tokenContent,
	type TransactionContent
} from './transactionContent.ts';

export interface InputView {
	n: number;
	kind: 'coinbase' | 'import' | 'coins' | 'crypto-condition';
	/** The output that is spent; null for a coinbase. For an import: the burn. */
	txid: string | null;
	vout: number | null;
	/** Satoshi; null when the spent output is unknown. */
	value: bigint | null;
	address: string | null;
	asm: string;
}

export interface OutputView {
	n: number;
	value: bigint;
	kind: OutputKind;
	address: string | null;
	asm: string;
	/** The key that holds the token units of the output; null when it has none or the key is unknown. */
	holder: string | null;
	/** False for an output that only contains data. */
	spendable: boolean;
	/** The input that spends it, when known. */
	spentBy: { txid: string; n: number } | null;
}

export interface TransactionView {
	txid: string;
	kind: TransactionKind;
	headline: Headline;
	content: TransactionContent;
	version: number;
	size: number;
	locktime: number;
	expiryHeight: number;
	inputs: InputView[];
	outputs: OutputView[];
	/** Satoshi; null for coinbase and import, and while an input's value is unknown or may have earned interest. */
	fee: bigint | null;
	/** Satoshi by which outputs exceed inputs: claimed interest of KMD, less the fee; null for none. */
	claimed: bigint | null;
	shielded: boolean;
}

/** An output that a transaction spends, as far as known. */
export interface Prevout {
	value: bigint | null;
	address: string | null;
}

/** The view without members that only the bytes provide. */
export interface TransactionFacts extends Omit<
	TransactionView,
	'version' | 'locktime' | 'expiryHeight' | 'inputs' | 'outputs'
> {
	inputs: Omit<InputView, 'asm'>[];
	outputs: Omit<OutputView, 'asm'>[];
}

export interface Surroundings {
	/** The chain of the transaction. */
	chain: string;
	/** By `txid:vout`. */
	prevouts: ReadonlyMap<string, Prevout>;
	/** By output number. */
	spends: ReadonlyMap<number, { txid: string; n: number }>;
}

/**
 * Explains a transaction: its kind, each input and output, and its payload. Decoded from the bytes, independent of
 * the daemon's own decoding.
 */
export function viewTransaction(tx: Transaction, around: Surroundings): TransactionView {
	const meaning = meaningOf(tx, around.chain);
	const imports = meaning.kind === 'import' || meaning.kind === 'token-import';
	const holders = meaning.token === undefined ? new Map() : tokenHolders(tx, meaning.token);
	const inputs = tx.vin.map((input, n): InputView => {
		if (isCoinbase(tx)) {
			const asm = bytesToHex(input.scriptSig);
			return { n, kind: 'coinbase', txid: null, vout: null, value: null, address: null, asm };
		}
		const { txid, vout } = input;
		const { value = null, address = null } = around.prevouts.get(`${txid}:${vout}`) ?? {};
		const condition = parseFulfillment(input.scriptSig) !== null;
		const kind = imports ? 'import' : condition ? 'crypto-condition' : 'coins';
		return { n, kind, txid, vout, value, address, asm: scriptSigAsm(input.scriptSig) };
	});
	const outputs = tx.vout.map((output, n): OutputView => {
		const { type, address } = classify(output.script);
		return {
			n,
			value: output.value,
			...outputFacts(output, type, n === tx.vout.length - 1, meaning, holders),
			address: address ?? null,
			asm: scriptAsm(output.script),
			spendable: type !== 'nulldata',
			spentBy: around.spends.get(n) ?? null
		};
	});
	const minted = meaning.kind === 'coinbase' || imports;
	const known = inputs.every((input) => input.value !== null);
	const spent = shieldedBalance(tx) + sumOf(inputs.map(({ value }) => value ?? 0n));
	const paid = valueOf(tx.vout);
	const interest =
		paysInterest(around.chain) && inputs.some(({ value }) => mayEarnInterest(value ?? 0n, null));
	return {
		txid: txidOf(tx),
		kind: meaning.kind,
		headline: headlineOf(tx, meaning, { inputs, outputs, ticker: around.chain }),
		content: meaning.content,
		version: tx.version,
		size: serializeTransaction(tx).length,
		locktime: tx.locktime,
		expiryHeight: tx.expiryHeight,
		inputs,
		outputs,
		fee: known && !minted && !interest && paid <= spent ? spent - paid : null,
		claimed: known && !minted ? claimedInterest(around.chain, spent, paid) : null,
		shielded: isShielded(tx)
	};
}

/** Returns only the kind of a transaction, for lists. */
export function transactionKind(tx: Transaction, chain: string): TransactionKind {
	return meaningOf(tx, chain).kind;
}

interface Meaning {
	kind: TransactionKind;
	content: TransactionContent;
	/** Present when the transaction moves tokens. */
	token?: TokenPayload;
	burn?: Burn;
	notarization?: { symbol: string; height: number };
}

interface Sides {
	inputs: readonly InputView[];
	outputs: readonly OutputView[];
	ticker: string;
}

/** Returns the headline from the bytes alone, without the names and decimals of tokens. */
function headlineOf(
	tx: Transaction,
	meaning: Meaning,
	{ inputs, outputs, ticker }: Sides
): Headline {
	const { kind, token, burn, content } = meaning;
	const total = valueOf(outputs);
	const source = content.code === 'import' ? content.source : null;
	const target = content.code === 'burn' ? content.target : '';
	switch (kind) {
		case 'coinbase':
			return { code: kind, paid: { value: total, ticker } };
		case 'transfer':
			return paymentHeadline(inputs, outputs, ticker);
		case 'token-create':
			return { code: kind, name: token?.kind === 'create' ? token.name : '' };
		case 'token-transfer':
		case 'token-destroy': {
			const to = token?.kind === 'transfer' ? token.destPubkeys.map(bytesToHex) : [];
			const keys = kind === 'token-transfer' ? to : [BURN_HOLDER];
			const held = outputs.filter(({ holder }) => holder !== null && keys.includes(holder));
			const moved: TokenUnits = {
				tokenid: token?.kind === 'transfer' ? token.tokenid : null,
				name: null,
				units: held.length === 0 ? null : valueOf(held),
				decimals: 0
			};
			return kind === 'token-transfer'
				? { code: kind, token: moved, to }
				: { code: kind, token: moved };
		}
		case 'burn':
			return { code: kind, burned: { value: burn?.value ?? 0n, ticker }, target };
		case 'token-burn':
			return { code: kind, token: createdIn(burn?.tokenCreationTx), target };
		case 'import': {
			const created = { value: total, ticker };
			return content.code === 'self-import'
				? { code: 'self-import', created }
				: { code: kind, created, source };
		}
		case 'token-import':
			return { code: kind, token: createdIn(tx), source };
		case 'notarization':
			return { code: kind, symbol: '', height: 0, ...meaning.notarization };
		default:
			return { code: kind };
	}
}

/** Returns the token that a transaction creates; its units are null, since the bytes do not say how many are valid. */
function createdIn(tx: Transaction | undefined): TokenUnits {
	const token = tx === undefined ? null : payloadOf(tx);
	const isCreation = tx !== undefined && token?.kind === 'create';
	return {
		tokenid: isCreation ? txidOf(tx) : null,
		name: isCreation ? token.name : null,
		units: null,
		decimals: 0
	};
}

function meaningOf(tx: Transaction, chain: string): Meaning {
	if (isCoinbase(tx)) return { kind: 'coinbase', content: NO_CONTENT };
	return (
		importMeaning(tx) ??
		burnMeaning(tx) ??
		tokenMeaning(tx) ??
		notarizationMeaning(tx, chain) ??
		selfImportMeaning(tx) ??
		approvalMeaning(tx) ?? {
			kind: isShielded(tx) ? 'shielded' : 'transfer',
			content: NO_CONTENT
		}
	);
}

function importMeaning(tx: Transaction): Meaning | null {
	const parts = parseImport(tx);
	if (parts === null) return null;
	const burn = parseBurn(parts.burnTx);
	const token = payloadOf(tx);
	const content = importContent(parts, burn, token === null ? null : txidOf(tx));
	if (content.code === 'self-import') return { kind: 'import', content };
	return token === null ? { kind: 'import', content } : { kind: 'token-import', content, token };
}

function burnMeaning(tx: Transaction): Meaning | null {
	const burn = parseBurn(tx);
	if (burn === null) return null;
	const token = payloadOf(tx);
	const content = burnContent(burn);
	return token === null
		? { kind: 'burn', burn, content }
		: { kind: 'token-burn', burn, content, token };
}

function payloadOf(tx: Transaction): TokenPayload | null {
	const last = tx.vout.at(-1);
	return last === undefined ? null : parseTokenPayload(last.script);
}

function tokenMeaning(tx: Transaction): Meaning | null {
	const token = payloadOf(tx);
	if (token === null) return null;
	const content = tokenContent(tx, token);
	if (token.kind === 'create') return { kind: 'token-create', content, token };
	const isDestroyed = token.destPubkeys.some((key) => bytesEqual(key, BURN_PUBKEY));
	return { kind: isDestroyed ? 'token-destroy' : 'token-transfer', content, token };
}

/** The daemon looks for a notarization in output 1 only. */
function notarizationOf(tx: Transaction, chain: string): Notarization | null {
	const script = tx.vout[1]?.script;
	if (script === undefined) return null;
	return isMainChain(chain)
		? (parseNotarization(script, 'kmd') ?? parseNotarization(script, 'back'))
		: parseNotarization(script, 'back');
}

function notarizationMeaning(tx: Transaction, chain: string): Meaning | null {
	const found = notarizationOf(tx, chain);
	return (
		found && {
			kind: 'notarization',
			content: notarizationContent(found),
			notarization: { symbol: found.symbol, height: found.height }
		}
	);
}

const selfImportMeaning = (tx: Transaction): Meaning | null =>
	parseSelfImportSource(tx) === null ? null : { kind: 'self-import-source', content: NO_CONTENT };

function approvalMeaning(tx: Transaction): Meaning | null {
	const content = approvalContent(tx);
	return content && { kind: 'notary-approval', content };
}

/**
 * Returns the holders of the transaction's token outputs by their script in hex. They can be the keys that the
 * payload names or that sign an input; those of a non-fungible token also need the evaluation codes of its data
 * or of the inputs.
 */
function tokenHolders(tx: Transaction, token: TokenPayload): Map<string, Uint8Array> {
	const signed = tx.vin.flatMap(({ scriptSig }) => parseFulfillment(scriptSig) ?? []);
	const named = token.kind === 'create' ? [token.owner] : token.destPubkeys;
	const keys = new Map(
		[...named, ...signed.flatMap(({ pubkeys }) => pubkeys)].map((key) => [bytesToHex(key), key])
	);
	const code = blobOf(token.blobs, BLOB.nonFungible)?.[0];
	const codes = new Set([
		...(code === undefined ? [] : [code]),
		...signed.flatMap(({ evals }) => evals)
	]);
	codes.delete(EVAL.tokens);
	const holders = new Map<string, Uint8Array>();
	for (const key of keys.values()) {
		for (const script of [tokenScript(key), ...[...codes].map((one) => nftScript(key, one))])
			holders.set(bytesToHex(script), key);
	}
	return holders;
}

function outputFacts(
	output: TxOut,
	type: string,
	isLast: boolean,
	meaning: Meaning,
	holders: ReadonlyMap<string, Uint8Array>
): Pick<OutputView, 'kind' | 'holder'> {
	switch (type) {
		case 'nulldata':
			return {
				kind: isLast || meaning.kind === 'notarization' ? dataKind(meaning.kind) : 'data',
				holder: null
			};
		case 'cryptocondition':
			return conditionFacts(output, meaning, holders);
		default:
			return { kind: scriptKind(type), holder: null };
	}
}

/** Returns the kind of an output by the type of its script. */
export const scriptKind = (type: string): OutputKind =>
	type === 'pubkey' || type === 'pubkeyhash' || type === 'scripthash' || type === 'multisig'
		? type
		: 'unknown';

/** Returns the kind of a data output in such a transaction. */
export function dataKind(kind: TransactionKind): OutputKind {
	switch (kind) {
		case 'burn':
		case 'token-burn':
		case 'import':
		case 'token-import':
		case 'notarization':
		case 'notary-approval':
		case 'self-import-source':
			return `${kind}-data`;
		case 'token-create':
		case 'token-transfer':
		case 'token-destroy':
			return 'token-data';
		default:
			return 'data';
	}
}

function conditionFacts(
	output: TxOut,
	{ token }: Meaning,
	holders: ReadonlyMap<string, Uint8Array>
): Pick<OutputView, 'kind' | 'holder'> {
	if (token === undefined) return { kind: 'cryptocondition', holder: null };
	if (bytesEqual(output.script, tokenScript(TOKENS_GLOBAL_PUBKEY)))
		return { kind: 'token-marker', holder: null };
	const key = holders.get(bytesToHex(output.script));
	if (key !== undefined)
		return {
			kind: bytesEqual(key, BURN_PUBKEY) ? 'token-units-destroyed' : 'token-units',
			holder: bytesToHex(key)
		};
	return { kind: 'token-units', holder: null };
}
