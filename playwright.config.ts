import { defineConfig } from '@playwright/test';
import { installedChromium } from './tests/support/chromium.ts';

const json = process.env['PLAYWRIGHT_JSON'];
const executablePath = installedChromium();

/** What is told again on daemons that speak the interface document to the letter. */
const FLOWS = /(?:story|backup|selfimport|routes|trading|evm)\.spec\.ts$/;

export default defineConfig<object, { profile: 'fast' | 'seed' }>({
	testDir: 'tests/e2e',
	outputDir: 'test-results/playwright',
	// One worker: the machine that must pass has two cores, and the server and devnet need one of them.
	workers: 1,
	projects: [{ name: 'fast' }, { name: 'seed', testMatch: FLOWS, use: { profile: 'seed' } }],
	retries: 0,
	timeout: 60_000,
	expect: { timeout: 15_000 },
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
				'--disable-sync'
			]
		},
		actionTimeout: 10_000,
		navigationTimeout: 15_000,
		screenshot: 'only-on-failure',
		// A trace copies the page at each step, a quarter of the whole run; it is kept when somebody asks for it.
		trace: process.env['KOMODECK_TRACE'] ? 'retain-on-failure' : 'off'
	}
});
