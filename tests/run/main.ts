/**
 * The whole test run: the build, then unit, contract and integration tests, with types, formatting and lint at
 * low priority, then the built application in a real Chromium: four browsers in parallel, each with its own
 * servers. Every stage runs even when an earlier one failed. A failed test is run once more, and is listed if
 * it then passes. The last lines list the failures and say "N passed, N failed".
 *
 * `--install` installs missing requirements (needs root); without it the run lists them and ends.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { HARM } from '../faults/harness/tally.ts';
import { ensureChromium } from '../support/chromium.ts';
import { askToInstall } from '../support/install.ts';
import { toolOptions } from '../support/toolOptions.ts';
import { lacking } from './needs.ts';
import { merged, playwrightOutcomes, vitestOutcomes, type Outcome } from './results.ts';

const RESULTS = 'test-results';
/** Devnet profiles for the replay, which contributors also run against their own daemons. */
const REPLAYED = ['fast', 'daemon-0.9.0', 'seed', 'plain'];
/** A run starts hundreds of processes; they share Node.js's cache of compiled modules. */
const COMPILED = 'node_modules/.cache/node';
/** Twice the maximum size of all temporary files of a run, in bytes. */
const MEMORY_BYTES = 8 * 1024 ** 3;
/** With more failed files than this, a lack of time is not the cause, and nothing is run again. */
const MOST_AGAIN = 20;
let passed = 0;
/** One line for each failure. */
const failures: string[] = [];
/** One line for each test that passed only at the second attempt. */
const again: string[] = [];

/**
 * Runs a stage and prints how it ended; stages may run at the same time.
 * @param behind runs it at low priority
 * @returns its exit code, if it had one
 */
function run(
	title: string,
	args: readonly string[],
	{ env = {}, behind = false }: { env?: NodeJS.ProcessEnv; behind?: boolean } = {}
): Promise<number | null> {
	const started = performance.now();
	process.stdout.write(`\n== ${title}\n`);
	return new Promise((done) => {
		const end = (status: number | null): void => {
			const seconds = ((performance.now() - started) / 1000).toFixed(1);
			process.stdout.write(`== ${title}: ${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s\n`);
			done(status);
		};
		const child = spawn(process.execPath, args, {
			stdio: 'inherit',
			env: { NODE_COMPILE_CACHE: resolve(COMPILED), ...process.env, ...env }
		});
		child.once('error', () => end(null));
		child.once('exit', end);
		if (behind && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
	});
}

/** A stage that is one check: formatting, lint, types, build. */
async function check(title: string, args: string[], behind = false): Promise<boolean> {
	const ok = (await run(title, args, { behind })) === 0;
	if (ok) passed += 1;
	else failures.push(title);
	return ok;
}

/**
 * Runs a stage that waits for real blocks. Parallel runs can be too slow, so failed parts run once more, alone.
 */
async function checkWaiting(
	stages: readonly (readonly [title: string, args: readonly string[]])[]
) {
	const statuses = await Promise.all(stages.map(([title, args]) => run(title, args)));
	for (const [at, [title, args]] of stages.entries()) {
		const status = statuses[at];
		// Lost or doubly spent coins are not a timing problem, so they are not retried.
		const second =
			status === 0 || status === HARM ? status : await run(`${title}, once more`, args);
		if (second === 0) passed += 1;
		else failures.push(title);
		if (second === 0 && status !== 0) again.push(`${title}: ended with ${String(status)}`);
	}
}

/** Adds the outcomes of a test runner; a runner that failed without a failed test counts as one failure. */
function count(title: string, ok: boolean, outcomes: readonly Outcome[]): void {
	const failed = outcomes.filter(({ ended }) => ended === 'failed');
	passed += outcomes.length - failed.length;
	failures.push(...failed.map(({ file, name, why }) => `${file}: ${name}: ${why}`));
	again.push(
		...outcomes
			.filter(({ ended }) => ended === 'again')
			.map(({ file, name, why }) => `${file}: ${name}: ${why}`)
	);
	if (!ok && failed.length === 0) failures.push(`${title}: ended with an error of its own`);
	if (outcomes.length === 0) failures.push(`${title}: ran no test`);
}

/**
 * Puts all temporary files of the run into memory if there is room: a thousand databases and networks exist for
 * a minute each, and none of them is needed afterwards.
 */
function scratchInMemory(): void {
	const memory = '/dev/shm';
	if (!existsSync(memory)) return;
	const { bavail, bsize } = statfsSync(memory);
	if (bavail * bsize < MEMORY_BYTES) return;
	const folder = mkdtempSync(`${memory}/komodeck-run-`);
	// The data folder of PostgreSQL's system user is in it.
	chmodSync(folder, 0o711);
	process.env['TMPDIR'] = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** The outcomes that a test runner stored; none if it ended before it wrote them. */
function outcomesOf(read: () => Outcome[]): Outcome[] {
	try {
		return read();
	} catch (cause) {
		process.stdout.write(`The results could not be read: ${String(cause)}\n`);
		return [];
	}
}

/** Runs the tests of vitest: all of them, or those of some files. */
async function vitest(title: string, name: string, files: Iterable<string> = []) {
	const json = `${RESULTS}/${name}.json`;
	const status = await run(title, [
		'node_modules/vitest/vitest.mjs',
		'run',
		...files,
		'--reporter=default',
		'--reporter=json',
		`--outputFile.json=${json}`
	]);
	return { title, ok: status === 0, outcomes: outcomesOf(() => vitestOutcomes(json)) };
}

/**
 * Counts the results of vitest. If few files failed, they run again now that no other stage is running: whole,
 * because a test may build on the ones before it.
 */
async function countUnits({
	title,
	ok,
	outcomes
}: Awaited<ReturnType<typeof vitest>>): Promise<void> {
	const failed = outcomes.filter(({ ended }) => ended === 'failed');
	const files = new Set(failed.map(({ file }) => file));
	if (files.size === 0 || files.size > MOST_AGAIN) {
		count(title, ok, outcomes);
		return;
	}
	const second = await vitest('what failed, once more', 'again', files);
	count(title, second.outcomes.length > 0, merged(outcomes, second.outcomes));
}

/** The browser tests. They mostly wait for blocks and pages: four in parallel keep two processors busy. */
async function browse(): Promise<void> {
	const title = 'browser tests';
	const json = `${RESULTS}/browsers.json`;
	const status = await run(
		title,
		[
			...['node_modules/@playwright/test/cli.js', 'test', '--workers=4'],
			`--output=${RESULTS}/browsers`
		],
		{ env: { KOMODECK_CHROMIUM: ensureChromium(), PLAYWRIGHT_JSON: json } }
	);
	count(
		title,
		status === 0,
		outcomesOf(() => playwrightOutcomes(json))
	);
}

/** Ends the run if the machine lacks requirements of the tests. */
function endWhereMissing(missing: readonly string[]): void {
	if (missing.length === 0) return;
	for (const sentence of missing) process.stdout.write(`${sentence}.\n`);
	process.stdout.write('As root, npm test -- --install installs all of it.\n');
	process.stdout.write(`\n0 passed, ${missing.length} failed\n`);
	process.exit(1);
}

const { install: isInstalling } = toolOptions(
	{ install: { type: 'boolean', default: false } },
	'usage: npm test -- [--install]'
);
if (isInstalling) askToInstall();
else endWhereMissing(lacking());

scratchInMemory();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

// Packages are downloaded while the product is built.
const installed = isInstalling
	? run('what the tests need', ['tests/run/installProcess.ts'])
	: undefined;
await check('sync', ['node_modules/@sveltejs/kit/svelte-kit.js', 'sync']);
// Some integration tests start the product, and each of them would build it. The build writes the types of the
// routes again, so whatever reads types waits for it.
const [isBuilt] = await Promise.all([check('build', ['src/start/build.ts']), installed]);
// Checks that only read files run at low priority beside the tests, which leave a tenth of two processors.
const reading = [
	check(
		'types',
		[
			'node_modules/svelte-check/bin/svelte-check',
			...['--tsconfig', './tsconfig.json', '--fail-on-warnings']
		],
		true
	),
	check(
		'format',
		['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
		true
	),
	check('lint', ['node_modules/eslint/bin/eslint.js', '.'], true),
	check('unused exports and dependencies', ['node_modules/knip/bin/knip.js'], true)
];
endWhereMissing(lacking());
const units = await vitest('unit, contract and integration tests', 'vitest');
if (isBuilt) {
	await checkWaiting([
		['faults', ['tests/faults/harness/main.ts']],
		...REPLAYED.map(
			(profile) =>
				[`replay on devnet ${profile}`, ['tests/replay/main.ts', '--devnet', profile]] as const
		)
	]);
	await browse();
}
await Promise.all(reading);
await countUnits(units);

const tell = (words: string, lines: readonly string[]): void => {
	if (lines.length > 0)
		process.stdout.write(`\n${words}:\n${lines.map((line) => `- ${line}\n`).join('')}`);
};
tell('Passed only when run again', again);
tell('Failed', failures.slice(0, 50));
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
process.exit(failures.length === 0 ? 0 : 1);
