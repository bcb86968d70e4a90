/** Converts the results of the two test runners into one form. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The outcome of one test; `name` is its full name. */
export interface Outcome {
	file: string;
	name: string;
	/**
	 * A skipped test proves nothing, so it counts as failed. `again`: failed first, and passed at the second
	 * attempt.
	 */
	ended: 'passed' | 'again' | 'failed';
	/** The first line of the error. */
	why: string;
}

/** Name of the outcome of a file that could not be loaded. */
const WHOLE_FILE = 'the file';

interface VitestReport {
	testResults: {
		name: string;
		status: string;
		message?: string;
		assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
	}[];
}
interface PlaywrightSuite {
	suites?: PlaywrightSuite[];
	specs?: { title: string; file: string; tests: { status: string }[] }[];
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const firstLine = (text: string): string => text.split('\n', 1)[0]!.slice(0, 300);

/** The outcomes of one run of vitest. A file that failed without a failed test has an outcome of its own. */
export function vitestOutcomes(json: string): Outcome[] {
	return readJson<VitestReport>(json).testResults.flatMap((result) => {
		const file = relative('.', result.name);
		const tests = result.assertionResults.map(({ fullName, status, failureMessages }): Outcome => {
			const ended = status === 'passed' ? 'passed' : 'failed';
			return { file, name: fullName, ended, why: firstLine(failureMessages?.[0] ?? status) };
		});
		if (result.status === 'passed' || tests.some(({ ended }) => ended === 'failed')) return tests;
		return [
			...tests,
			{ file, name: WHOLE_FILE, ended: 'failed', why: firstLine(result.message ?? '') }
		];
	});
}

const ENDS: Readonly<Record<string, Outcome['ended']>> = { expected: 'passed', flaky: 'again' };

function specsOf({ suites = [], specs = [] }: PlaywrightSuite): Outcome[] {
	const own = specs.flatMap(({ file, title, tests }) =>
		tests.map(({ status }): Outcome => {
			return { file, name: title, ended: ENDS[status] ?? 'failed', why: status };
		})
	);
	return [...own, ...suites.flatMap(specsOf)];
}

/** The outcomes of one run of Playwright. */
export const playwrightOutcomes = (json: string): Outcome[] =>
	specsOf(readJson<PlaywrightSuite>(json));

/**
 * The outcomes of a first run, after its failed files ran a second time: a test that passed once is `again`.
 */
export function merged(first: readonly Outcome[], second: readonly Outcome[]): Outcome[] {
	const known = new Map(second.map((outcome) => [`${outcome.file} ${outcome.name}`, outcome]));
	const failedFiles = new Set(
		second.filter(({ ended }) => ended === 'failed').map(({ file }) => file)
	);
	const reached = new Set(second.map(({ file }) => file));
	return first.map((outcome): Outcome => {
		const { file, name, ended } = outcome;
		const then = known.get(`${file} ${name}`);
		if (ended === 'passed') {
			return then?.ended === 'failed' ? { ...then, ended: 'again' } : outcome;
		}
		// A file that failed as a whole has no test of that name.
		const loads = name === WHOLE_FILE && reached.has(file) && !failedFiles.has(file);
		return loads || then?.ended === 'passed' ? { ...outcome, ended: 'again' } : outcome;
	});
}
