import { describe, expect, test } from 'vitest';
import { parseApproval, proveBlock } from './approval.ts';
import { bytesToHex } from './bytes.ts';
import { opReturn } from './script.ts';
import { RECORDED_APPROVAL } from './testdata/approval.ts';
import { parseTransaction, type Transaction } from './transaction.ts';

const BURN = '2c5a30589637dd81300c8697fb977a362d30585d61b7a9a8414b6a6177322fbd';

const recorded = parseTransaction(RECORDED_APPROVAL);
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
		expect(proveBlock(bytesToHex(approval.proof)).header).toEqual(approval.header);
	});

	test('a proof whose root is not its header’s is unsound', () => {
		const proof = proofOf(recorded);
		// Byte 36 is the first one of the merkle root, after the version and the previous block hash.
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
