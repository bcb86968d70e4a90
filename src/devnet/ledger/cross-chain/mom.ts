import { internalHash } from '#lib/chain/bytes.ts';
import { merkleRoot } from '#lib/chain/merkle.ts';
import type { LedgerApi } from '../api.ts';

const ZERO_HASH = new Uint8Array(32);

/** True for the all-zero hash, which means "none" and to which no valid proof leads. */
export const isZeroHash = (hash: Uint8Array): boolean => hash.every((byte) => byte === 0);

/** Returns the merkle roots (internal order) of `depth` blocks, newest first, from `height` down. */
export const momLeaves = (
	ledger: Pick<LedgerApi, 'blockAt'>,
	height: number,
	depth: number
): Uint8Array[] => {
	const leaves: Uint8Array[] = [];
	for (let at = height; at > height - depth; at--) {
		const block = ledger.blockAt(at);
		if (!block) break;
		leaves.push(internalHash(block.header.merkleRoot));
	}
	return leaves;
};

/**
 * Returns the MoM of `depth` blocks ending at `height`, internal order. All zero when the height is above the
 * tip or the low 16 bits of the depth are 0, as in the daemon.
 */
export const momAt = (
	ledger: Pick<LedgerApi, 'blockAt' | 'height'>,
	height: number,
	depth: number
): Uint8Array => {
	const short = depth & 0xffff;
	if (height > ledger.height || short === 0) return ZERO_HASH;
	return merkleRoot(momLeaves(ledger, height, short));
};
