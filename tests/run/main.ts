/**
 * The whole test run: types and the build, then unit, contract and integration tests, with formatting and lint behind
 * them, then the built application in a real Chromium: four browsers side by side, each with servers of its own.
 * Every stage runs even when an earlier one failed. A test that fails is run once more, and named when it passes
 * then. The last lines name what failed, and say "N passed, N failed".
 *
 * `--install` installs what the machine lacks for it (needs root); without it the run says what that is, and ends.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { HARM } from '../faults/harness/tally.ts';
import { ensureChromium } from '../support/chromium.ts';
import { askToInstall } from '../support/install.ts';
import { lacking } from './needs.ts';
import { merged, playwrightOutcomes, vitestOutcomes, WHOLE_FILE, type Outcome } from './results.ts';

const RESULTS = 'test-results';
/** Devnets on which the replay runs, as it does for contributors with daemons. */
const REPLAYED = ['fast', 'daemon-0.9.0', 'seed', 'plain'];
/** Hundreds of processes start in a run; what Node.js compiled for one of them serves the others. */
const COMPILED = 'node_modules/.cache/node';
/** Room in memory for all temporary files of a run at their most, twice over. */
const MEMORY_BYTES = 8 * 1024 ** 3;
/** More files than these do not fail for want of time, and are not run again. */
const MOST_AGAIN = 20;
let passed = 0;
/** A line for each thing that failed. */
const failures: string[] = [];
/** A line for each test that passed only when it was run again. */
const again: string[] = [];

/**
 * Runs a stage and says how it ended; stages may run at the same time.
 * @param behind it takes only what time the others leave
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

/** What waits for real blocks. Side by side they can be too slow, so what failed runs once more, alone. */
async function checkWaiting(
	stages: readonly (readonly [title: string, args: readonly string[]])[]
) {
	const statuses = await Promise.all(stages.map(([title, args]) => run(title, args)));
	for (const [at, [title, args]] of stages.entries()) {
		const status = statuses[at];
		// Coins that were lost or spent twice are no matter of time.
		const second =
			status === 0 || status === HARM ? status : await run(`${title}, once more`, args);
		if (second === 0) passed += 1;
		else failures.push(title);
		if (second === 0 && status !== 0) again.push(`${title}: ended with ${String(status)}`);
	}
}

/** Adds a runner's outcomes; a runner that failed without a failed test still counts as one failure. */
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
 * Lets everything that the run starts keep its temporary files in memory, where there is room: a thousand databases
 * and networks are written for a minute each, and nothing of it is wanted afterwards.
 */
function scratchInMemory(): void {
	const memory = '/dev/shm';
	if (!existsSync(memory)) return;
	const { bavail, bsize } = statfsSync(memory);
	if (bavail * bsize < MEMORY_BYTES) return;
	const folder = mkdtempSync(`${memory}/komodeck-run-`);
	// PostgreSQL's own user has its folder in it.
	chmodSync(folder, 0o711);
	process.env['TMPDIR'] = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** What a runner left behind; nothing where it ended before it wrote that. */
function outcomesOf(read: () => Outcome[]): Outcome[] {
	try {
		return read();
	} catch (cause) {
		process.stdout.write(`The results could not be read: ${String(cause)}\n`);
		return [];
	}
}

/** What of its files vitest runs: these tests, or all where a file failed as a whole. */
function namePattern(failed: readonly Outcome[]): string[] {
	if (failed.length === 0 || failed.some(({ name }) => name === WHOLE_FILE)) return [];
	// A space of a name may stand between the titles of a group and its test, where the pattern sees something else.
	const names = failed.map(({ name }) =>
		name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '(?: > | )')
	);
	return [`--testNamePattern=^(?:${names.join('|')})$`];
}

/** Runs tests of vitest: all of them, or those that failed. */
async function vitest(title: string, name: string, failed: readonly Outcome[] = []) {
	const json = `${RESULTS}/${name}.json`;
	const status = await run(title, [
		'node_modules/vitest/vitest.mjs',
		'run',
		...new Set(failed.map(({ file }) => file)),
		...namePattern(failed),
		'--reporter=default',
		'--reporter=json',
		`--outputFile.json=${json}`
	]);
	return { title, ok: status === 0, outcomes: outcomesOf(() => vitestOutcomes(json)) };
}

/** Counts the tests of vitest. Where few files failed, what failed in them runs again now that nothing runs beside it. */
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
	const second = await vitest('what failed, once more', 'again', failed);
	count(title, second.ok, merged(outcomes, second.outcomes));
}

/** The browser tests. They wait for blocks and pages more than they compute: four at a time keep two processors busy. */
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

/** Ends the run where the machine lacks what the tests need. */
function endWhereLacking(missing: readonly string[]): void {
	if (missing.length === 0) return;
	for (const sentence of missing) process.stdout.write(`${sentence}.\n`);
	process.stdout.write('As root, npm test -- --install installs all of it.\n');
	process.stdout.write(`\n0 passed, ${missing.length} failed\n`);
	process.exit(1);
}

const isInstalling = process.argv.includes('--install');
if (isInstalling) askToInstall();
else endWhereLacking(lacking());

scratchInMemory();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

// Packages come over the network while the product is built.
const installed = isInstalling
	? run('what the tests need', ['tests/run/installProcess.ts'])
	: undefined;
await check('sync', ['node_modules/@sveltejs/kit/svelte-kit.js', 'sync']);
// What only reads files runs behind the tests: they leave a tenth of two processors.
const reading = [
	check(
		'format',
		['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
		true
	),
	check('lint', ['node_modules/eslint/bin/eslint.js', '.'], true),
	check('unused exports and dependencies', ['node_modules/knip/bin/knip.js'], true)
];
// Some of the integration tests start the product, each of which would build it.
const [isBuilt] = await Promise.all([
	check('build', ['src/start/build.ts']),
	check('types', [
		'node_modules/svelte-check/bin/svelte-check',
		'--tsconfig',
		'./tsconfig.json',
		'--fail-on-warnings'
	]),
	installed
]);
endWhereLacking(lacking());
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
