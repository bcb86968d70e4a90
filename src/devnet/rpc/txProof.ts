import { ByteWriter, bytesToHex, internalHash } from '#lib/chain/bytes.ts';
import type { TxProof } from '#lib/chain/importProof.ts';

/** Serializes a proof like `assetchainproof`: notarization txid, index, branch. */
export const txProofHex = (proof: TxProof): string => {
	const writer = new ByteWriter().bytes(internalHash(proof.txid)).varint(proof.index);
	writer.compactSize(proof.branch.length);
	for (const hash of proof.branch) writer.bytes(hash);
	return bytesToHex(writer.finish());
};
