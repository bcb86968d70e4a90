import { defineConfig } from '@playwright/test';
import { installedChromium } from './tests/support/chromium.ts';

const json = process.env['PLAYWRIGHT_JSON'];
const executablePath = installedChromium();
const isTraced = Boolean(process.env['KOMODECK_TRACE']);

/** Stories of transactions, of the trading node and of daemons in trouble: what takes longest. */
const STORIES = '{evm,faults,kdf,kdfFaults,notaryApprovals,routes,selfImport,states,story}.spec.ts';
/**
 * Those of them that are told again on daemons that speak the interface document to the letter: coins and the trading
 * node, whose forms differ on the pages. Notary approvals, self-imports and custom routes show the same on both;
 * that they understand both is told over HTTP by the integration tests.
 */
const AGAIN = '{evm,kdf,story}.spec.ts';
const within = (files: string): string => `**/${files}`;

export default defineConfig<object, { profile: 'fast' | 'seed' }>({
	testDir: 'tests/e2e',
	globalSetup: './tests/e2e/support/built.ts',
	outputDir: 'test-results/playwright',
	// One by one, unless told otherwise: each worker has a browser and a console of its own, which cost as much as a test.
	workers: 1,
	// What takes longest begins first, so that no worker is left alone with it at the end.
	projects: [
		{ name: 'seed', testMatch: within(AGAIN), use: { profile: 'seed' }, workers: 1 },
		{ name: 'stories', testMatch: within(STORIES), workers: 2 },
		{ name: 'pages', testIgnore: within(STORIES) }
	],
	// A machine under load can be too slow once. The whole run tells by name what passed only when run again.
	retries: json ? 2 : 0,
	// What hangs, not what is slow: a machine may be five times slower than another.
	timeout: 300_000,
	expect: { timeout: 30_000 },
	reporter: json ? [['list'], ['json', { outputFile: json }]] : [['list']],
	use: {
		browserName: 'chromium',
		launchOptions: {
			...(executablePath ? { executablePath } : {}),
			// Chromium refuses its sandbox to root; the others stop calls to hosts that tests never need.
			args: [
				...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
				// Pages live for seconds: what V8 spends on optimizing their scripts and on tidying their heap, beside them too,
				// never comes back.
				`--js-flags=${[
					...['--no-opt', '--no-turbofan', '--no-maglev', '--single-threaded'],
					...['--min-semi-space-size=16', '--initial-heap-size=256', '--no-memory-reducer']
				].join(',')}`
			]
		},
		// Each test gets a browser emptied of everything but its processes and the scripts that it has compiled.
		reuseContext: true,
		// Nobody watches a button change its color, and clicks wait for what moves.
		contextOptions: { reducedMotion: 'reduce' },
		actionTimeout: 40_000,
		navigationTimeout: 60_000,
		// A trace copies the page at each step, a quarter of the whole run; a picture is taken of every page before anybody
		// knows whether its test failed, and costs as much as to open it. Both are kept when somebody asks for them.
		trace: isTraced ? 'retain-on-failure' : 'off',
		screenshot: isTraced ? 'only-on-failure' : 'off'
	}
});
