/**
 * Import transactions: the only input refers to a burn, the outputs are its payouts, and the last output
 * contains the burn transaction and the proof that it happened on its source chain.
 */
import { ByteReader, ByteWriter, concat, displayHash, hexToBytes, internalHash } from './bytes.ts';
import { ChainError, readOrNull } from './chainError.ts';
import { EVAL } from './cryptocondition.ts';
import { execBranch } from './merkle.ts';
import { nulldataOf, opReturn } from './script.ts';
import { BLOB, blobOf, parseTokenPayload, tokenCreateScript } from './token.ts';
import {
	readTransaction,
	serializeTransaction,
	transparent,
	txidOf,
	unsignedInput,
	type Transaction,
	type TxOut
} from './transaction.ts';

/** Output index that marks the single input of an import. */
export const IMPORT_INDEX = 1_000_000_000;
/** Input script of an import: a push of the import module's eval code. */
export const IMPORT_SCRIPT_SIG: Uint8Array = Uint8Array.of(0x01, EVAL.importCoin);

const KIND = { txproof: 0x11, approvals: 0x12, merkleblock: 0x13 } as const;

/** A merkle branch from the burn to a MoM, or further to a MoMoM. */
export interface TxProof {
	kind: 'txproof';
	/** The notarization on KMD; for a self-import the source transaction. Display order. */
	txid: string;
	/** Bit k says on which side the running hash is at level k. */
	index: number;
	/** 32 bytes each, internal order. */
	branch: Uint8Array[];
}

export type ImportProof =
	| TxProof
	/** Transactions on the destination chain in which notaries approved the burn. Display order. */
	| { kind: 'approvals'; txids: string[] }
	| { kind: 'merkleblock'; bytes: Uint8Array };

/** The parts of an import transaction. */
export interface ImportParts {
	burnTx: Transaction;
	payouts: TxOut[];
	proof: ImportProof;
}

/** A branch proof without its leading kind byte, as `assetchainproof` returns it. */
function readTxProof(reader: ByteReader): TxProof {
	const txid = displayHash(reader.take(32, 'notarization txid'));
	const index = reader.varint('branch index');
	const count = reader.count(32, 'number of branch hashes');
	return {
		kind: 'txproof',
		txid,
		index,
		branch: Array.from({ length: count }, () => reader.take(32, 'branch hash'))
	};
}

/** Parses a result of `assetchainproof`. @throws {ChainError} `parse` also when bytes are left over */
export function parseTxProof(source: Uint8Array | string): TxProof {
	const reader = new ByteReader(typeof source === 'string' ? hexToBytes(source) : source);
	const proof = readTxProof(reader);
	reader.end('proof');
	return proof;
}

function readProof(reader: ByteReader): ImportProof {
	const at = reader.offset;
	const kind = reader.u8('kind of proof');
	if (kind === KIND.txproof) return readTxProof(reader);
	if (kind === KIND.approvals) {
		const count = reader.count(32, 'number of approvals');
		return {
			kind: 'approvals',
			txids: Array.from({ length: count }, () => displayHash(reader.take(32, 'approval txid')))
		};
	}
	if (kind === KIND.merkleblock) {
		return { kind: 'merkleblock', bytes: reader.varSlice('merkle block') };
	}
	throw new ChainError('parse.proof-kind', { what: 'kind of proof', offset: at, kind });
}

function writeProof(writer: ByteWriter, proof: ImportProof): void {
	if (proof.kind === 'txproof') {
		writer.u8(KIND.txproof).bytes(internalHash(proof.txid)).varint(proof.index);
		writer.compactSize(proof.branch.length);
		for (const hash of proof.branch) writer.bytes(hash);
	} else if (proof.kind === 'approvals') {
		writer.u8(KIND.approvals).compactSize(proof.txids.length);
		for (const txid of proof.txids) writer.bytes(internalHash(txid));
	} else {
		writer.u8(KIND.merkleblock).varSlice(proof.bytes);
	}
}

/** @param payload eval code of imports, proof, burn transaction. @throws {ChainError} `parse` */
export function readImportPayload(payload: Uint8Array): {
	proof: ImportProof;
	burnTx: Transaction;
} {
	const reader = new ByteReader(payload);
	if (reader.u8('eval code') !== EVAL.importCoin) {
		throw new ChainError('parse.no-import', { what: 'eval code', offset: 0 });
	}
	const proof = readProof(reader);
	const burnTx = readTransaction(reader);
	reader.end('import');
	return { proof, burnTx };
}

/** True for every transaction that the daemon treats as an import, valid or not. */
export function looksLikeImport(tx: Transaction): boolean {
	return tx.vin.length === 1 && tx.vin[0]!.vout === IMPORT_INDEX;
}

/** Parses an import; null when the transaction is not an import or cannot be parsed as one. */
export function parseImport(tx: Transaction): ImportParts | null {
	const last = tx.vout.at(-1);
	if (!looksLikeImport(tx) || !last) return null;
	const data = nulldataOf(last.script);
	if (!data) return null;
	return readOrNull(() => {
		if (data[0] === EVAL.importCoin) {
			return { ...readImportPayload(data), payouts: tx.vout.slice(0, -1) };
		}
		const token = parseTokenPayload(last.script);
		const blob = token?.kind === 'create' ? blobOf(token.blobs, BLOB.import) : undefined;
		if (token?.kind !== 'create' || !blob) return null;
		// The burn hashed the payouts with the token creation as it was before the import blob was added.
		const blobs = token.blobs.filter(({ id }) => id !== BLOB.import);
		const creation = { value: last.value, script: tokenCreateScript({ ...token, blobs }) };
		return { ...readImportPayload(blob), payouts: [...tx.vout.slice(0, -1), creation] };
	});
}

/** Serializes the import payload: the content of the last output, or of a token's import blob. */
function importPayload(burnTx: Transaction, proof: ImportProof): Uint8Array {
	const writer = new ByteWriter().u8(EVAL.importCoin);
	writeProof(writer, proof);
	return writer.bytes(serializeTransaction(burnTx)).finish();
}

/**
 * Builds the one canonical import of a burn with these payouts and this proof.
 *
 * @param version transaction format of the destination chain; `sapling` once Sapling is active there
 */
export function buildImport(
	burnTx: Transaction,
	payouts: readonly TxOut[],
	proof: ImportProof,
	expiryHeight = 0,
	version: 'sapling' | 'original' = 'sapling'
): Transaction {
	const payload = importPayload(burnTx, proof);
	const last = payouts.at(-1);
	const token = last ? parseTokenPayload(last.script) : null;
	const vout: TxOut[] =
		last && token?.kind === 'create'
			? [
					...payouts.slice(0, -1),
					{
						value: last.value,
						script: tokenCreateScript({
							...token,
							blobs: [...token.blobs, { id: BLOB.import, data: payload }]
						})
					}
				]
			: [...payouts, { value: 0n, script: opReturn(payload) }];
	const sapling = version === 'sapling';
	const input = unsignedInput(txidOf(burnTx), IMPORT_INDEX);
	const vin = [{ ...input, scriptSig: concat(IMPORT_SCRIPT_SIG) }];
	return transparent({ vin, vout, expiryHeight: sapling ? expiryHeight : 0 }, sapling);
}

/**
 * Returns the root that the branch leads to from the burn: a MoM after the first stage, a MoMoM when the
 * branch is complete. Internal order; all zero when the import has no branch or the branch is invalid.
 */
export function proofRoot(importTx: Transaction): Uint8Array {
	const parts = parseImport(importTx);
	if (parts?.proof.kind !== 'txproof') return new Uint8Array(32);
	const { index, branch } = parts.proof;
	return execBranch(internalHash(txidOf(parts.burnTx)), index, branch);
}
