import { defineConfig } from '@playwright/test';
import { installedChromium } from './tests/support/chromium.ts';

const json = process.env['PLAYWRIGHT_JSON'];
const executablePath = installedChromium();

/** Stories of transactions and of the trading node. */
const STORIES = '{evm,kdf,kdfFaults,notaryApprovals,routes,selfImport,states,story}.spec.ts';
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
	// One worker, so that tests meet what those before them left in an order that is always the same.
	workers: 1,
	projects: [
		{ name: 'pages', testIgnore: within(STORIES) },
		{ name: 'stories', testMatch: within(STORIES) },
		{ name: 'seed', testMatch: within(AGAIN), use: { profile: 'seed' } }
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
				// Pages live for seconds: what V8 spends on optimizing their scripts, beside them too, never comes back.
				'--js-flags=--no-opt,--single-threaded'
			]
		},
		// Each test gets a browser emptied of everything but its processes and the scripts that it has compiled.
		reuseContext: true,
		// Nobody watches a button change its color, and clicks wait for what moves.
		contextOptions: { reducedMotion: 'reduce' },
		actionTimeout: 40_000,
		navigationTimeout: 60_000,
		screenshot: 'only-on-failure',
		// A trace copies the page at each step, a quarter of the whole run; it is kept when somebody asks for it.
		trace: process.env['KOMODECK_TRACE'] ? 'retain-on-failure' : 'off'
	}
});
