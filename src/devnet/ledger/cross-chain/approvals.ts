import { ByteReader, bytesToHex, internalHash, hexToBytes } from '#lib/chain/bytes.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import type { Transaction } from '#lib/chain/transaction.ts';
import { parseTxOutProof, provenTxids } from '#lib/chain/txOutProof.ts';
import type { LedgerApi } from '../api.ts';
import { classify } from '#lib/chain/classified.ts';
import { nulldataOf } from '#lib/chain/script.ts';

/** Number of different notaries that must approve. */
export const APPROVALS_NEEDED = 5;

/** Returns the indexes of the notaries by address. */
const notaryAddresses = (notaries: readonly string[]): Map<string, number> =>
	new Map(notaries.map((key, index) => [addressOfPubkey(hexToBytes(key)), index]));

/** Returns the block proof in the last output of a notary approval, or null. */
const approvedProof = (tx: Transaction): Uint8Array | null => {
	const payload = nulldataOf(tx.vout.at(-1)!.script);
	if (!payload) return null;
	const reader = new ByteReader(payload);
	const proof = reader.varSlice();
	return reader.remaining === 0 ? proof : null;
};

/** True when the proof includes the burn and its hashes lead to the merkle root in the header. */
const provesBurn = (proof: Uint8Array, burnTxid: string): boolean => {
	const parsed = parseTxOutProof(proof);
	const { root, matches } = provenTxids(parsed);
	return (
		matches.includes(burnTxid) &&
		bytesToHex(root) === bytesToHex(internalHash(parsed.header.merkleRoot))
	);
};

/**
 * Counts the notaries that approved a burn. An approval counts when it is confirmed on this chain, its proof
 * includes the burn and matches its header (stricter than the daemon, whose root check is inverted), and its
 * input 0 spends an output of a notary. Each notary counts once.
 */
export const countApprovals = (
	ledger: Pick<LedgerApi, 'mined' | 'output' | 'params'>,
	burnTxid: string,
	txids: readonly string[]
): number => {
	const notaries = notaryAddresses(ledger.params.notaries);
	const approved = new Set<number>();
	for (const txid of txids) {
		const tx = ledger.mined(txid)?.tx;
		if (!tx || tx.vout.length === 0) continue;
		const first = tx.vin[0]!;
		const spent = ledger.output(first.txid, first.vout);
		if (!spent) continue;
		const kind = classify(spent.script);
		if (kind.type !== 'pubkey' && kind.type !== 'pubkeyhash') continue;
		const notary = kind.address === undefined ? undefined : notaries.get(kind.address);
		if (notary === undefined || approved.has(notary)) continue;
		try {
			const proof = approvedProof(tx);
			if (proof && provesBurn(proof, burnTxid)) approved.add(notary);
		} catch {
			// An unparseable proof approves nothing; the other txids still count.
		}
	}
	return approved.size;
};
