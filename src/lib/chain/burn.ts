/**
 * Burns and their payouts. A burn is the output that destroys value on the source chain and names the
 * destination chain; the payouts are the outputs that the import will create there.
 */
import { ByteReader, ByteWriter, hexToBytes } from './bytes.ts';
import type { Satoshi } from './amount.ts';
import { ChainError, readOrNull } from './chainError.ts';
import { EVAL } from './cryptocondition.ts';
import { hash256 } from './hash.ts';
import { nulldataOf, opReturn } from './script.ts';
import { BLOB, blobOf, parseTokenPayload } from './token.ts';
import {
	readOutputs,
	readTransaction,
	serializeTransaction,
	writeOutputs,
	type Transaction,
	type TxOut
} from './transaction.ts';

/** Amount that a burn adds to its payouts; it becomes the miner's fee of the import. */
export const IMPORT_FEE: Satoshi = 10_000n;
/** CCid in the object that a self-import uses instead of a burn. */
export const SELF_IMPORT_CCID = 0xffffffff;

/** @throws {ChainError} `parse` also when bytes are left over */
export function parsePayouts(source: Uint8Array | string): TxOut[] {
	const reader = new ByteReader(typeof source === 'string' ? hexToBytes(source) : source);
	const payouts = readOutputs(reader);
	reader.end('payouts');
	return payouts;
}

/** Serializes payouts as the hash in a burn is taken of them: their number, then each output. */
export function serializePayouts(payouts: readonly TxOut[]): Uint8Array {
	const writer = new ByteWriter();
	writeOutputs(writer, payouts);
	return writer.finish();
}

/** Returns the hash of serialized payouts: 32 bytes, internal order. */
export function payoutsHash(payouts: readonly TxOut[]): Uint8Array {
	return hash256(serializePayouts(payouts));
}

export interface Burn {
	targetCcid: number;
	targetSymbol: string;
	/** 32 bytes, internal order. */
	payoutsHash: Uint8Array;
	/** Empty where it cannot be read, and in the object that a self-import uses instead of a burn. */
	sourceSymbol: string;
	/** The transaction that created the burned token; absent when coins are burned. */
	tokenCreationTx?: Transaction;
	/** Value of the burn output: the payouts and the import fee. */
	value: Satoshi;
}

/** Contents of the burn payload. The value is not among them: it is that of the output. */
type BurnFacts = Omit<Burn, 'value'>;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** @param payload begins with the eval code of imports. @throws {ChainError} `parse` */
export function readBurnPayload(payload: Uint8Array): BurnFacts {
	const reader = new ByteReader(payload);
	if (reader.u8('eval code') !== EVAL.importCoin) {
		throw new ChainError('parse.no-burn', { what: 'eval code', offset: 0 });
	}
	const targetCcid = reader.varint('target CCid');
	const targetSymbol = decoder.decode(reader.varSlice('target chain'));
	const hash = reader.take(32, 'payouts hash');
	const description = reader.varSlice('source description').length;
	const rawProof = new ByteReader(payload.subarray(0, reader.offset), reader.offset - description);
	const burn = { targetCcid, targetSymbol, payoutsHash: hash };
	// The daemon imports coins whatever describes their source: it reads that for tokens only.
	const sourceSymbol = readOrNull(() => decoder.decode(rawProof.varSlice('source chain')));
	if (sourceSymbol === null) return { ...burn, sourceSymbol: '' };
	const creation = rawProof.remaining > 0 ? readOrNull(() => readTransaction(rawProof)) : null;
	return creation === null
		? { ...burn, sourceSymbol }
		: { ...burn, sourceSymbol, tokenCreationTx: creation };
}

/**
 * Returns the burn payload of a transaction, as {@link burnPayload} writes it; undefined when it has none.
 */
export function burnPayloadOf(tx: Transaction): Uint8Array | undefined {
	const last = tx.vout.at(-1);
	const data = last && nulldataOf(last.script);
	if (!data) return undefined;
	if (data[0] === EVAL.importCoin) return data;
	const token = parseTokenPayload(last.script);
	return token?.kind === 'transfer' ? blobOf(token.blobs, BLOB.burn) : undefined;
}

/**
 * Parses the burn of a transaction, which is in the last output; a token burn is inside the token payload.
 * Null when there is none or it cannot be parsed.
 */
export function parseBurn(tx: Transaction): Burn | null {
	const last = tx.vout.at(-1);
	const payload = burnPayloadOf(tx);
	if (!last || !payload) return null;
	return readOrNull(() => ({ ...readBurnPayload(payload), value: last.value }));
}

/** Serializes the payload of a burn. In a token burn it is the content of a blob of the token payload. */
export function burnPayload(burn: BurnFacts): Uint8Array {
	const rawProof = new ByteWriter();
	if (burn.sourceSymbol !== '') rawProof.varSlice(encoder.encode(burn.sourceSymbol));
	if (burn.tokenCreationTx) rawProof.bytes(serializeTransaction(burn.tokenCreationTx));
	return new ByteWriter()
		.u8(EVAL.importCoin)
		.varint(burn.targetCcid)
		.varSlice(encoder.encode(burn.targetSymbol))
		.bytes(burn.payoutsHash)
		.varSlice(rawProof.finish())
		.finish();
}

/** Returns the script of the output that burns coins. */
export function burnScript(burn: BurnFacts): Uint8Array {
	return opReturn(burnPayload(burn));
}
