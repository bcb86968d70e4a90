import { defineConfig } from '@playwright/test';
import { installedChromium } from './tests/support/chromium.ts';

const json = process.env['PLAYWRIGHT_JSON'];
const executablePath = installedChromium();
const isTraced = Boolean(process.env['KOMODECK_TRACE']);

/** The files that take longest. */
const LONGEST = '{access,forms,states,wallet}.spec.ts';
/** Long stories: transactions, the trading node, and failing daemons. */
const STORIES = '{evm,faults,kdf,kdfFaults,notaryApprovals,routes,selfImport,story}.spec.ts';
/**
 * Stories that also run on the devnet profile `seed`, which follows the interface document literally: coins and the
 * trading node, whose responses the pages show differently. Notary approvals, self-imports and custom routes look
 * the same on both profiles; the integration tests run them on both over HTTP.
 */
const AGAIN = '{evm,kdf,story}.spec.ts';
const within = (files: string): string => `**/${files}`;

export default defineConfig<object, { profile: 'fast' | 'seed' }>({
	testDir: 'tests/e2e',
	globalSetup: './tests/e2e/support/built.ts',
	outputDir: 'test-results/playwright',
	// Each worker starts its own browser and its own server, which costs as much as a test.
	workers: 1,
	// Files start in the order of the projects: the longest first, so that no worker runs one alone at the end.
	projects: [
		{ name: 'longest', testMatch: within(LONGEST) },
		{ name: 'seed', testMatch: within(AGAIN), use: { profile: 'seed' }, workers: 1 },
		{ name: 'stories', testMatch: within(STORIES), workers: 2 },
		{ name: 'pages', testIgnore: [within(LONGEST), within(STORIES)] }
	],
	// A machine under load can be too slow once. The whole run lists the tests that passed only at a retry.
	retries: json ? 2 : 0,
	// Ends tests that hang; slow machines take five times longer than fast ones.
	timeout: 300_000,
	expect: { timeout: 30_000 },
	reporter: json ? [['list'], ['json', { outputFile: json }]] : [['list']],
	use: {
		browserName: 'chromium',
		launchOptions: {
			...(executablePath ? { executablePath } : {}),
			// Chromium has no sandbox for root. The other arguments stop calls to hosts that no test needs.
			args: [
				...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
				// Pages live for seconds, so the time that V8 spends on optimization and garbage collection is never
				// regained.
				`--js-flags=${[
					...['--no-opt', '--no-turbofan', '--no-maglev', '--single-threaded'],
					...['--min-semi-space-size=16', '--initial-heap-size=256', '--no-memory-reducer']
				].join(',')}`
			]
		},
		// Each test gets an empty context, but shares the browser's processes and its compiled scripts.
		reuseContext: true,
		// Clicks wait for animations to end.
		contextOptions: { reducedMotion: 'reduce' },
		actionTimeout: 40_000,
		navigationTimeout: 60_000,
		// Traces take a quarter of the time of a run. Screenshots are taken of each page before the outcome of its test is
		// known, and cost as much as opening the page. KOMODECK_TRACE turns both on.
		trace: isTraced ? 'retain-on-failure' : 'off',
		screenshot: isTraced ? 'only-on-failure' : 'off'
	}
});
