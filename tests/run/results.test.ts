import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { merged, playwrightOutcomes, vitestOutcomes, type Outcome } from './results.ts';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
function report(content: unknown): string {
	const file = join(folder, 'report.json');
	writeFileSync(file, JSON.stringify(content));
	return file;
}
const ends = (outcomes: Outcome[]): string[] =>
	outcomes.map(({ file, name, ended, why }) => `${file}: ${name}: ${ended}: ${why}`);

describe('the results of a test run', () => {
	it('count a skipped test and a file that could not be loaded as failed', () => {
		const test = (fullName: string, status: string, failureMessages?: string[]) => ({
			fullName,
			status,
			failureMessages
		});
		const json = report({
			testResults: [
				{
					name: resolve('a.test.ts'),
					status: 'failed',
					assertionResults: [
						test('adds', 'passed'),
						test('waits', 'pending'),
						test('throws', 'failed', ['Error: 1 is not 2\n  at line 3'])
					]
				},
				{ name: resolve('b.test.ts'), status: 'failed', message: 'No module', assertionResults: [] }
			]
		});
		expect(ends(vitestOutcomes(json))).toEqual([
			'a.test.ts: adds: passed: passed',
			'a.test.ts: waits: failed: pending',
			'a.test.ts: throws: failed: Error: 1 is not 2',
			'b.test.ts: the file: failed: No module'
		]);
	});

	it('name the browser tests that passed only when they were run again', () => {
		const spec = (title: string, ...states: string[]) => ({
			file: 'c.spec.ts',
			title,
			tests: states.map((status) => ({ status }))
		});
		const json = report({
			suites: [
				{ specs: [spec('one', 'expected')], suites: [{ specs: [spec('two', 'flaky', 'skipped')] }] }
			]
		});
		expect(playwrightOutcomes(json).map(({ name, ended }) => `${name}: ${ended}`)).toEqual([
			'one: passed',
			'two: again',
			'two: failed'
		]);
	});

	it('keep a failure that the second run repeats or does not reach', () => {
		const outcome = (file: string, name: string, ended: Outcome['ended']): Outcome => {
			return { file, name, ended, why: '' };
		};
		const first = [
			outcome('a', 'passes', 'passed'),
			outcome('a', 'passes first', 'passed'),
			outcome('a', 'passes then', 'failed'),
			outcome('a', 'fails twice', 'failed'),
			outcome('b', 'is not reached', 'failed'),
			outcome('c', 'the file', 'failed'),
			outcome('d', 'the file', 'failed')
		];
		const second = [
			outcome('a', 'passes', 'passed'),
			outcome('a', 'passes first', 'failed'),
			outcome('a', 'passes then', 'passed'),
			outcome('a', 'fails twice', 'failed'),
			outcome('c', 'loads', 'passed')
		];
		expect(merged(first, second).map(({ ended }) => ended)).toEqual([
			'passed',
			'again',
			'again',
			'failed',
			'failed',
			'again',
			'failed'
		]);
	});
});
