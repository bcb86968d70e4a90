import { describe, expect, test } from 'vitest';
import { displayHash, hexToBytes, internalHash } from './bytes.ts';
import { hash256 } from './hash.ts';
import { merkleRoot, treeHeight } from './merkle.ts';
import {
	branchOf,
	checkProof,
	layOut,
	branchOver,
	type BranchPart,
	type Proof
} from './proofTree.ts';
import { transparent, txidOf } from './transaction.ts';
import { buildTxOutProof } from './txOutProof.ts';

const TX = '0102030405';
const TXID = displayHash(hash256(hexToBytes(TX)));
const leaf = (n: number): string => displayHash(hash256(Uint8Array.of(n)));

/** Three trees, each built on the root of the one before: txids of a block, block roots, MoMs. */
function stack(index: number, total: number) {
	const txids = Array.from({ length: total }, (_, n) => (n === index ? TXID : leaf(n)));
	const root = (leaves: string[]) => displayHash(merkleRoot(leaves.map(internalHash)));
	const block = root(txids);
	const roots = [leaf(50), leaf(51), block, leaf(52), leaf(53)];
	const mom = root(roots);
	const moms = [leaf(60), mom, leaf(61)];
	const ways = [branchOver(txids, index)!, branchOver(roots, 2)!, branchOver(moms, 1)!];
	const branch = ways.flatMap(({ siblings }) => siblings);
	const lengths = ways.map(({ siblings }) => siblings.length);
	const bits = index + 2 * 2 ** lengths[0]! + 1 * 2 ** (lengths[0]! + lengths[1]!);
	const kinds = ['block', 'mom', 'momom'] as const;
	const ends = [block, mom, root(moms)];
	const parts = ways.map((way, i): BranchPart => ({
		kind: kinds[i]!,
		length: lengths[i]!,
		way,
		root: ends[i]!
	}));
	return { branch, bits, parts, lengths };
}

const proofOf = (
	branch: readonly string[],
	bits: number,
	parts: readonly BranchPart[],
	transaction: string | null = TX
): Proof => ({ txid: TXID, transaction, stages: layOut(TXID, bits, branch, parts) });

describe('a proof through three trees', () => {
	test.each(
		[1, 2, 3, 4, 5, 7, 8].flatMap((total) => Array.from({ length: total }, (_, i) => [i, total]))
	)('of transaction %i of %i is sound, and all that the chains have agrees', (index, total) => {
		const { branch, bits, parts } = stack(index, total);
		const checked = checkProof(proofOf(branch, bits, parts));
		expect(checked).toMatchObject({ sound: true, fault: null });
		expect(checked.agreed).toBe(checked.compared);
		expect(checked.compared).toBe(1 + 2 * branch.length + 3);
	});

	test('names the one hash that was changed, whichever it is', () => {
		const { branch, bits, parts, lengths } = stack(2, 5);
		for (let at = 0; at < branch.length; at++) {
			const tampered = branch.with(at, leaf(99));
			const checked = checkProof(proofOf(tampered, bits, parts));
			const stage = at < lengths[0]! ? 0 : at < lengths[0]! + lengths[1]! ? 1 : 2;
			const level = at - lengths.slice(0, stage).reduce((sum, n) => sum + n, 0);
			expect(checked.sound).toBe(false);
			expect(checked.fault).toEqual({
				stage: parts[stage]!.kind,
				level: level + 1,
				what: 'sibling'
			});
			const wrong = checked.stages.flatMap(({ kind, steps, root }) => [
				...steps.flatMap((step, i) => [
					...(step.sibling.verdict === 'mismatch' ? [`${kind} ${i + 1} sibling`] : []),
					...(step.parent.verdict === 'mismatch' ? [`${kind} ${i + 1} parent`] : [])
				]),
				...(root.verdict === 'mismatch' ? [`${kind} root`] : [])
			]);
			expect(wrong).toEqual([`${parts[stage]!.kind} ${level + 1} sibling`]);
			expect(checked.stages[stage]!.steps[level]!.sibling.expected).toBe(branch[at]);
		}
	});

	test('with two changed hashes names both', () => {
		const { branch, bits, parts } = stack(2, 5);
		const last = branch.length - 1;
		const checked = checkProof(proofOf(branch.with(0, leaf(99)).with(last, leaf(98)), bits, parts));
		expect(checked.stages[0]!.steps[0]!.sibling.verdict).toBe('mismatch');
		expect(checked.stages[2]!.steps.at(-1)!.sibling.verdict).toBe('mismatch');
	});

	test('with a changed side fails at that level', () => {
		const { branch, bits, parts } = stack(2, 5);
		const checked = checkProof(proofOf(branch, bits + 1, parts));
		expect(checked.fault).toEqual({ stage: 'block', level: 1, what: 'parent' });
	});

	test('of other bytes fails at the transaction', () => {
		const { branch, bits, parts } = stack(2, 5);
		const checked = checkProof(proofOf(branch, bits, parts, '0102030406'));
		expect(checked.fault).toEqual({ stage: null, level: null, what: 'transaction' });
	});

	test('that was cut short or made longer fails at a root, or ends behind it', () => {
		const { branch, bits, parts } = stack(2, 5);
		const short = checkProof(proofOf(branch.slice(0, -1), bits, parts));
		expect(short.fault).toEqual({ stage: 'momom', level: null, what: 'root' });
		const long = checkProof(proofOf([...branch, leaf(99)], bits, parts));
		expect(long.sound).toBe(true);
		expect(long.stages.at(-1)).toMatchObject({ kind: 'rest' });
	});
});

test('without anything of the chain each level is computed and nothing is claimed', () => {
	const { branch, bits } = stack(2, 5);
	const checked = checkProof(proofOf(branch, bits, [], null));
	expect(checked).toMatchObject({ sound: true, compared: 0 });
	expect(checked.stages.map(({ kind }) => kind)).toEqual(['rest']);
});

test('a hash on the left that equals the running one is refused, also without a chain to compare with', () => {
	const checked = checkProof(proofOf([TXID], 1, [], null));
	expect(checked.fault).toEqual({ stage: 'rest', level: 1, what: 'parent' });
	expect(checkProof(proofOf([TXID], 0, [], null)).sound).toBe(true);
});

test('the answer of gettxoutproof holds the same branches as the tree of the whole block', () => {
	for (let total = 1; total <= 9; total++) {
		const transactions = Array.from({ length: total }, (_, locktime) =>
			transparent({ vin: [], vout: [{ value: 1n, script: new Uint8Array() }], locktime }, false)
		);
		const txids = transactions.map(txidOf);
		const header = {
			version: 4,
			previousHash: leaf(1),
			merkleRoot: displayHash(merkleRoot(txids.map(internalHash))),
			finalSaplingRoot: leaf(2),
			time: 1,
			bits: 1,
			nonce: new Uint8Array(32),
			solution: new Uint8Array()
		};
		txids.forEach((txid, index) => {
			const several = [txid, txids[total - 1]!, txids[0]!];
			for (const wanted of [[txid], several]) {
				const proof = buildTxOutProof({ header, transactions }, wanted);
				expect(branchOf(proof, txid)).toEqual({
					index,
					branch: branchOver(txids, index)!.siblings
				});
			}
			expect(branchOver(txids, index)!.siblings).toHaveLength(treeHeight(total));
			const proof = buildTxOutProof({ header, transactions }, [txid]);
			expect(branchOf(proof, leaf(200))).toBeNull();
			const cut = { ...proof, hashes: proof.hashes.slice(1) };
			expect(branchOf(cut, txid)).toBeNull();
			expect(branchOf({ ...proof, flags: new Uint8Array() }, txid)).toBeNull();
		});
	}
});
