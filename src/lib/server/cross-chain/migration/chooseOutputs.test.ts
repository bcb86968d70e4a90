import { describe, expect, test } from 'vitest';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { completeInputs, fundingFee, type Unspent } from './chooseOutputs.ts';

const output = (name: string, amount: bigint, more: Partial<Unspent> = {}): Unspent => ({
	txid: name.repeat(64),
	vout: 0,
	amount,
	confirmations: 1,
	spendable: true,
	...more
});
const [a, b, c] = [output('a', 50_000n), output('b', 70_000n), output('c', 90_000n)];
const NOTHING = new Set<string>();
const names = (list: readonly { txid: string; vout: number }[]): string =>
	list.map(({ txid }) => txid[0]).join('');

describe('outputs that a transaction spends', () => {
	test('are the chosen ones alone when they pay the total and the fee', () => {
		expect(names(completeInputs([a], [a, b, c], NOTHING, 50_000n - fundingFee(1)))).toBe('a');
	});

	test('are followed by the largest others as soon as the fee is missing', () => {
		expect(names(completeInputs([a], [a, b, c], NOTHING, 50_000n - fundingFee(1) + 1n))).toBe('ac');
		expect(names(completeInputs([a], [a, b, c], NOTHING, 150_000n))).toBe('acb');
	});

	test('are none that something else is about to spend, and none that waits for a block', () => {
		expect(names(completeInputs([a], [a, b, c], new Set([nameOfUtxo(c)]), 60_000n))).toBe('ab');
		const young = output('d', 1_000_000n, { confirmations: 0 });
		const foreign = output('e', 1_000_000n, { spendable: false });
		expect(names(completeInputs([a], [young, foreign, a, b, c], NOTHING, 60_000n))).toBe('ac');
	});

	test('are only the chosen ones when the wallet has too little, or one is not its own', () => {
		expect(names(completeInputs([a], [a, b, c], NOTHING, 210_000n))).toBe('a');
		expect(names(completeInputs([output('f', 1n)], [a, b, c], NOTHING, 60_000n))).toBe('f');
	});

	test('are chosen for nobody in particular when none was chosen', () => {
		expect(names(completeInputs([], [a, b, c], NOTHING, 80_000n))).toBe('c');
		expect(names(completeInputs([], [a, b, c], NOTHING, 120_000n))).toBe('cb');
	});
});
