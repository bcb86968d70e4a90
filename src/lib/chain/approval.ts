/**
 * Notary approvals: a transaction of a notary on the destination chain whose last output contains, preceded
 * by its length, the proof that a burn is in a block of its source chain.
 */
import type { BlockHeader } from './block.ts';
import { ByteReader, bytesEqual, internalHash } from './bytes.ts';
import { readOrNull } from './chainError.ts';
import { nulldataOf } from './script.ts';
import type { Transaction } from './transaction.ts';
import { parseTxOutProof, provenTxids, type TxOutProof } from './txOutProof.ts';

/**
 * Number of different notaries that must approve a burn before its import is valid. (Komodo daemon 0.9.0.)
 */
export const APPROVALS_NEEDED = 5;

/** The result of evaluating a `gettxoutproof` proof. */
interface ProvenBlock {
	header: BlockHeader;
	/** Transactions that the proof includes; display order. */
	txids: string[];
	/** Whether the hashes lead to the merkle root in the header. A proof that is not sound proves nothing. */
	sound: boolean;
}

interface Approval extends ProvenBlock {
	/** The proof's bytes as they are in the transaction. */
	proof: Uint8Array;
}

function workOut(proof: TxOutProof): ProvenBlock {
	const { header } = proof;
	const { root, matches } = provenTxids(proof);
	return {
		header,
		txids: matches,
		sound: matches.length > 0 && bytesEqual(root, internalHash(header.merkleRoot))
	};
}

/**
 * Parses and evaluates a result of `gettxoutproof`.
 * @throws {ChainError} `parse` also when bytes are left over
 */
export function proveBlock(source: Uint8Array | string): ProvenBlock {
	return workOut(parseTxOutProof(source));
}

/** Reads the notary approval in a transaction; null when there is none or it cannot be parsed. */
export function parseApproval(tx: Transaction): Approval | null {
	const last = tx.vout.at(-1);
	const data = last && nulldataOf(last.script);
	if (!data) return null;
	return readOrNull(() => {
		const reader = new ByteReader(data);
		const proof = reader.varSlice('proof');
		reader.end('approval');
		return { ...proveBlock(proof), proof };
	});
}
