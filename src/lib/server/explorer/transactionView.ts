import { addressOfPubkey, encodeAddress } from '#lib/chain/address.ts';
import { parseBurn } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	ccAddress,
	TOKENS_GLOBAL_PUBKEY,
	tokenScript
} from '#lib/chain/cryptocondition.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import { parseNotarization } from '#lib/chain/notarization.ts';
import { classify, scriptAsm, scriptSigAsm } from '#lib/chain/script.ts';
import { parseTokenPayload } from '#lib/chain/token.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import { serializeTransaction, txidOf } from '#lib/chain/transaction.ts';

/** What a transaction is, in the words of the field. */
export type TransactionKind =
	| 'coinbase'
	| 'payment'
	| 'token creation'
	| 'token transfer'
	| 'token destruction'
	| 'burn'
	| 'token burn'
	| 'import'
	| 'token import'
	| 'notarization';

/** A labelled value; `link` says where on this site it leads. */
export interface Detail {
	label: string;
	value: string;
	/** The value is a hash, key or address: shortened and copyable. */
	id?: boolean;
	link?: { chain: string; what: 'tx' | 'block' | 'address' | 'token'; ref: string };
}

export interface InputView {
	n: number;
	kind: 'coinbase' | 'import' | 'coins' | 'crypto-condition';
	/** Output that is spent; null for a coinbase. For an import: the burn. */
	txid: string | null;
	vout: number | null;
	/** Satoshi; null when the output that is spent is not known. */
	value: bigint | null;
	address: string | null;
	asm: string;
}

export interface OutputView {
	n: number;
	value: bigint;
	/** In words: "pay to address", "token output", "data". */
	kind: string;
	address: string | null;
	asm: string;
	details: Detail[];
	/** The input that spends it, when known. */
	spentBy: { txid: string; n: number } | null;
}

export interface TransactionView {
	txid: string;
	kind: TransactionKind;
	/** What it does, as a sentence. */
	sentence: string;
	/** What its payload says. */
	details: Detail[];
	version: number;
	size: number;
	locktime: number;
	expiryHeight: number;
	inputs: InputView[];
	outputs: OutputView[];
	/** Satoshi; null while an input's value is not known, or where there is none (coinbase, import). */
	fee: bigint | null;
	shielded: boolean;
}

/** What is known of an output that a transaction spends. */
export interface Prevout {
	value: bigint | null;
	address: string | null;
}

export interface Surroundings {
	/** The chain the transaction stands on. */
	chain: string;
	/** Chains configured here: a link is only made to one of them. */
	chains: readonly string[];
	/** By `txid:vout`. */
	prevouts: ReadonlyMap<string, Prevout>;
	/** By output number. */
	spends: ReadonlyMap<number, { txid: string; n: number }>;
}

const COINBASE_VOUT = 0xffffffff;

/**
 * Explains a transaction: what it is, each input and output, and what its payload carries.
 * Decoded here, from the bytes; the daemon's own decoding is not used.
 */
export function viewTransaction(tx: Transaction, around: Surroundings): TransactionView {
	const meaning = meaningOf(tx, around);
	const inputs = tx.vin.map((input, n): InputView => {
		if (isCoinbase(tx))
			return {
				n,
				kind: 'coinbase',
				txid: null,
				vout: null,
				value: null,
				address: null,
				asm: bytesToHex(input.scriptSig)
			};
		const prevout = around.prevouts.get(`${input.txid}:${input.vout}`);
		return {
			n,
			kind:
				meaning.kind === 'import' || meaning.kind === 'token import'
					? 'import'
					: isFulfillment(input.scriptSig)
						? 'crypto-condition'
						: 'coins',
			txid: input.txid,
			vout: input.vout,
			value: prevout?.value ?? null,
			address: prevout?.address ?? null,
			asm: scriptSigAsm(input.scriptSig)
		};
	});
	const outputs = tx.vout.map((output, n): OutputView => ({
		n,
		...outputOf(output, n, tx, meaning),
		spentBy: around.spends.get(n) ?? null
	}));
	const known = inputs.every((input) => input.value !== null);
	const minted = meaning.kind === 'coinbase' || meaning.kind.endsWith('import');
	const spent = inputs.reduce((sum, input) => sum + (input.value ?? 0n), 0n);
	const paid = tx.vout.reduce((sum, output) => sum + output.value, 0n);
	return {
		txid: txidOf(tx),
		kind: meaning.kind,
		sentence: meaning.sentence,
		details: meaning.details,
		version: tx.version,
		size: serializeTransaction(tx).length,
		locktime: tx.locktime,
		expiryHeight: tx.expiryHeight,
		inputs,
		outputs,
		fee: known && !minted ? spent - paid + tx.valueBalance : null,
		shielded: tx.valueBalance !== 0n
	};
}

/** The kind of a transaction alone, for lists. */
export function transactionKind(tx: Transaction, chain: string): TransactionKind {
	return meaningOf(tx, { chain, chains: [] }).kind;
}

interface Meaning {
	kind: TransactionKind;
	sentence: string;
	details: Detail[];
	/** Keys whose token outputs can be named. */
	tokenKeys: Uint8Array[];
}

function isCoinbase(tx: Transaction): boolean {
	return (
		tx.vin.length === 1 && tx.vin[0]!.vout === COINBASE_VOUT && /^0{64}$/.test(tx.vin[0]!.txid)
	);
}

/** A crypto-condition input is one push of a fulfillment, which begins with a threshold node. */
function isFulfillment(scriptSig: Uint8Array): boolean {
	const start = scriptSig[0] === 0x4c ? 2 : scriptSig[0] === 0x4d ? 3 : 1;
	return scriptSig.length > 80 && scriptSig[start] === 0xa2;
}

function meaningOf(tx: Transaction, around: Pick<Surroundings, 'chain' | 'chains'>): Meaning {
	const link = (chain: string, what: 'tx' | 'block' | 'token', ref: string) =>
		around.chains.includes(chain) ? { link: { chain, what, ref } } : {};
	const last = tx.vout.at(-1);

	if (isCoinbase(tx))
		return {
			kind: 'coinbase',
			sentence: 'Pays the miner of the block.',
			details: [],
			tokenKeys: []
		};

	const imported = attempt(() => parseImport(tx));
	if (imported) {
		const burn = attempt(() => parseBurn(imported.burnTx));
		const burnTxid = txidOf(imported.burnTx);
		const source = burn?.sourceSymbol || null;
		const token = burn?.tokenCreationTx !== undefined;
		return {
			kind: token ? 'token import' : 'import',
			sentence:
				source === null
					? 'Brings coins onto this chain by self-import.'
					: `Brings ${token ? 'a token' : 'coins'} from ${source} that were burned there.`,
			details: [
				...(source === null ? [] : [{ label: 'From chain', value: source }]),
				{
					label: 'Burn',
					value: burnTxid,
					id: true,
					...(source === null ? {} : link(source, 'tx', burnTxid))
				},
				{ label: 'Proof', value: proofWords(imported.proof) }
			],
			tokenKeys: last ? payloadKeys(last.script) : []
		};
	}

	const burn = attempt(() => parseBurn(tx));
	if (burn) {
		const token = burn.tokenCreationTx !== undefined;
		return {
			kind: token ? 'token burn' : 'burn',
			sentence: `Burns ${token ? 'a token' : 'coins'} here, to be imported on ${burn.targetSymbol}.`,
			details: [
				{ label: 'To chain', value: burn.targetSymbol },
				{ label: 'CCid', value: String(burn.targetCcid) },
				{ label: 'Hash of the payouts', value: hexOf(burn.payoutsHash), id: true },
				{ label: 'From chain', value: burn.sourceSymbol }
			],
			tokenKeys: last ? payloadKeys(last.script) : []
		};
	}

	const payload = last ? attempt(() => parseTokenPayload(last.script)) : null;
	if (payload?.kind === 'create')
		return {
			kind: 'token creation',
			sentence: `Creates the token “${payload.name}”.`,
			details: [
				{
					label: 'Token',
					value: txidOf(tx),
					id: true,
					...link(around.chain, 'token', txidOf(tx))
				},
				{ label: 'Name', value: payload.name },
				...(payload.description === ''
					? []
					: [{ label: 'Description', value: payload.description }]),
				{ label: 'Owner', value: hexOf(payload.owner), id: true }
			],
			tokenKeys: [keyBytes(payload.owner)]
		};
	if (payload?.kind === 'transfer') {
		const destroyed = payload.destPubkeys.some((key) => hexOf(key) === hexOf(BURN_PUBKEY));
		return {
			kind: destroyed ? 'token destruction' : 'token transfer',
			sentence: destroyed
				? 'Destroys tokens: they go to a key that nobody has.'
				: 'Moves tokens to another key.',
			details: [
				{
					label: 'Token',
					value: payload.tokenid,
					id: true,
					...link(around.chain, 'token', payload.tokenid)
				},
				...payload.destPubkeys.map((key) => ({
					label: 'Recipient',
					value: hexOf(key),
					id: true
				}))
			],
			tokenKeys: payload.destPubkeys.map(keyBytes)
		};
	}

	const notarization = notarizationOf(tx, around.chain);
	if (notarization)
		return {
			kind: 'notarization',
			sentence: `Notarizes ${notarization.symbol} up to block ${notarization.height}.`,
			details: [
				{ label: 'Chain', value: notarization.symbol },
				{
					label: 'Block',
					value: String(notarization.height),
					...link(notarization.symbol, 'block', String(notarization.height))
				},
				{ label: 'Block hash', value: hexOf(notarization.blockHash), id: true },
				...(notarization.kmdTxid === undefined
					? []
					: [
							{
								label: 'Notarization on KMD',
								value: hexOf(notarization.kmdTxid),
								id: true,
								...link('KMD', 'tx', hexOf(notarization.kmdTxid))
							}
						]),
				...(notarization.mom === undefined
					? []
					: [
							{ label: 'MoM', value: hexOf(notarization.mom), id: true },
							{ label: 'Blocks in the MoM', value: String(notarization.momDepth) },
							{ label: 'CCid', value: String(notarization.ccid) }
						]),
				...(notarization.momom === undefined
					? []
					: [{ label: 'MoMoM', value: hexOf(notarization.momom), id: true }])
			],
			tokenKeys: []
		};

	return { kind: 'payment', sentence: 'Pays coins.', details: [], tokenKeys: [] };
}

/** A parser's answer, or null for bytes that are something else. */
function attempt<T>(parse: () => T): T | null {
	try {
		return parse();
	} catch {
		return null;
	}
}
