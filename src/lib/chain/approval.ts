/**
 * Approvals of the backup route: a transaction of a notary on the destination chain whose last output
 * carries, length first, the proof that a burn stands in a block of its source chain.
 */
import { blockHash, type BlockHeader } from './block.ts';
import { ByteReader, bytesEqual, internalHash } from './bytes.ts';
import { readOrNull } from './chainError.ts';
import { nulldataOf } from './script.ts';
import type { Transaction } from './transaction.ts';
import { parseTxOutProof, provenTxids, type TxOutProof } from './txOutProof.ts';

/** Different notaries that must approve a burn before its import counts. (Komodo daemon 0.9.0.) */
export const APPROVALS_NEEDED = 5;

/** What a proof of transactions says once its hashes are worked out. */
interface ProvenBlock {
	header: BlockHeader;
	/** Of the header; display order. */
	blockHash: string;
	/** The transactions that it vouches for; display order. */
	txids: string[];
	/** The hashes lead to the header's own merkle root. Without that it proves nothing. */
	sound: boolean;
}

interface Approval extends ProvenBlock {
	/** The proof as it stands in the transaction. */
	proof: Uint8Array;
}

function workOut(proof: TxOutProof): ProvenBlock {
	const { header } = proof;
	const { root, matches } = provenTxids(proof);
	return {
		header,
		blockHash: blockHash(header),
		txids: matches,
		sound: matches.length > 0 && bytesEqual(root, internalHash(header.merkleRoot))
	};
}

/**
 * The answer of `gettxoutproof`, worked out.
 * @throws {ChainError} `parse` also when bytes are left over
 */
export function proveBlock(source: Uint8Array | string): ProvenBlock {
	return workOut(parseTxOutProof(source));
}

/** The approval in a transaction; null when it is none or cannot be read as one. */
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
