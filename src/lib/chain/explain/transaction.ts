/** Explains transactions field by field, and their purpose. */
import { valueOf } from '../amount.ts';
import { LOCKTIME_THRESHOLD } from '../interest.ts';
import { IMPORT_FEE, parseBurn, payoutsHash, SELF_IMPORT_CCID } from '../burn.ts';
import { bytesEqual, bytesToHex, ByteReader, displayHash } from '../bytes.ts';
import {
	BURN_PUBKEY,
	ccScript,
	EVAL,
	TOKENS_GLOBAL_PUBKEY,
	tokenScript
} from '../cryptocondition.ts';
import { IMPORT_INDEX, IMPORT_SCRIPT_SIG, looksLikeImport, parseImport } from '../importProof.ts';
import { parseNotarization } from '../notarization.ts';
import { classify } from '../script.ts';
import { parseSelfImportSource } from '../selfImport.ts';
import { BLOB, blobOf, parseTokenPayload, type TokenPayload } from '../token.ts';
import {
	readTransaction,
	txidOf,
	type Transaction,
	type TxIn,
	type TxOut,
	isCoinbaseInput
} from '../transaction.ts';
import type { LabelCode, ShieldedItem } from './label.ts';
import type { Meaning } from './meaning.ts';
import { COST, Effort, type Annotator, type Note } from './node.ts';
import { hex, number } from './note.ts';
import { notarizationMeaning } from './payload.ts';
import { inputScriptNote, outputScriptNote, plainSteps } from './script.ts';
import type { Held, PartValue } from './value.ts';

/** Explains one transaction and advances the reader past it. @throws {ChainError} `parse` */
export function annotateTransaction(into: Annotator): Transaction {
	const { bytes, offset } = into.reader;
	const tx = readTransaction(new ByteReader(bytes, offset));
	into.field(
		'version',
		(reader) => reader.u32(),
		() => ({
			value: String(tx.version),
			meaning: versionMeaning(tx)
		})
	);
	if (tx.overwintered) {
		into.field(
			'version-group',
			(reader) => reader.u32(),
			(id) => ({
				value: id.toString(16).padStart(8, '0')
			})
		);
	}
	into.field('input-count', (reader) => reader.compactSize(), number);
	tx.vin.forEach((input, i) => annotateInput(into, tx, input, i));
	into.field('output-count', (reader) => reader.compactSize(), number);
	const token = tokenOf(tx);
	tx.vout.forEach((output, i) => annotateOutput(into, output, i, token));
	into.field(
		'lock-time',
		(reader) => reader.u32(),
		(time) => ({
			value: String(time),
			meaning: lockMeaning(time)
		})
	);
	if (tx.overwintered) {
		into.field(
			'expiry-height',
			(reader) => reader.u32(),
			(height) => ({
				value: String(height),
				meaning: height === 0 ? { code: 'expires-never' } : { code: 'expires', height }
			})
		);
	}
	annotateShielded(into, tx);
	return tx;
}

function versionMeaning(tx: Transaction): Meaning {
	if (!tx.overwintered) return { code: 'pre-overwinter' };
	return { code: tx.version === 3 ? 'overwinter' : 'sapling' };
}

function lockMeaning(time: number): Meaning {
	if (time === 0) return { code: 'no-lock' };
	return time < LOCKTIME_THRESHOLD
		? { code: 'lock-height', height: time }
		: { code: 'lock-moment', seconds: time };
}

function annotateInput(into: Annotator, tx: Transaction, input: TxIn, index: number): void {
	if (!into.effort.spend(0)) {
		into.field({ code: 'input', index }, (reader) => {
			reader.take(36);
			reader.varSlice();
			reader.u32();
		});
		return;
	}
	const coinbase = isCoinbaseInput(input);
	const importing = looksLikeImport(tx);
	into.group(
		{ code: 'input', index },
		() => {
			into.field(
				importing ? 'burn' : 'spent-transaction',
				(reader) => reader.take(32),
				(bytes) => ({
					value: displayHash(bytes),
					...(coinbase ? { meaning: { code: 'new-coins' } as const } : {})
				})
			);
			into.field(
				'spent-output',
				(reader) => reader.u32(),
				(n) => ({
					value: String(n),
					...(n === IMPORT_INDEX ? { meaning: { code: 'import-mark' } as const } : {})
				})
			);
			into.varSlice('script', (script, start) => {
				if (coinbase) return { ...hex(script), meaning: { code: 'coinbase-script' } };
				if (importing && bytesEqual(script, IMPORT_SCRIPT_SIG)) {
					return {
						...hex(script),
						meaning: { code: 'import-script' },
						children: plainSteps(script, start, into.effort)
					};
				}
				return { value: bytesToHex(script), ...inputScriptNote(script, start, into.effort) };
			});
			into.field(
				'sequence',
				(reader) => reader.u32(),
				(sequence) => ({
					value: sequence.toString(16).padStart(8, '0')
				})
			);
		},
		() => ({
			value: coinbase
				? { code: 'coinbase' }
				: importing
					? { code: 'import' }
					: `${input.txid}:${input.vout}`
		})
	);
}

/** What the payload of a token transaction says about its outputs. */
interface TokenContext {
	payload: TokenPayload;
	/** Module named by the non-fungible data, when the payload contains such data. */
	nftModule: number | undefined;
	/** Token outputs whose scripts can be derived from the payload, by script hex; null until one is looked up. */
	scripts: ReadonlyMap<string, TokenOutput> | null;
}

interface TokenOutput {
	meaning: Meaning;
	/** True when the value counts base units of a token. */
	isUnits: boolean;
}

function tokenOf(tx: Transaction): TokenContext | null {
	const last = tx.vout.at(-1);
	const payload = last ? parseTokenPayload(last.script) : null;
	if (!payload) return null;
	const nftModule = blobOf(payload.blobs, BLOB.nonFungible)?.[0];
	return { payload, nftModule, scripts: null };
}

/** Scripts that hold burned units by {@link modulesOf}: they are the same for all tokens. */
const burnScripts = new Map<number | undefined, readonly string[]>();

function burnScriptsOf(nftModule: number | undefined): readonly string[] {
	let scripts = burnScripts.get(nftModule);
	if (!scripts) {
		scripts = modulesOf(nftModule).map((evals) => bytesToHex(ccScript([BURN_PUBKEY], evals)));
		burnScripts.set(nftModule, scripts);
	}
	return scripts;
}

/** Derives the scripts, which takes longer than parsing the transaction. */
function knownScripts(
	payload: TokenPayload,
	nftModule: number | undefined
): ReadonlyMap<string, TokenOutput> {
	const scripts = new Map<string, TokenOutput>();
	const add = (keys: readonly Uint8Array[], meaning: Meaning): void => {
		if (!keys.every((key) => key.length === 33)) return;
		for (const evals of modulesOf(nftModule)) {
			scripts.set(bytesToHex(ccScript(keys, evals)), { meaning, isUnits: true });
		}
	};
	if (payload.kind === 'create') {
		add([payload.owner], { code: 'new-tokens' });
	} else {
		const meaning: Meaning = { code: 'recipient-tokens' };
		for (const key of payload.destPubkeys) add([key], meaning);
		if (payload.destPubkeys.length === 2) add(payload.destPubkeys, meaning);
	}
	for (const script of burnScriptsOf(nftModule)) {
		scripts.set(script, { meaning: { code: 'burned-tokens' }, isUnits: true });
	}
	scripts.set(bytesToHex(tokenScript(TOKENS_GLOBAL_PUBKEY)), {
		meaning: { code: payload.kind === 'create' ? 'token-marker' : 'global-output' },
		isUnits: false
	});
	return scripts;
}

function annotateOutput(
	into: Annotator,
	output: TxOut,
	index: number,
	token: TokenContext | null
): void {
	if (!into.effort.spend(COST.output)) {
		into.field({ code: 'output', index }, (reader) => {
			reader.i64();
			reader.varSlice();
		});
		return;
	}
	const tokens = token ? tokenOutput(output, token, into.effort) : null;
	into.group(
		{ code: 'output', index },
		() => {
			into.field(
				'value',
				(reader) => reader.i64(),
				(value) => ({
					value: { code: 'coins', coins: value },
					...(tokens?.isUnits
						? { meaning: { code: 'units-in-satoshi', units: value } as const }
						: {})
				})
			);
			into.varSlice('script', (script, start) => {
				const note = outputScriptNote(script, start, into.effort);
				return tokens ? { ...note, meaning: tokens.meaning } : note;
			});
		},
		() => ({
			value: outputValue(output, tokens?.isUnits ?? false),
			...(tokens ? { meaning: tokens.meaning } : {})
		})
	);
}

function outputValue({ value, script }: TxOut, isUnits: boolean): PartValue {
	const { type, address } = classify(script);
	const held: Held = isUnits ? { units: value } : { coins: value };
	if (type === 'nulldata') return { code: 'data', held: value === 0n ? null : held };
	return { code: 'paid', held, address: address ?? null };
}

/** Explains a crypto-condition output of a token transaction; null when the budget does not allow it. */
function tokenOutput({ script }: TxOut, token: TokenContext, effort: Effort): TokenOutput | null {
	if (classify(script).type !== 'cryptocondition') return null;
	if (token.scripts === null && !effort.spend(COST.tokenScripts)) return null;
	token.scripts ??= knownScripts(token.payload, token.nftModule);
	const known = token.scripts.get(bytesToHex(script));
	if (known) return known;
	return {
		meaning: { code: token.payload.kind === 'create' ? 'new-tokens-elsewhere' : 'other-tokens' },
		isUnits: true
	};
}

/**
 * Returns the lists of eval codes that token outputs may have. A transfer need not repeat the non-fungible
 * data, so without it every module is possible.
 */
function modulesOf(nftModule: number | undefined): number[][] {
	const plain = [EVAL.tokens];
	if (nftModule === EVAL.tokens) return [plain];
	if (nftModule !== undefined) return [plain, [nftModule, EVAL.tokens]];
	return [plain, ...Object.values(EVAL).map((code) => [code, EVAL.tokens])];
}

function annotateShielded(into: Annotator, tx: Transaction): void {
	const { shielded } = tx;
	const sapling = tx.overwintered && tx.version === 4;
	const item = (code: LabelCode, length: number, index?: number): void => {
		into.field(
			{ code, ...(index === undefined ? {} : { index }) },
			(reader) => reader.take(length),
			(bytes) => ({ value: { code: 'bytes', bytes: bytes.length } })
		);
	};
	const list = (code: ShieldedItem, items: readonly Uint8Array[]): void => {
		into.field(`${code}-count`, (reader) => reader.compactSize(), number);
		items.forEach((bytes, i) => item(code, bytes.length, i));
	};
	if (sapling) {
		into.field(
			'value-balance',
			(reader) => reader.i64(),
			(value) => ({
				value: { code: 'coins', coins: value },
				meaning: { code: 'value-balance', amount: value }
			})
		);
		list('shielded-spend', shielded.spends);
		list('shielded-output', shielded.outputs);
	}
	if (tx.version >= 2) list('joinsplit', shielded.joinSplits);
	if (shielded.joinSplits.length > 0) {
		item('joinsplit-key', shielded.joinSplitPubkey.length);
		item('joinsplit-signature', shielded.joinSplitSignature.length);
	}
	if (shielded.bindingSignature.length > 0) item('binding-signature', 64);
}

/** Returns a fresh budget for one explanation. */
export const newEffort = (): Effort =>
	new Effort((into) => ({ value: txidOf(annotateTransaction(into)) }));

/** Describes the purpose of a transaction. */
export function transactionNote(tx: Transaction): Note {
	return { meaning: purpose(tx) };
}

function purpose(tx: Transaction): Meaning {
	const [first] = tx.vin;
	if (first !== undefined && isCoinbaseInput(first)) return { code: 'coinbase' };
	if (looksLikeImport(tx)) return importPurpose(tx);
	const token = tokenOf(tx);
	const burn = parseBurn(tx);
	if (burn) {
		const { value: amount, sourceSymbol: source, targetSymbol: target, targetCcid: ccid } = burn;
		if (ccid === SELF_IMPORT_CCID) return { code: 'self-import-object', amount };
		return token
			? { code: 'token-burn', source, target, ccid }
			: { code: 'burn', amount, fee: IMPORT_FEE, source, target, ccid };
	}
	if (token?.payload.kind === 'create') {
		const { name } = token.payload;
		return { code: 'token-created', name, nft: token.nftModule !== undefined };
	}
	if (token?.payload.kind === 'transfer') {
		return { code: 'moves-token', tokenid: token.payload.tokenid };
	}
	const announced = parseSelfImportSource(tx);
	if (announced !== null) return { code: 'self-import-source', amount: announced };
	const script = tx.vout[1]?.script;
	const record = script && (parseNotarization(script, 'back') ?? parseNotarization(script, 'kmd'));
	if (record) return notarizationMeaning(record, record.kmdTxid ? 'back' : 'kmd');
	const amount = valueOf(tx.vout);
	return { code: 'payment', amount, inputs: tx.vin.length, outputs: tx.vout.length };
}

function importPurpose(tx: Transaction): Meaning {
	const parts = parseImport(tx);
	const burn = parts && parseBurn(parts.burnTx);
	if (!parts || !burn) return { code: 'import-unreadable' };
	const amount = valueOf(parts.payouts);
	const matches = bytesEqual(payoutsHash(parts.payouts), burn.payoutsHash);
	if (burn.targetCcid === SELF_IMPORT_CCID) return { code: 'self-import', amount, matches };
	return {
		code: 'import',
		amount: burn.tokenCreationTx ? null : amount,
		source: burn.sourceSymbol,
		target: burn.targetSymbol,
		approvals: parts.proof.kind === 'approvals' ? parts.proof.txids.length : null,
		matches
	};
}
