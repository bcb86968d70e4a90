import { parseApproval } from '#lib/chain/approval.ts';
import { parseBurn, SELF_IMPORT_CCID, type Burn } from '#lib/chain/burn.ts';
import { bytesEqual, bytesToHex, displayHash } from '#lib/chain/bytes.ts';
import {
	BURN_PUBKEY,
	EVAL,
	nftScript,
	parseFulfillment,
	TOKENS_GLOBAL_PUBKEY,
	tokenScript
} from '#lib/chain/cryptocondition.ts';
import type { ImportProof } from '#lib/chain/importProof.ts';
import { parseImport } from '#lib/chain/importProof.ts';
import type { Notarization } from '#lib/chain/notarization.ts';
import { parseNotarization } from '#lib/chain/notarization.ts';
import { classify, scriptAsm, scriptSigAsm } from '#lib/chain/script.ts';
import { parseSelfImportSource } from '#lib/chain/selfImport.ts';
import type { TokenPayload } from '#lib/chain/token.ts';
import { BLOB, blobOf, parseTokenPayload } from '#lib/chain/token.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import { isShielded, serializeTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { Headline, TokenUnits } from '#lib/messages/headlines.ts';
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { BURN_HOLDER, paymentHeadline } from './headlines.ts';

/** A labelled value; `link` says where on this site it leads. */
export interface Detail {
	label: string;
	value: string;
	/** The value is a hash, key or address: shortened and copyable. */
	id?: boolean;
	link?: { chain: string; what: LinkTarget; ref: string };
}

/** A kind of page that a value can lead to. */
export type LinkTarget = 'tx' | 'block' | 'address' | 'token';

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
	/** The key that holds the token units of the output; null where there are none, or where it is not known. */
	holder: string | null;
	/** False for an output that only carries data. */
	spendable: boolean;
	/** The input that spends it, when known. */
	spentBy: { txid: string; n: number } | null;
}

export interface TransactionView {
	txid: string;
	kind: TransactionKind;
	headline: Headline;
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

/** The view without what only the bytes tell. */
export interface TransactionFacts extends Omit<
	TransactionView,
	'version' | 'locktime' | 'expiryHeight' | 'inputs' | 'outputs'
> {
	inputs: Omit<InputView, 'asm'>[];
	outputs: Omit<OutputView, 'asm'>[];
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
const NO_TXID = '0'.repeat(64);

/**
 * Explains a transaction: what it is, each input and output, and what its payload carries.
 * Decoded here, from the bytes; the daemon's own decoding is not used.
 */
export function viewTransaction(tx: Transaction, around: Surroundings): TransactionView {
	const meaning = meaningOf(tx, around);
	const imports = meaning.kind === 'import' || meaning.kind === 'token-import';
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
			...outputWords(output, type, n, tx, meaning),
			address: address ?? null,
			asm: scriptAsm(output.script),
			spendable: type !== 'nulldata',
			spentBy: around.spends.get(n) ?? null
		};
	});
	const minted = meaning.kind === 'coinbase' || imports;
	const known = inputs.every((input) => input.value !== null) && !isShielded(tx);
	const spent = inputs.reduce((sum, input) => sum + (input.value ?? 0n), 0n);
	const paid = tx.vout.reduce((sum, output) => sum + output.value, 0n);
	return {
		txid: txidOf(tx),
		kind: meaning.kind,
		headline: headlineOf(tx, meaning, { inputs, outputs, ticker: around.chain }),
		details: meaning.details,
		version: tx.version,
		size: serializeTransaction(tx).length,
		locktime: tx.locktime,
		expiryHeight: tx.expiryHeight,
		inputs,
		outputs,
		fee: known && !minted ? spent - paid : null,
		shielded: isShielded(tx)
	};
}

/** The kind of a transaction alone, for lists. */
export function transactionKind(tx: Transaction, chain: string): TransactionKind {
	return meaningOf(tx, { chain, chains: [] }).kind;
}

interface Meaning {
	kind: TransactionKind;
	details: Detail[];
	/** Present when the transaction moves tokens. */
	token?: TokenPayload;
	burn?: Burn;
	/** Name of the chain that an import comes from; empty where it is not named. */
	source?: string;
	notarization?: { symbol: string; height: number };
}

interface Sides {
	inputs: readonly InputView[];
	outputs: readonly OutputView[];
	ticker: string;
}

/** What the bytes alone tell: neither the name of a token that they move, nor how the team shows it. */
function headlineOf(
	tx: Transaction,
	meaning: Meaning,
	{ inputs, outputs, ticker }: Sides
): Headline {
	const { kind, token, burn } = meaning;
	const total = outputs.reduce((sum, { value }) => sum + value, 0n);
	const source = meaning.source === undefined || meaning.source === '' ? null : meaning.source;
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
				units: held.length === 0 ? null : held.reduce((sum, { value }) => sum + value, 0n),
				decimals: 0
			};
			return kind === 'token-transfer'
				? { code: kind, token: moved, to }
				: { code: kind, token: moved };
		}
		case 'burn':
			return {
				code: kind,
				burned: { value: burn?.value ?? 0n, ticker },
				target: burn?.targetSymbol ?? ''
			};
		case 'token-burn':
			return {
				code: kind,
				token: createdIn(burn?.tokenCreationTx),
				target: burn?.targetSymbol ?? ''
			};
		case 'import':
			return { code: kind, created: { value: total, ticker }, source };
		case 'token-import':
			return { code: kind, token: createdIn(tx), source };
		case 'notarization':
			return { code: kind, symbol: '', height: 0, ...meaning.notarization };
		default:
			return { code: kind };
	}
}

/** The token that a transaction creates; how much of it is meant is not in its bytes. */
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

export type Site = Pick<Surroundings, 'chain' | 'chains'>;

function isCoinbase(tx: Transaction): boolean {
	const [input] = tx.vin;
	return tx.vin.length === 1 && input?.vout === COINBASE_VOUT && input.txid === NO_TXID;
}

/** A link, where the chain is one of this site. */
export function linked(
	site: Site,
	chain: string,
	what: LinkTarget,
	ref: string
): Pick<Detail, 'link'> {
	return site.chains.includes(chain) ? { link: { chain, what, ref } } : {};
}

function meaningOf(tx: Transaction, site: Site): Meaning {
	if (isCoinbase(tx)) return { kind: 'coinbase', details: [] };
	return (
		importMeaning(tx, site) ??
		burnMeaning(tx, site) ??
		tokenMeaning(tx, site) ??
		notarizationMeaning(tx, site) ??
		selfImportMeaning(tx) ??
		approvalMeaning(tx) ?? { kind: isShielded(tx) ? 'shielded' : 'transfer', details: [] }
	);
}

function importMeaning(tx: Transaction, site: Site): Meaning | null {
	const parts = parseImport(tx);
	if (parts === null) return null;
	const burn = parseBurn(parts.burnTx);
	const token = payloadOf(tx);
	const burnTxid = txidOf(parts.burnTx);
	if (burn?.targetCcid === SELF_IMPORT_CCID)
		return {
			kind: 'import',
			details: [
				...(parts.proof.kind === 'txproof'
					? [
							{
								label: 'Source transaction',
								value: parts.proof.txid,
								id: true,
								...linked(site, site.chain, 'tx', parts.proof.txid)
							}
						]
					: [])
			]
		};
	const source = burn?.sourceSymbol ?? '';
	return {
		kind: token === null ? 'import' : 'token-import',
		source,
		details: [
			{ label: 'From chain', value: source || 'not named' },
			{ label: 'Burn', value: burnTxid, id: true, ...linked(site, source, 'tx', burnTxid) },
			...(burn === null ? [] : [{ label: 'CCid', value: String(burn.targetCcid) }]),
			{ label: 'Proof', value: proofWords(parts.proof) }
		],
		...(token === null ? {} : { token })
	};
}

/** How an import shows that its burn happened. */
function proofWords(proof: ImportProof): string {
	switch (proof.kind) {
		case 'txproof':
			return `a branch of ${proof.branch.length} hashes to a notarization`;
		case 'approvals':
			return `approvals of notaries, ${proof.txids.length} of them`;
		case 'merkleblock':
			return 'a merkle block, which no chain accepts';
	}
}

function burnMeaning(tx: Transaction, site: Site): Meaning | null {
	const burn = parseBurn(tx);
	if (burn === null) return null;
	const token = payloadOf(tx);
	return {
		kind: token === null ? 'burn' : 'token-burn',
		burn,
		details: [
			{ label: 'To chain', value: burn.targetSymbol },
			{ label: 'CCid', value: String(burn.targetCcid) },
			{ label: 'From chain', value: burn.sourceSymbol || 'not named' },
			{ label: 'Payouts hash', value: displayHash(burn.payoutsHash), id: true },
			...(burn.tokenCreationTx === undefined
				? []
				: [
						{
							label: 'Token',
							value: txidOf(burn.tokenCreationTx),
							id: true,
							...linked(site, site.chain, 'token', txidOf(burn.tokenCreationTx))
						}
					])
		],
		...(token === null ? {} : { token })
	};
}

function payloadOf(tx: Transaction): TokenPayload | null {
	const last = tx.vout.at(-1);
	return last === undefined ? null : parseTokenPayload(last.script);
}

function tokenMeaning(tx: Transaction, site: Site): Meaning | null {
	const token = payloadOf(tx);
	if (token === null) return null;
	const tokenid = token.kind === 'create' ? txidOf(tx) : token.tokenid;
	const details: Detail[] = [
		{ label: 'Token', value: tokenid, id: true, ...linked(site, site.chain, 'token', tokenid) }
	];
	if (token.kind === 'create') {
		const data = blobOf(token.blobs, BLOB.nonFungible);
		details.push(
			{ label: 'Name', value: token.name },
			{ label: 'Description', value: token.description || 'none' },
			{ label: 'Creator', value: bytesToHex(token.owner), id: true }
		);
		if (data !== undefined) details.push({ label: 'Data', value: bytesToHex(data) });
		return {
			kind: 'token-create',
			details,
			token
		};
	}
	const keys = token.destPubkeys.map(bytesToHex);
	details.push(...keys.map((key) => ({ label: 'Recipient', value: key, id: true })));
	return {
		kind: keys.includes(BURN_HOLDER) ? 'token-destroy' : 'token-transfer',
		details,
		token
	};
}

/** The daemon looks for a notarization in output 1 only. */
function notarizationOf(tx: Transaction, chain: string): Notarization | null {
	const script = tx.vout[1]?.script;
	if (script === undefined) return null;
	return chain === 'KMD'
		? (parseNotarization(script, 'kmd') ?? parseNotarization(script, 'back'))
		: parseNotarization(script, 'back');
}

function notarizationMeaning(tx: Transaction, site: Site): Meaning | null {
	const nota = notarizationOf(tx, site.chain);
	if (nota === null) return null;
	const { symbol, height, blockHash, kmdTxid, mom, momDepth, ccid, momom } = nota;
	return {
		kind: 'notarization',
		notarization: { symbol, height },
		details: [
			{ label: 'Chain', value: symbol },
			{
				label: 'Block',
				value: String(height),
				...linked(site, symbol, 'block', String(height))
			},
			{
				label: 'Block hash',
				value: blockHash,
				id: true,
				...linked(site, symbol, 'block', blockHash)
			},
			...(kmdTxid === undefined
				? []
				: [
						{
							label: 'Notarization on KMD',
							value: kmdTxid,
							id: true,
							...linked(site, 'KMD', 'tx', kmdTxid)
						}
					]),
			...(mom === undefined
				? []
				: [
						{ label: 'MoM', value: displayHash(mom), id: true },
						{ label: 'Blocks under the MoM', value: String(momDepth ?? 0) },
						{ label: 'CCid', value: String(ccid ?? 0) }
					]),
			...(momom === undefined ? [] : [{ label: 'MoMoM', value: displayHash(momom), id: true }])
		]
	};
}

const selfImportMeaning = (tx: Transaction): Meaning | null =>
	parseSelfImportSource(tx) === null ? null : { kind: 'self-import-source', details: [] };

function approvalMeaning(tx: Transaction): Meaning | null {
	const approval = parseApproval(tx);
	return (
		approval && {
			kind: 'notary-approval',
			details: approval.txids.map((txid) => ({ label: 'Burn', value: txid, id: true }))
		}
	);
}

/** Keys to which token outputs of the transaction can belong: named in the payload, or signing an input. */
function tokenKeys(tx: Transaction, token: TokenPayload): Uint8Array[] {
	const named = token.kind === 'create' ? [token.owner] : token.destPubkeys;
	const signing = tx.vin.flatMap((input) => parseFulfillment(input.scriptSig)?.pubkeys ?? []);
	const seen = new Set<string>();
	return [...named, ...signing].filter((key) => {
		const hex = bytesToHex(key);
		return seen.has(hex) ? false : Boolean(seen.add(hex));
	});
}

/** Eval codes that a non-fungible token's outputs can need beside that of tokens. */
function tokenModules(tx: Transaction, token: TokenPayload): number[] {
	const named = blobOf(token.blobs, BLOB.nonFungible)?.[0];
	const opened = tx.vin.flatMap((input) => parseFulfillment(input.scriptSig)?.evals ?? []);
	const codes = new Set(named === undefined ? opened : [named, ...opened]);
	codes.delete(EVAL.tokens);
	return [...codes];
}

function outputWords(
	output: TxOut,
	type: string,
	n: number,
	tx: Transaction,
	meaning: Meaning
): Pick<OutputView, 'kind' | 'details' | 'holder'> {
	switch (type) {
		case 'nulldata':
			return {
				kind:
					n === tx.vout.length - 1 || meaning.kind === 'notarization'
						? dataWords(meaning.kind)
						: 'data',
				details: [],
				holder: null
			};
		case 'cryptocondition':
			return conditionWords(output, tx, meaning);
		default:
			return { kind: scriptWords(type), details: [], holder: null };
	}
}

/** What an output pays to, by the type of its script. */
export function scriptWords(type: string): string {
	switch (type) {
		case 'pubkey':
			return 'P2PK';
		case 'pubkeyhash':
			return 'P2PKH';
		case 'scripthash':
			return 'P2SH';
		case 'multisig':
			return 'multisig';
		default:
			return 'unknown script';
	}
}

/** What a data output of such a transaction holds. */
export function dataWords(kind: TransactionKind): string {
	switch (kind) {
		case 'burn':
			return 'burned coins and where they go';
		case 'token-burn':
			return 'token payload and where the token goes';
		case 'import':
			return 'proof and burn transaction';
		case 'token-import':
			return 'token payload, proof and burn transaction';
		case 'token-create':
		case 'token-transfer':
		case 'token-destroy':
			return 'token payload';
		case 'notarization':
			return 'notarization';
		case 'notary-approval':
			return 'proof of the burn';
		case 'self-import-source':
			return 'amount of the self-import';
		default:
			return 'data';
	}
}

function conditionWords(
	output: TxOut,
	tx: Transaction,
	{ token }: Meaning
): Pick<OutputView, 'kind' | 'details' | 'holder'> {
	if (token === undefined) return { kind: 'crypto-condition', details: [], holder: null };
	if (bytesEqual(output.script, tokenScript(TOKENS_GLOBAL_PUBKEY)))
		return { kind: 'marker of the token', details: [], holder: null };
	const modules = tokenModules(tx, token);
	for (const key of tokenKeys(tx, token)) {
		const scripts = [tokenScript(key), ...modules.map((code) => nftScript(key, code))];
		if (scripts.some((script) => bytesEqual(script, output.script)))
			return {
				kind: bytesEqual(key, BURN_PUBKEY) ? 'token units, destroyed' : 'token units',
				details: [{ label: 'of key', value: bytesToHex(key), id: true }],
				holder: bytesToHex(key)
			};
	}
	return { kind: 'token units', details: [], holder: null };
}
