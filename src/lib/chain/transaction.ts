/**
 * Transactions of Komodo chains: version 1 (and 2, with joinsplits), version 3 (Overwinter) and version 4
 * (Sapling). Serializing a parsed transaction gives back the same bytes.
 */
import { ByteReader, ByteWriter, displayHash, hexToBytes, internalHash, NO_HASH } from './bytes.ts';
import type { Satoshi } from './amount.ts';
import { ChainError, readOrNull } from './chainError.ts';
import { hash256 } from './hash.ts';

export const OVERWINTER_GROUP_ID = 0x03c48270;
export const SAPLING_GROUP_ID = 0x892f2085;

const JOINSPLIT_PHGR13_BYTES = 1802;
const JOINSPLIT_GROTH16_BYTES = 1698;
const SHIELDED_SPEND_BYTES = 384;
const SHIELDED_OUTPUT_BYTES = 948;

export interface TxIn {
	/** Txid of the spent output: lower-case hex in display order. */
	txid: string;
	vout: number;
	scriptSig: Uint8Array;
	sequence: number;
}

export interface TxOut {
	value: Satoshi;
	script: Uint8Array;
}

/** The shielded parts, each as its exact bytes. */
export interface ShieldedParts {
	/** 384 bytes each. */
	spends: readonly Uint8Array[];
	/** 948 bytes each. */
	outputs: readonly Uint8Array[];
	/** 1802 bytes each before Sapling, 1698 since. */
	joinSplits: readonly Uint8Array[];
	/** 32 bytes; only with joinsplits. */
	joinSplitPubkey: Uint8Array;
	/** 64 bytes; only with joinsplits. */
	joinSplitSignature: Uint8Array;
	/** 64 bytes; only with shielded spends or outputs. */
	bindingSignature: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** The (empty) shielded parts of a transparent transaction. */
export const NO_SHIELDED: ShieldedParts = Object.freeze({
	spends: [],
	outputs: [],
	joinSplits: [],
	joinSplitPubkey: NOTHING,
	joinSplitSignature: NOTHING,
	bindingSignature: NOTHING
});

export interface Transaction {
	overwintered: boolean;
	/** 1, 2, 3 or 4. */
	version: number;
	/** 0 when not overwintered. */
	versionGroupId: number;
	vin: TxIn[];
	vout: TxOut[];
	locktime: number;
	/** 0 when not overwintered, or when the transaction never expires. */
	expiryHeight: number;
	/** Satoshi that leave the shielded pool; version 4 only. */
	valueBalance: Satoshi;
	shielded: ShieldedParts;
}

/** Returns an unsigned input. */
export const unsignedInput = (txid: string, vout: number, sequence = 0xffffffff): TxIn => ({
	txid,
	vout,
	scriptSig: NOTHING,
	sequence
});

/** Builds a transaction without shielded parts, in the Sapling format (version 4) or as version 1. */
export const transparent = (
	parts: Pick<Transaction, 'vin' | 'vout'> & Partial<Transaction>,
	sapling = true
): Transaction => ({
	overwintered: sapling,
	version: sapling ? 4 : 1,
	versionGroupId: sapling ? SAPLING_GROUP_ID : 0,
	locktime: 0,
	expiryHeight: 0,
	valueBalance: 0n,
	shielded: NO_SHIELDED,
	...parts
});

/** The output that the input of a coinbase names, since it spends none. */
export const COINBASE_OUTPOINT = { txid: NO_HASH, vout: 0xffffffff } as const;

/** True for the input of a coinbase. */
export const isCoinbaseInput = ({ txid, vout }: Pick<TxIn, 'txid' | 'vout'>): boolean =>
	vout === COINBASE_OUTPOINT.vout && txid === COINBASE_OUTPOINT.txid;

/** True for a coinbase: the transaction of a block that creates coins. */
export const isCoinbase = ({ vin }: Pick<Transaction, 'vin'>): boolean =>
	vin.length === 1 && isCoinbaseInput(vin[0]!);

/** True when a transaction has shielded inputs, outputs or joinsplits. */
export function isShielded({ shielded }: Transaction): boolean {
	return shielded.spends.length + shielded.outputs.length + shielded.joinSplits.length > 0;
}

/**
 * Returns the satoshi that leave the shielded pools, less those that enter them. A joinsplit starts with the two
 * amounts `vpub_old` (enters) and `vpub_new` (leaves), 8 bytes each (Zcash protocol, section 7.2).
 */
export function shieldedBalance({ valueBalance, shielded }: Transaction): Satoshi {
	return shielded.joinSplits.reduce((sum, joinSplit) => {
		const reader = new ByteReader(joinSplit);
		const entering = reader.i64('vpub_old');
		return sum + reader.i64('vpub_new') - entering;
	}, valueBalance);
}

/**
 * Parses a complete transaction.
 * @throws {ChainError} `parse` also when bytes are left over
 */
export function parseTransaction(source: Uint8Array | string): Transaction {
	const reader = new ByteReader(typeof source === 'string' ? hexToBytes(source) : source);
	const tx = readTransaction(reader);
	reader.end('transaction');
	return tx;
}

/** Parses a complete transaction; null when the bytes are in no known format. */
export function readableTransaction(source: Uint8Array | string): Transaction | null {
	return readOrNull(() => parseTransaction(source));
}

interface Format {
	overwintered: boolean;
	version: number;
	versionGroupId: number;
}

function readFormat(reader: ByteReader): Format {
	const start = reader.offset;
	const header = reader.u32('transaction version');
	const overwintered = header >= 0x80000000;
	const version = overwintered ? header - 0x80000000 : header;
	let versionGroupId = 0;
	if (overwintered) {
		const at = reader.offset;
		versionGroupId = reader.u32('version group id');
		const known =
			(version === 3 && versionGroupId === OVERWINTER_GROUP_ID) ||
			(version === 4 && versionGroupId === SAPLING_GROUP_ID);
		if (!known) {
			throw new ChainError('parse.version-group', {
				what: 'version group id',
				offset: at,
				version,
				group: versionGroupId.toString(16).padStart(8, '0')
			});
		}
	} else if (version < 1) {
		throw new ChainError('parse.version', {
			what: 'transaction version',
			offset: start,
			version
		});
	}
	return { overwintered, version, versionGroupId };
}

/** Reads one transaction and advances the reader past it. @throws {ChainError} `parse` */
export function readTransaction(reader: ByteReader): Transaction {
	const { overwintered, version, versionGroupId } = readFormat(reader);
	const vin = readInputs(reader);
	const vout = readOutputs(reader);
	const locktime = reader.u32('lock time');
	const expiryHeight = overwintered ? reader.u32('expiry height') : 0;
	const sapling = overwintered && version === 4;
	const valueBalance = sapling ? reader.i64('value balance') : 0n;
	const shielded = readShielded(reader, version, sapling);
	return {
		overwintered,
		version,
		versionGroupId,
		vin,
		vout,
		locktime,
		expiryHeight,
		valueBalance,
		shielded
	};
}

/** Advances the reader past one transaction without keeping its data. @throws {ChainError} `parse` */
export function skipTransaction(reader: ByteReader): void {
	const { overwintered, version } = readFormat(reader);
	for (let left = reader.count(41, 'number of inputs'); left > 0; left--) {
		reader.skip(36, 'spent output');
		reader.skip(reader.compactSize('script length'), 'script');
		reader.skip(4, 'sequence');
	}
	for (let left = reader.count(9, 'number of outputs'); left > 0; left--) {
		reader.skip(8, 'value');
		reader.skip(reader.compactSize('script length'), 'script');
	}
	reader.skip(overwintered ? 8 : 4, 'lock time');
	const sapling = overwintered && version === 4;
	if (sapling) reader.skip(8, 'value balance');
	if (version >= 2) readShielded(reader, version, sapling);
}

/** Caches the field names used in parse errors: inputs and outputs are read millions of times. */
function named<Parts>(name: (at: number) => Parts): (at: number) => Parts {
	const known = Array.from({ length: 64 }, (_, at) => name(at));
	return (at) => known[at] ?? name(at);
}
const inputParts = named((at) => ({
	txid: `transaction id of input ${at}`,
	vout: `output index of input ${at}`,
	script: `script of input ${at}`,
	sequence: `sequence of input ${at}`
}));
const outputParts = named((at) => ({
	value: `value of output ${at}`,
	script: `script of output ${at}`
}));

function readInputs(reader: ByteReader): TxIn[] {
	const count = reader.count(41, 'number of inputs');
	const inputs: TxIn[] = [];
	for (let at = 0; at < count; at++) {
		const parts = inputParts(at);
		inputs.push({
			txid: reader.hash(parts.txid),
			vout: reader.u32(parts.vout),
			scriptSig: reader.varSlice(parts.script),
			sequence: reader.u32(parts.sequence)
		});
	}
	return inputs;
}

/** Reads a count and as many outputs, as in a transaction or in serialized payouts. */
export function readOutputs(reader: ByteReader): TxOut[] {
	const count = reader.count(9, 'number of outputs');
	const outputs: TxOut[] = [];
	for (let at = 0; at < count; at++) {
		const parts = outputParts(at);
		outputs.push({ value: reader.i64(parts.value), script: reader.varSlice(parts.script) });
	}
	return outputs;
}

function readItems(reader: ByteReader, bytes: number, what: string): Uint8Array[] {
	const count = reader.count(bytes, `number of ${what}s`);
	return Array.from({ length: count }, () => reader.take(bytes, what));
}

function readShielded(reader: ByteReader, version: number, sapling: boolean): ShieldedParts {
	if (version < 2) return NO_SHIELDED;
	const spends = sapling ? readItems(reader, SHIELDED_SPEND_BYTES, 'shielded spend') : [];
	const outputs = sapling ? readItems(reader, SHIELDED_OUTPUT_BYTES, 'shielded output') : [];
	const joinSplits = readItems(
		reader,
		sapling ? JOINSPLIT_GROTH16_BYTES : JOINSPLIT_PHGR13_BYTES,
		'joinsplit'
	);
	const hasJoinSplits = joinSplits.length > 0;
	const joinSplitPubkey = hasJoinSplits ? reader.take(32, 'joinsplit key') : NOTHING;
	const joinSplitSignature = hasJoinSplits ? reader.take(64, 'joinsplit signature') : NOTHING;
	const bindingSignature =
		spends.length + outputs.length > 0 ? reader.take(64, 'binding signature') : NOTHING;
	if (spends.length + outputs.length + joinSplits.length === 0) return NO_SHIELDED;
	return { spends, outputs, joinSplits, joinSplitPubkey, joinSplitSignature, bindingSignature };
}

/** Serializes a transaction. */
export function serializeTransaction(tx: Transaction): Uint8Array {
	const writer = new ByteWriter();
	writer.u32(tx.overwintered ? tx.version + 0x80000000 : tx.version);
	if (tx.overwintered) writer.u32(tx.versionGroupId);
	writer.compactSize(tx.vin.length);
	for (const input of tx.vin) {
		writer.bytes(internalHash(input.txid)).u32(input.vout);
		writer.varSlice(input.scriptSig).u32(input.sequence);
	}
	writeOutputs(writer, tx.vout);
	writer.u32(tx.locktime);
	if (tx.overwintered) writer.u32(tx.expiryHeight);
	const sapling = tx.overwintered && tx.version === 4;
	if (sapling) writer.i64(tx.valueBalance);
	if (tx.version >= 2) writeShielded(writer, tx.shielded, sapling);
	return writer.finish();
}

/** Writes the number of outputs and the outputs. */
export function writeOutputs(writer: ByteWriter, outputs: readonly TxOut[]): void {
	writer.compactSize(outputs.length);
	for (const { value, script } of outputs) writer.i64(value).varSlice(script);
}

function writeShielded(writer: ByteWriter, parts: ShieldedParts, sapling: boolean): void {
	const items = (list: readonly Uint8Array[]): void => {
		writer.compactSize(list.length);
		for (const item of list) writer.bytes(item);
	};
	if (sapling) {
		items(parts.spends);
		items(parts.outputs);
	}
	items(parts.joinSplits);
	writer.bytes(parts.joinSplitPubkey).bytes(parts.joinSplitSignature);
	writer.bytes(parts.bindingSignature);
}

/** Returns the txid: lower-case hex in display order. */
export function txidOf(tx: Transaction): string {
	return displayHash(hash256(serializeTransaction(tx)));
}
