import { bytesToHex, compareBytes } from '#lib/chain/bytes.ts';
import { merkleRoot } from '#lib/chain/merkle.ts';
import { authorityOf } from '#lib/chain/notaryAuthority.ts';
import type { LedgerApi } from '../api.ts';
import { SCAN_LIMIT } from '../notarizationIndex.ts';

/** Notarizations of the destination that the window must contain; the oldest of them ends the search. */
const OWN_NOTARIZATIONS = 7;

/** A MoMoM and the MoMs it covers. Hashes in internal order. */
interface ProofRoot {
	momom: Uint8Array;
	moms: Uint8Array[];
	/** Txid of the newest notarization of the destination. */
	destNotarization: string;
}

/**
 * Returns the MoMoM of a destination chain for a KMD height: the root over the MoMs of all chains with the
 * same CCid and the same notaries, from the newest notarization of the destination down to its seventh-newest
 * (whose block contributes nothing). Null with fewer than seven of them in 1440 blocks.
 */
export const proofRootAt = (
	kmd: Pick<LedgerApi, 'height' | 'notarizationsAt'>,
	symbol: string,
	ccid: number,
	height: number
): ProofRoot | null => {
	if (ccid < 2 || height < 0 || height > kmd.height) return null;
	const group = authorityOf(symbol);
	const moms = new Map<string, Uint8Array>();
	let own = 0;
	let destNotarization = '';
	for (let at = height; at >= 0 && at > height - SCAN_LIMIT; at--) {
		const records = kmd.notarizationsAt(at);
		for (const record of records) {
			if (record.data.symbol !== symbol) continue;
			own += 1;
			if (own === 1) destNotarization = record.txid;
			if (own === OWN_NOTARIZATIONS) {
				const sorted = [...moms.values()].sort(compareBytes);
				return { momom: merkleRoot(sorted), moms: sorted, destNotarization };
			}
		}
		if (own === 0) continue;
		for (const { data } of records) {
			if (data.ccid === ccid && data.mom && authorityOf(data.symbol) === group) {
				moms.set(bytesToHex(data.mom), data.mom);
			}
		}
	}
	return null;
};

/** Returns the result of `MoMoMdata`: the root for the given KMD height minus 5. */
export const momomData = (
	kmd: Pick<LedgerApi, 'height' | 'notarizationsAt'>,
	symbol: string,
	kmdHeight: number,
	ccid: number
): { height: number; root: ProofRoot | null } => {
	const height = kmdHeight - 5;
	return { height, root: proofRootAt(kmd, symbol, ccid, height) };
};
