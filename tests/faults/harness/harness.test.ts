import { describe, expect, test } from 'vitest';
import { judge, type ChainBurn, type ChainImport, type Row } from './judge.ts';
import { judgePayments } from './load.ts';
import { chanceOf } from './random.ts';
import { HARM, Tally } from './tally.ts';
import { COMBINATIONS, titleOf } from './wrongAnswers.ts';

const row: Row = {
	id: 'm1',
	source: 'ALPHA',
	destination: 'BETA',
	amount: 1_000_101n,
	burn: 'b1',
	state: 'done',
	reason: null
};
const burn: ChainBurn = { txid: 'b1', source: 'ALPHA', destination: 'BETA', value: 1_010_101n };
const arrived: ChainImport = { txid: 'i1', destination: 'BETA', burn: 'b1' };

describe('the comparison of chains and database', () => {
	test('finds nothing where each burn has its row and its import', () => {
		expect(judge([row], [burn], [arrived])).toEqual({ lost: [], doubled: [], stopped: [] });
		expect(judge([{ ...row, state: 'final' }], [burn], [arrived]).lost).toEqual([]);
		expect(judge([{ ...row, state: 'draft' }], [], [])).toEqual({
			lost: [],
			doubled: [],
			stopped: []
		});
	});

	test('calls an import lost that the database has and no block holds', () => {
		expect(judge([row], [burn], []).lost).toEqual([
			'm1 (ALPHA to BETA): done, and no block holds its import'
		]);
	});

	test('calls a burn lost that the database does not know', () => {
		const again = { ...row, burn: 'other', state: 'discarded' } as const;
		expect(judge([again], [burn], []).lost).toHaveLength(1);
		expect(judge([], [burn], []).lost).toHaveLength(1);
	});

	test('calls a second burn of an amount doubled, and a second import of a burn', () => {
		expect(judge([row], [burn, { ...burn, txid: 'b2' }], [arrived]).doubled).toHaveLength(1);
		expect(judge([row], [burn], [arrived, { ...arrived, txid: 'i2' }]).doubled).toHaveLength(1);
	});

	test('calls a migration stopped that does not get on after its burn', () => {
		const stuck = { ...row, state: 'stuck', reason: 'a passing refusal' } as const;
		expect(judge([stuck], [burn], []).stopped).toEqual([
			'm1 (ALPHA to BETA): stuck: a passing refusal'
		]);
	});
});

describe('the comparison of payments with the wallet', () => {
	const payment = { amount: '0.01000101', txid: 't1' };
	const made = { txid: 't1', amount: -0.01000101, category: 'send' };

	test('finds nothing where each is made once, or is not made and nobody was told that it is', () => {
		const none = { lost: [], doubled: [] };
		expect(judgePayments([payment], [made])).toEqual(none);
		expect(judgePayments([{ ...payment, txid: null }], [made])).toEqual(none);
		expect(judgePayments([{ ...payment, txid: null }], [])).toEqual(none);
	});

	test('calls one doubled that was made twice, and one lost that was answered and is not there', () => {
		expect(judgePayments([payment], [made, { ...made, txid: 't2' }]).doubled).toHaveLength(1);
		expect(judgePayments([payment], []).lost).toHaveLength(1);
		expect(judgePayments([payment], [{ ...made, txid: 't2' }]).lost).toHaveLength(1);
	});
});

test('the same seed breaks the same things', () => {
	const choices = (seed: number): number[] => {
		const chance = chanceOf(seed);
		return [chance.next(), chance.between(3, 9), ...chance.shuffled([1, 2, 3, 4, 5])];
	};
	expect(choices(7)).toEqual(choices(7));
	expect(choices(7)).not.toEqual(choices(8));
	expect(choices(7).slice(2).sort()).toEqual([1, 2, 3, 4, 5]);
});

test('there are a hundred combinations of method, wrong answer, before and after', () => {
	expect(new Set(COMBINATIONS.map(titleOf)).size).toBe(100);
});

test('the summary counts by kind and tells harm from what only did not end', () => {
	const lines: string[] = [];
	const tally = new Tally((line) => lines.push(line));
	tally.count('kills', 'server');
	tally.count('kills', 'server');
	tally.count('kills', 'database');
	expect(tally.end()).toBe(0);
	expect(lines).toContain('3 kills');
	expect(lines).toContain('     2 server');
	expect(lines.at(-1)).toBe('0 lost, 0 doubled, 0 stopped without a reason, 0 failures');
	tally.found('kills', { lost: [], doubled: [], stopped: ['m0'] });
	expect(tally.end()).toBe(1);
	tally.found('kills', { lost: ['m1'], doubled: [], stopped: [] });
	expect(tally.end()).toBe(HARM);
});
