import { describe, expect, test } from 'vitest';
import { parseApproval, proveBlock } from './approval.ts';
import { bytesToHex } from './bytes.ts';
import { opReturn } from './script.ts';
import { parseTransaction, type Transaction } from './transaction.ts';

/** An approval as the wallet of a notary built it. (Recorded, Komodo daemon 0.9.0-beta1.) */
const RECORDED =
	'0400008085202f89012fe29f597a039a0685b77150f13e34a5c0197419c54015fc8c0a26ee06ba1fcc010000006a47304402200f65c1f773d01092767834246d62ba21f2c656dd334bfa516a261d1cb706d6c502200a067ea3ba66459d7680fb3fdce007c3eaace56ecb1aceb3fab59d9997c133fd01210251f88200728d592e85123ff50e3146949a886d8bbfaec3b748212063e36a60a2ffffffff03102700000000000023210251f88200728d592e85123ff50e3146949a886d8bbfaec3b748212063e36a60a2ac20f40e000000000023210251f88200728d592e85123ff50e3146949a886d8bbfaec3b748212063e36a60a2ac0000000000000000fc6a4cf9f804000000ad80c2883e917d64490e4032214e231e676cee3dfa18b665de20d0a2670b0208616b0191dd5296e30a0c75c8baf8f724306eb1776997f931bc90f152f53dfacafbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493ef916016b0e0f0f200800370f5356b336d99d09409095c6e88d9288e90b823d8de3e64749cbf20000240fef5491721caf41cc25b42172969659f1b1197ed655e2233ce302321bd818c68d0667660200000002b9a81d744cada258eb825c79d2b2f32033baf3de9674b83b931e28b1fcf9c016bd2f3277616a4b41a8a9b7615d58302d367a97fb97860c3081dd379658305a2c010500000000ec0000000000000000000000000000';
const BURN = '2c5a30589637dd81300c8697fb977a362d30585d61b7a9a8414b6a6177322fbd';

const recorded = parseTransaction(RECORDED);
const withLast = (payload: Uint8Array): Transaction => ({
	...recorded,
	vout: [...recorded.vout.slice(0, -1), { value: 0n, script: opReturn(payload) }]
});
const proofOf = (tx: Transaction): Uint8Array => parseApproval(tx)!.proof.slice();

describe('approvals of notaries', () => {
	test('a recorded one names its burn, and its hashes lead to the root of its block', () => {
		const approval = parseApproval(recorded)!;
		expect(approval.txids).toEqual([BURN]);
		expect(approval.sound).toBe(true);
		expect(approval.blockHash).toMatch(/^[0-9a-f]{64}$/);
		expect(proveBlock(bytesToHex(approval.proof)).blockHash).toBe(approval.blockHash);
	});

	test('a proof whose root is not its header’s is unsound', () => {
		const proof = proofOf(recorded);
		// The first byte of the header's merkle root: version and the block before take 36.
		proof[36]! ^= 1;
		const bent = parseApproval(withLast(Uint8Array.of(proof.length, ...proof)))!;
		expect(bent.sound).toBe(false);
		expect(bent.txids).toEqual([BURN]);
	});

	test('other transactions, cut proofs and left-over bytes are no approval', () => {
		const proof = proofOf(recorded);
		expect(parseApproval({ ...recorded, vout: recorded.vout.slice(0, -1) })).toBeNull();
		expect(parseApproval({ ...recorded, vout: [] })).toBeNull();
		expect(parseApproval(withLast(new Uint8Array(0)))).toBeNull();
		expect(parseApproval(withLast(Uint8Array.of(proof.length, ...proof, 0)))).toBeNull();
		expect(
			parseApproval(withLast(Uint8Array.of(proof.length - 1, ...proof.subarray(1))))
		).toBeNull();
		expect(parseApproval(withLast(Uint8Array.of(proof.length, ...proof.subarray(1))))).toBeNull();
	});
});
