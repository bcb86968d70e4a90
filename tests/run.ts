/**
 * The whole test run, in the order in which a mistake is cheapest to find: formatting and lint, types,
 * unit, contract and integration tests, the build, then the built application in a real Chromium: two browsers
 * side by side, each with servers of its own, and last what holds times against a goal, alone.
 * Every stage runs even when an earlier one failed. The last line is "N passed, N failed".
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureChromium } from './support/chromium.ts';

const RESULTS = 'test-results';
let passed = 0;
let failed = 0;

/** Runs a stage and says how it ended; stages may run at the same time. */
function run(title: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
	const started = performance.now();
	process.stdout.write(`\n== ${title}\n`);
	return new Promise((done) => {
		const end = (ok: boolean): void => {
			const seconds = ((performance.now() - started) / 1000).toFixed(1);
			process.stdout.write(`== ${title}: ${ok ? 'ok' : 'FAILED'} in ${seconds} s\n`);
			done(ok);
		};
		const child = spawn(process.execPath, args, {
			stdio: 'inherit',
			env: { ...process.env, ...env }
		});
		child.once('error', () => end(false));
		child.once('exit', (status) => end(status === 0));
	});
}

/** A stage that is one check: formatting, lint, types, build. */
async function check(title: string, args: string[]): Promise<boolean> {
	const ok = await run(title, args);
	if (ok) passed += 1;
	else failed += 1;
	return ok;
}

/** Adds a runner's own counts; a runner that failed without a failed test still counts as one failure. */
function count(ok: boolean, read: () => { passed: number; failed: number }): void {
	let counts = { passed: 0, failed: 0 };
	try {
		counts = read();
	} catch (cause) {
		process.stdout.write(`The results could not be read: ${String(cause)}\n`);
	}
	passed += counts.passed;
	failed += ok ? counts.failed : Math.max(counts.failed, 1);
	if (ok && counts.passed === 0) failed += 1;
}

interface VitestReport {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
}
interface PlaywrightSuite {
	suites?: PlaywrightSuite[];
	specs?: { title: string; file: string; tests: { status: string }[] }[];
}
interface PlaywrightReport extends PlaywrightSuite {
	stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}
/** Browser tests that failed first and passed when they were run again. */
const flaky: string[] = [];
const flakyOf = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
	...specs
		.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
		.map(({ file, title }) => `${file}: ${title}`),
	...suites.flatMap(flakyOf)
];
const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

await Promise.all([
	check('format', [
		'node_modules/prettier/bin/prettier.cjs',
		'--check',
		'--log-level',
		'warn',
		'.'
	]),
	check('sync', ['node_modules/@sveltejs/kit/svelte-kit.js', 'sync'])
]);
await Promise.all([
	check('lint', ['node_modules/eslint/bin/eslint.js', '.']),
	check('types', [
		'node_modules/svelte-check/bin/svelte-check',
		'--tsconfig',
		'./tsconfig.json',
		'--fail-on-warnings'
	])
]);
const vitestOk = await run('unit, contract and integration tests', [
	'node_modules/vitest/vitest.mjs',
	'run',
	'--reporter=default',
	'--reporter=json',
	`--outputFile.json=${RESULTS}/vitest.json`
]);
count(vitestOk, () => {
	const report = readJson<VitestReport>(`${RESULTS}/vitest.json`);
	return {
		passed: report.numPassedTests,
		// A skipped test proves nothing, so it counts as failed.
		failed: report.numFailedTests + report.numPendingTests
	};
});
if (await check('build', ['src/start/build.ts'])) {
	const chromium = ensureChromium();
	/** The browser tests of some projects of the Playwright configuration, by a process of their own. */
	const browse = async (...projects: string[]): Promise<void> => {
		const name = projects.join(' and ');
		const json = `${RESULTS}/${projects.join('-')}.json`;
		const ok = await run(
			`browser tests: ${name}`,
			[
				...['node_modules/@playwright/test/cli.js', 'test'],
				...projects.map((project) => `--project=${project}`),
				`--output=${RESULTS}/${projects.join('-')}`
			],
			{ KOMODECK_CHROMIUM: chromium, PLAYWRIGHT_JSON: json }
		);
		count(ok, () => {
			const report = readJson<PlaywrightReport>(json);
			const { stats } = report;
			flaky.push(...flakyOf(report));
			return { passed: stats.expected + stats.flaky, failed: stats.unexpected + stats.skipped };
		});
	};
	await Promise.all([browse('pages'), browse('stories', 'seed')]);
	await browse('timed');
}

if (flaky.length > 0) {
	process.stdout.write(`\nPassed only when run again: ${flaky.join('; ')}\n`);
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
