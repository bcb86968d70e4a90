import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const INSTALLED = [
	// Debian's Chromium without windows: the same pages for three quarters of the work.
	'/usr/bin/chromium-headless-shell',
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
];

/** The browser that the tests drive: one named by the environment, else an installed one, else Playwright's. */
export function installedChromium(): string | undefined {
	const named = process.env['KOMODECK_CHROMIUM'];
	if (named) return named;
	return [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path));
}

/**
 * Path of a Chromium, installed first when the machine has none: by Playwright's own download,
 * else as Debian's package (needs root). Throws a sentence when neither works.
 */
export function ensureChromium(): string {
	const found = installedChromium();
	if (found) return found;
	const attempts: [string, string[]][] = [
		[process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']],
		['apt-get', ['update']],
		['apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']],
		['apt-get', ['install', '-y', '--no-install-recommends', 'chromium']]
	];
	for (const [command, args] of attempts) {
		spawnSync(command, args, {
			stdio: ['ignore', 'ignore', 'inherit'],
			timeout: 600_000,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
		});
		const installed = installedChromium();
		if (installed) return installed;
	}
	throw new Error(
		'No Chromium was found and none could be installed. Install one and set KOMODECK_CHROMIUM to its path.'
	);
}
