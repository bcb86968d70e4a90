/**
 * Bitcoin merkle trees and the branches of notarization proofs, which lead from a transaction to the merkle
 * root of its block, on to a MoM (root of block roots) and to a MoMoM (root of MoMs).
 * All hashes are 32 bytes in internal order.
 */
import { bytesEqual, compareBytes, concat } from './bytes.ts';
import { hash256 } from './hash.ts';

const ZERO = new Uint8Array(32);

/** Returns the node above two nodes. */
export const hashPair = (left: Uint8Array, right: Uint8Array): Uint8Array =>
	hash256(concat(left, right));

/** Returns the number of nodes of a tree at a height above its leaves. */
export const widthAt = (leaves: number, height: number): number => Math.ceil(leaves / 2 ** height);

/** Returns the height of a tree with this many leaves, which is the length of its branches. */
export function treeHeight(leaves: number): number {
	let height = 0;
	while (widthAt(leaves, height) > 1) height += 1;
	return height;
}

/** Returns the level above; an odd level repeats its last node. */
export function levelAbove(level: readonly Uint8Array[]): Uint8Array[] {
	const above: Uint8Array[] = [];
	for (let i = 0; i < level.length; i += 2)
		above.push(hashPair(level[i]!, level[i + 1] ?? level[i]!));
	return above;
}

/** Returns the root over these leaves; an odd level repeats its last node. Without leaves: all zero. */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
	if (leaves.length === 0) return ZERO.slice();
	let level = leaves;
	while (level.length > 1) level = levelAbove(level);
	return level[0]!;
}

/**
 * Returns the hashes that lead from leaf `index` to the root, from the bottom up.
 * @throws {RangeError} when there is no such leaf
 */
export function merkleBranch(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
	if (!Number.isInteger(index) || index < 0 || index >= leaves.length) {
		throw new RangeError(`There is no leaf ${index} among ${leaves.length}.`);
	}
	const branch: Uint8Array[] = [];
	let level = leaves;
	let at = index;
	while (level.length > 1) {
		branch.push(level[at ^ 1] ?? level[at]!);
		level = levelAbove(level);
		at >>= 1;
	}
	return branch;
}

/**
 * Computes the root that a branch leads to. Bit k of the index is 0 when the running hash is on the left at
 * level k. As in the daemon, the result is all zero for index -1 and when a node on the left equals the
 * running hash. Callers that check a proof must refuse all zero, because notarizations without a MoMoM store
 * just that.
 */
export function execBranch(
	hash: Uint8Array,
	index: number,
	branch: readonly Uint8Array[]
): Uint8Array {
	if (index === -1 || index === 0xffffffff) return ZERO.slice();
	let running = hash;
	let rest = index;
	for (const node of branch) {
		if (rest % 2 === 1) {
			if (bytesEqual(node, running)) return ZERO.slice();
			running = hashPair(node, running);
		} else {
			running = hashPair(running, node);
		}
		rest = Math.floor(rest / 2);
	}
	return running;
}

/** @param merkleRootsNewestFirst roots of the blocks height, height-1, … height-depth+1 */
export function momOf(merkleRootsNewestFirst: readonly Uint8Array[]): Uint8Array {
	return merkleRoot(merkleRootsNewestFirst);
}

/**
 * Returns the root over MoMs, after sorting them by their bytes and removing duplicates. Without MoMs: all
 * zero.
 */
export function momomOf(moms: readonly Uint8Array[]): Uint8Array {
	const sorted = [...moms].sort(compareBytes);
	return merkleRoot(sorted.filter((mom, i) => i === 0 || !bytesEqual(mom, sorted[i - 1]!)));
}
