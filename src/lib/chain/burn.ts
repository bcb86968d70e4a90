/**
 * Burns: the output that destroys value on a source chain and says where it is to be created again, and
 * the payouts, the outputs that the import will create.
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

/** What a burn adds to the amount: it becomes the miner's fee of the import. */
export const IMPORT_FEE: Satoshi = 10_000n;
/** The CCid of the object that a self-import uses instead of a burn. */
export const SELF_IMPORT_CCID = 0xffffffff;

/** @throws {ChainError} `parse` also when bytes are left over */
export function parsePayouts(source: Uint8Array | string): TxOut[] {
	const reader = new ByteReader(typeof source === 'string' ? hexToBytes(source) : source);
	const payouts = readOutputs(reader);
	reader.end('payouts');
	return payouts;
}

export function serializePayouts(payouts: readonly TxOut[]): Uint8Array {
	const writer = new ByteWriter();
	writeOutputs(writer, payouts);
	return writer.finish();
}

/** 32 bytes, internal order. */
export function payoutsHash(payouts: readonly TxOut[]): Uint8Array {
	return hash256(serializePayouts(payouts));
}

export interface Burn {
	targetCcid: number;
	targetSymbol: string;
	/** 32 bytes, internal order. */
	payoutsHash: Uint8Array;
	/** Empty in the object that a self-import uses. */
	sourceSymbol: string;
	/** The creation of the burned token; only when tokens are burned. */
	tokenCreationTx?: Transaction;
	/** Value of the burn output: the amount and the import's fee. */
	value: Satoshi;
}

/** What a burn output says; the value is the output's. */
type BurnFacts = Omit<Burn, 'value'>;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** @param payload starts with the eval code of imports. @throws {ChainError} `parse` */
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
	if (rawProof.remaining === 0) {
		return { targetCcid, targetSymbol, payoutsHash: hash, sourceSymbol: '' };
	}
	const sourceSymbol = decoder.decode(rawProof.varSlice('source chain'));
	const facts = { targetCcid, targetSymbol, payoutsHash: hash, sourceSymbol };
	if (rawProof.remaining === 0) return facts;
	return { ...facts, tokenCreationTx: readTransaction(rawProof) };
}

/** The bytes of a transaction's burn, as {@link burnPayload} writes them; undefined where it has none. */
export function burnPayloadOf(tx: Transaction): Uint8Array | undefined {
	const last = tx.vout.at(-1);
	const data = last && nulldataOf(last.script);
	if (!data) return undefined;
	if (data[0] === EVAL.importCoin) return data;
	const token = parseTokenPayload(last.script);
	return token?.kind === 'transfer' ? blobOf(token.blobs, BLOB.burn) : undefined;
}

/**
 * The burn of a transaction: it is in the last output, for tokens inside the token payload. Null when
 * there is none that can be read.
 */
export function parseBurn(tx: Transaction): Burn | null {
	const last = tx.vout.at(-1);
	const payload = burnPayloadOf(tx);
	if (!last || !payload) return null;
	return readOrNull(() => ({ ...readBurnPayload(payload), value: last.value }));
}

/** The payload of a burn, also the content of a token burn's blob. */
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

/** The script of a burn output for coins. */
export function burnScript(burn: BurnFacts): Uint8Array {
	return opReturn(burnPayload(burn));
}
