/**
 * A proof prepared for display: from a transaction up the tree of its block to the block's merkle root, on to
 * a MoM and to a MoMoM. All values are plain text (hashes in display order), so that the same proof can be
 * checked on the server and again in a browser.
 */
import { displayHash, hexToBytes, internalHash, NO_HASH } from './bytes.ts';
import { hash256 } from './hash.ts';
import { hashPair, merkleBranch, treeHeight, widthAt } from './merkle.ts';
import type { TxOutProof } from './txOutProof.ts';

/** One level: the sibling of the running hash, and the chain's own hashes at the same two places. */
interface ProofStep {
	sibling: string;
	/** Side of the sibling. */
	side: 'left' | 'right';
	/** The chain's own hash at the sibling's place; null when the chain could not be queried. */
	chainSibling: string | null;
	/** The chain's own hash one level up; null when unknown. */
	chainParent: string | null;
}

/**
 * Root at which a stage ends: of a block, a MoM, a MoMoM. `rest`: the remaining hashes, whose root is
 * unknown.
 */
export type StageKind = 'block' | 'mom' | 'momom' | 'rest';

/** A section of a proof that ends with a root. */
export interface ProofStage {
	kind: StageKind;
	steps: ProofStep[];
	/** The root on the chain; null when the chain could not be queried. */
	root: string | null;
}

export interface Proof {
	/** Txid of the transaction that is proven. */
	txid: string;
	/** The transaction in hex, from which the txid is computed; null when it is not available. */
	transaction: string | null;
	stages: ProofStage[];
}

/**
 * - `ok`: computed here and equal to the chain's hash
 * - `computed`: computed or given, with nothing to compare it with
 * - `mismatch`: the chain has another hash, or a rule of the tree is violated
 * - `follows`: differs only because of a mismatch below
 */
export type Verdict = 'ok' | 'computed' | 'mismatch' | 'follows';

export interface CheckedHash {
	hash: string;
	verdict: Verdict;
	/** The chain's hash, when it differs. */
	expected: string | null;
}

interface CheckedStep {
	side: 'left' | 'right';
	running: string;
	sibling: CheckedHash;
	parent: CheckedHash;
}

export interface CheckedStage {
	kind: StageKind;
	steps: CheckedStep[];
	root: CheckedHash;
}

export interface CheckedProof {
	leaf: CheckedHash;
	stages: CheckedStage[];
	/** False when any hash differs. */
	sound: boolean;
	/** Number of hashes compared with the chain, and how many of them are equal. */
	compared: number;
	agreed: number;
	/** The lowest place that fails: stage and level (from 1), null for the transaction or a root. */
	fault: {
		stage: StageKind | null;
		level: number | null;
		what: 'transaction' | 'sibling' | 'parent' | 'root';
	} | null;
}

/**
 * Computes one level of a tree. As in the daemon, a sibling on the left that equals the running hash gives
 * all zero.
 */
function parentOf(running: string, sibling: string, side: 'left' | 'right'): string {
	if (side === 'left' && running === sibling) return NO_HASH;
	const [left, right] = side === 'left' ? [sibling, running] : [running, sibling];
	return displayHash(hashPair(internalHash(left), internalHash(right)));
}

/** Recomputes every hash of a proof and compares each with the chain's. */
export function checkProof(proof: Proof): CheckedProof {
	let fault: CheckedProof['fault'] = null;
	let compared = 0;
	let agreed = 0;
	const judge = (
		hash: string,
		expected: string | null,
		place: NonNullable<CheckedProof['fault']>,
		refused = false
	): CheckedHash => {
		if (expected !== null) compared += 1;
		if (!refused && (expected === null || expected === hash)) {
			if (expected !== null) agreed += 1;
			return { hash, verdict: expected === null ? 'computed' : 'ok', expected: null };
		}
		// A sibling is given, not computed, so a wrong one is always its own fault; a computed hash only when
		// all below match.
		const own = fault === null || place.what === 'sibling';
		fault ??= place;
		return { hash, verdict: own ? 'mismatch' : 'follows', expected };
	};
	const leafHash =
		proof.transaction === null ? proof.txid : displayHash(hash256(hexToBytes(proof.transaction)));
	const leaf = judge(leafHash, proof.transaction === null ? null : proof.txid, {
		stage: null,
		level: null,
		what: 'transaction'
	});
	let running = proof.txid;
	const stages = proof.stages.map(({ kind, steps, root }): CheckedStage => {
		const checked = steps.map((step, at): CheckedStep => {
			const place = { stage: kind, level: at + 1 };
			const before = running;
			const sibling = judge(step.sibling, step.chainSibling, { ...place, what: 'sibling' });
			running = parentOf(before, step.sibling, step.side);
			const parent = judge(
				running,
				step.chainParent,
				{ ...place, what: 'parent' },
				running === NO_HASH
			);
			return { side: step.side, running: before, sibling, parent };
		});
		const end = judge(
			running,
			root,
			{ stage: kind, level: null, what: 'root' },
			running === NO_HASH
		);
		return { kind, steps: checked, root: end };
	});
	return { leaf, stages, sound: fault === null, compared, agreed, fault };
}

/** The chain's own branch from a leaf: the siblings, and the sides as bits of the index. */
export interface ChainBranch {
	index: number;
	siblings: readonly string[];
}

/** Returns the branch over these leaves; null when there is no such leaf. */
export function branchOver(leaves: readonly string[], index: number): ChainBranch | null {
	if (index < 0 || index >= leaves.length) return null;
	return { index, siblings: merkleBranch(leaves.map(internalHash), index).map(displayHash) };
}

/** One section of a branch from an import or `assetchainproof`. */
export interface BranchPart {
	kind: StageKind;
	/** Number of hashes in this section. */
	length: number;
	/** The chain's own branch along this section; null when the chain could not be queried. */
	way: ChainBranch | null;
	/** The root on the chain; null when the chain could not be queried. */
	root: string | null;
}

const sideAt = (index: number): 'left' | 'right' => (index % 2 === 1 ? 'left' : 'right');

/**
 * Splits a branch into its sections. Hashes left over after the last one become a `rest` section.
 *
 * @param index bit k is 1 when the sibling of level k is on the left
 * @param branch display order, from the bottom up
 */
export function layOut(
	txid: string,
	index: number,
	branch: readonly string[],
	parts: readonly BranchPart[]
): ProofStage[] {
	let rest = index;
	let at = 0;
	/** Running hash computed from the chain's own hashes; null while it cannot be computed. */
	let own: string | null = txid;
	const take = ({ kind, length, way, root }: BranchPart): ProofStage => {
		let branchIndex = way?.index ?? 0;
		const steps = branch.slice(at, at + length).map((sibling, level): ProofStep => {
			const side = sideAt(rest);
			rest = Math.floor(rest / 2);
			const chainSibling = way?.siblings[level] ?? null;
			own =
				own === null || chainSibling === null
					? null
					: parentOf(own, chainSibling, sideAt(branchIndex));
			branchIndex = Math.floor(branchIndex / 2);
			return { sibling, side, chainSibling, chainParent: own };
		});
		at += steps.length;
		own = root ?? own;
		return { kind, steps, root };
	};
	const stages = parts.map(take);
	if (at < branch.length) {
		stages.push(take({ kind: 'rest', length: branch.length - at, way: null, root: null }));
	}
	return stages;
}

/**
 * Extracts the merkle branch of one transaction from a `gettxoutproof` proof.
 * @returns null when the proof does not include the transaction or is malformed
 */
export function branchOf(
	proof: TxOutProof,
	txid: string
): { index: number; branch: string[] } | null {
	const { total, hashes, flags } = proof;
	if (total === 0) return null;
	let bit = 0;
	let used = 0;
	let broken = false;
	let found: { index: number; branch: string[] } | null = null;
	const walk = (height: number, position: number): { hash: string; holds: boolean } => {
		const flag = bit < flags.length * 8 ? (flags[bit >> 3]! >> (bit & 7)) & 1 : -1;
		bit += 1;
		if (flag === -1 || broken) {
			broken = true;
			return { hash: NO_HASH, holds: false };
		}
		if (height === 0 || flag === 0) {
			const given = hashes[used];
			used += 1;
			if (given === undefined) broken = true;
			const hash = given === undefined ? NO_HASH : displayHash(given);
			const holds = height === 0 && flag === 1 && hash === txid && found === null;
			if (holds) found = { index: position, branch: [] };
			return { hash, holds };
		}
		const left = walk(height - 1, position * 2);
		const right =
			position * 2 + 1 < widthAt(total, height - 1)
				? walk(height - 1, position * 2 + 1)
				: { ...left, holds: false };
		if (left.holds) found?.branch.push(right.hash);
		if (right.holds) found?.branch.push(left.hash);
		const hash = displayHash(hashPair(internalHash(left.hash), internalHash(right.hash)));
		return { hash, holds: left.holds || right.holds };
	};
	walk(treeHeight(total), 0);
	return broken || used !== hashes.length ? null : found;
}
