/** Transactions, field by field, and what a transaction is for. */
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
	type TxOut
} from '../transaction.ts';
import { Effort, number, type Annotator, type Note } from './node.ts';
import { inputScriptNote, outputScriptNote, plainSteps } from './script.ts';
import { coins, countOf, hex, timeText } from './words.ts';

const COINBASE_TXID = '0'.repeat(64);
/** Lock times from here on are seconds since 1970, below it block heights. */
const FIRST_LOCK_SECOND = 500_000_000;

const isCoinbaseInput = (input: TxIn | undefined): boolean =>
	input?.txid === COINBASE_TXID && input.vout === 0xffffffff;

/** One transaction; the annotator stands behind it afterwards. @throws {ChainError} `parse` */
export function annotateTransaction(into: Annotator): Transaction {
	const { bytes, offset } = into.reader;
	const tx = readTransaction(new ByteReader(bytes, offset));
	into.field(
		'version',
		(reader) => reader.u32(),
		() => ({
			value: String(tx.version),
			meaning: versionSentence(tx)
		})
	);
	if (tx.overwintered) {
		into.field(
			'version group id',
			(reader) => reader.u32(),
			(id) => ({
				value: id.toString(16).padStart(8, '0')
			})
		);
	}
	into.field('number of inputs', (reader) => reader.compactSize(), number);
	tx.vin.forEach((input, i) => annotateInput(into, tx, input, i));
	into.field('number of outputs', (reader) => reader.compactSize(), number);
	const token = tokenOf(tx);
	tx.vout.forEach((output, i) => annotateOutput(into, output, i, token));
	into.field(
		'lock time',
		(reader) => reader.u32(),
		(time) => ({
			value: String(time),
			meaning: lockSentence(time)
		})
	);
	if (tx.overwintered) {
		into.field(
			'expiry height',
			(reader) => reader.u32(),
			(height) => ({
				value: String(height),
				meaning: height === 0 ? 'Never expires.' : `Cannot be mined above block ${height}.`
			})
		);
	}
	annotateShielded(into, tx);
	return tx;
}

function versionSentence(tx: Transaction): string {
	if (!tx.overwintered) return 'The format before Overwinter; chains refuse it after Sapling.';
	return tx.version === 3 ? 'The Overwinter format.' : 'The Sapling format.';
}

function lockSentence(time: number): string {
	if (time === 0) return 'None.';
	return time < FIRST_LOCK_SECOND
		? `Not before block ${time}, unless every sequence is at its highest.`
		: `Not before ${timeText(time)}, unless every sequence is at its highest.`;
}

function annotateInput(into: Annotator, tx: Transaction, input: TxIn, index: number): void {
	if (!into.effort.spendItem()) {
		into.field(`input ${index}`, (reader) => {
			reader.take(36);
			reader.varSlice();
			reader.u32();
		});
		return;
	}
	const coinbase = isCoinbaseInput(input);
	const importing = looksLikeImport(tx);
	into.group(
		`input ${index}`,
		() => {
			into.field(
				importing ? 'burn' : 'transaction that is spent',
				(reader) => reader.take(32),
				(bytes) => ({
					value: displayHash(bytes),
					...(coinbase ? { meaning: 'None: these coins are new.' } : {})
				})
			);
			into.field(
				'output that is spent',
				(reader) => reader.u32(),
				(n) => ({
					value: String(n),
					...(n === IMPORT_INDEX ? { meaning: 'The mark of an import, no real output.' } : {})
				})
			);
			into.varSlice('script', (script, start) => {
				if (coinbase) {
					return {
						...hex(script),
						meaning: 'The miner may write here what he likes behind the height of the block.'
					};
				}
				if (importing && bytesEqual(script, IMPORT_SCRIPT_SIG)) {
					return {
						...hex(script),
						meaning: 'The import module opens this input; there is no signature.',
						children: plainSteps(script, start)
					};
				}
				return { value: bytesToHex(script), ...inputScriptNote(script, start) };
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
			value: coinbase ? 'coinbase' : importing ? 'import of a burn' : `${input.txid}:${input.vout}`
		})
	);
}

/** What a token transaction says of its outputs. */
interface TokenContext {
	payload: TokenPayload;
	/** Module of the non-fungible data, when the payload carries it. */
	nftModule: number | undefined;
	/** Sentences for the scripts that can be foretold, by their hex. */
	scripts: ReadonlyMap<string, TokenSentence>;
}

interface TokenSentence {
	sentence: string;
	/** True when the value counts tokens. */
	isUnits: boolean;
}

function tokenOf(tx: Transaction): TokenContext | null {
	const last = tx.vout.at(-1);
	const payload = last ? parseTokenPayload(last.script) : null;
	if (!payload) return null;
	const nftModule = blobOf(payload.blobs, BLOB.nonFungible)?.[0];
	return { payload, nftModule, scripts: knownScripts(payload, nftModule) };
}

function knownScripts(
	payload: TokenPayload,
	nftModule: number | undefined
): ReadonlyMap<string, TokenSentence> {
	const scripts = new Map<string, TokenSentence>();
	const add = (keys: readonly Uint8Array[], sentence: string): void => {
		if (!keys.every((key) => key.length === 33)) return;
		for (const evals of modulesOf(nftModule)) {
			scripts.set(bytesToHex(ccScript(keys, evals)), { sentence, isUnits: true });
		}
	};
	if (payload.kind === 'create') {
		add([payload.owner], 'The new tokens, for their creator.');
	} else {
		const sentence = 'Tokens for the recipient that the payload names.';
		for (const key of payload.destPubkeys) add([key], sentence);
		if (payload.destPubkeys.length === 2) add(payload.destPubkeys, sentence);
	}
	add([BURN_PUBKEY], 'Tokens that are destroyed: the burn key can never spend.');
	scripts.set(bytesToHex(tokenScript(TOKENS_GLOBAL_PUBKEY)), {
		sentence:
			payload.kind === 'create'
				? 'The marker by which the token is listed.'
				: 'An output of the global key of the token module.',
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
	if (!into.effort.spendItem()) {
		into.field(`output ${index}`, (reader) => {
			reader.i64();
			reader.varSlice();
		});
		return;
	}
	const tokens = token ? tokenSentence(output, token) : null;
	into.group(
		`output ${index}`,
		() => {
			into.field(
				'value',
				(reader) => reader.i64(),
				(value) => ({
					value: coins(value),
					...(tokens?.isUnits
						? { meaning: `${countOf(value, 'unit')} of the token: a unit is kept in one satoshi.` }
						: {})
				})
			);
			into.varSlice('script', (script, start) => {
				const note = outputScriptNote(script, start, into.effort);
				return tokens ? { ...note, meaning: tokens.sentence } : note;
			});
		},
		() => ({
			value: outputValue(output, tokens?.isUnits ?? false),
			...(tokens ? { meaning: tokens.sentence } : {})
		})
	);
}

function outputValue({ value, script }: TxOut, isUnits: boolean): string {
	const { type, address } = classify(script);
	const amount = isUnits ? countOf(value, 'unit') : coins(value);
	if (type === 'nulldata') return value === 0n ? 'data' : `data, with ${amount}`;
	return address ? `${amount} to ${address}` : amount;
}

/** What a crypto-condition output of a token transaction is. */
function tokenSentence(
	{ script }: TxOut,
	{ payload, scripts }: TokenContext
): TokenSentence | null {
	if (classify(script).type !== 'cryptocondition') return null;
	const known = scripts.get(bytesToHex(script));
	if (known) return known;
	return payload.kind === 'create'
		? { sentence: 'New tokens, for another key than the creator.', isUnits: true }
		: {
				sentence: 'Tokens for a key that the payload does not name, usually the change.',
				isUnits: true
			};
}

/**
 * Module lists under which tokens can sit. A transfer need not repeat the non-fungible data, so without
 * it every module is possible.
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
	const item = (label: string, length: number): void => {
		into.field(
			label,
			(reader) => reader.take(length),
			(bytes) => ({
				value: countOf(bytes.length, 'byte')
			})
		);
	};
	const list = (label: string, items: readonly Uint8Array[]): void => {
		into.field(`number of ${label}s`, (reader) => reader.compactSize(), number);
		items.forEach((bytes, i) => item(`${label} ${i}`, bytes.length));
	};
	if (sapling) {
		into.field(
			'value balance',
			(reader) => reader.i64(),
			(value) => ({
				value: coins(value),
				meaning:
					value === 0n ? 'Nothing leaves the shielded pool.' : 'What leaves the shielded pool.'
			})
		);
		list('shielded spend', shielded.spends);
		list('shielded output', shielded.outputs);
	}
	if (tx.version >= 2) list('joinsplit', shielded.joinSplits);
	if (shielded.joinSplits.length > 0) {
		item('joinsplit key', shielded.joinSplitPubkey.length);
		item('joinsplit signature', shielded.joinSplitSignature.length);
	}
	if (shielded.bindingSignature.length > 0) item('binding signature', 64);
}

/** The bounds of one explanation. */
export const newEffort = (): Effort =>
	new Effort((into) => ({ value: txidOf(annotateTransaction(into)) }));

/** What a transaction is for, in one sentence. */
export function transactionNote(tx: Transaction): Note {
	return { meaning: purpose(tx) };
}

function purpose(tx: Transaction): string {
	if (isCoinbaseInput(tx.vin[0])) return 'A coinbase: the new coins and fees of a block.';
	if (looksLikeImport(tx)) return importPurpose(tx);
	const token = tokenOf(tx);
	const burn = parseBurn(tx);
	if (burn) {
		if (burn.targetCcid === SELF_IMPORT_CCID) {
			return `The object that stands for the burn in a self-import of ${coins(burn.value)}.`;
		}
		const target = `${burn.targetSymbol} (CCid ${burn.targetCcid})`;
		return token
			? `A token burn: tokens of ${burn.sourceSymbol} leave for ${target}.`
			: `A burn: ${coins(burn.value)} of ${burn.sourceSymbol} leave for ${target}; ${coins(IMPORT_FEE)} of them become the fee of the import.`;
	}
	if (token?.payload.kind === 'create') {
		return `Creates the ${token.nftModule === undefined ? '' : 'non-fungible '}token ${token.payload.name}; its tokenid is the id of this transaction.`;
	}
	if (token?.payload.kind === 'transfer')
		return `Moves units of the token ${token.payload.tokenid}.`;
	const announced = parseSelfImportSource(tx);
	if (announced !== null) return `The source of a self-import of ${coins(announced)}.`;
	const record =
		tx.vout[1] &&
		(parseNotarization(tx.vout[1].script, 'back') ?? parseNotarization(tx.vout[1].script, 'kmd'));
	if (record) {
		return `${record.kmdTxid ? 'A back-notarization' : 'A notarization'} of block ${record.height} of ${record.symbol}.`;
	}
	const paid = tx.vout.reduce((sum, { value }) => sum + value, 0n);
	return `A payment of ${countOf(tx.vin.length, 'input')} to ${countOf(tx.vout.length, 'output')}, ${coins(paid)} together.`;
}

function importPurpose(tx: Transaction): string {
	const parts = parseImport(tx);
	const burn = parts && parseBurn(parts.burnTx);
	if (!parts || !burn) return 'Looks like an import, but does not hold a burn that can be read.';
	const paid = parts.payouts.reduce((sum, { value }) => sum + value, 0n);
	const matching = bytesEqual(payoutsHash(parts.payouts), burn.payoutsHash)
		? ''
		: ' Its payouts are not the ones that the burn names: no chain accepts it.';
	if (burn.targetCcid === SELF_IMPORT_CCID) return `A self-import of ${coins(paid)}.${matching}`;
	const proof =
		parts.proof.kind === 'approvals'
			? `with ${countOf(parts.proof.txids.length, 'approval')} by notaries`
			: 'with a proof through notarizations';
	const what = burn.tokenCreationTx ? 'tokens' : coins(paid);
	return `An import: ${what} from ${burn.sourceSymbol} arrive on ${burn.targetSymbol}, ${proof}.${matching}`;
}
