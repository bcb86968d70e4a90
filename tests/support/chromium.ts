import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { howToInstall, installPackage, isAskedToInstall, runInstaller } from './install.ts';

const INSTALLED = [
	// Debian's headless Chromium: renders the same pages with three quarters of the work.
	'/usr/bin/chromium-headless-shell',
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
];

/** The browser for the tests: one named by the environment, else an installed one, else Playwright's. */
export function installedChromium(): string | undefined {
	const named = process.env['KOMODECK_CHROMIUM'];
	if (named) return named;
	return [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path));
}

/**
 * Path of a Chromium. With `--install` a missing one is installed: Playwright's download, else Debian's
 * package. Throws a sentence when there is none.
 */
export function ensureChromium(): string {
	const found = installedChromium();
	if (found) return found;
	const attempts = [
		() =>
			runInstaller(
				process.execPath,
				...['node_modules/@playwright/test/cli.js', 'install', 'chromium']
			),
		() => installPackage('chromium-headless-shell'),
		() => installPackage('chromium')
	];
	for (const attempt of isAskedToInstall() ? attempts : []) {
		attempt();
		const installed = installedChromium();
		if (installed) return installed;
	}
	throw new Error(
		`${howToInstall('a Chromium', 'chromium')}, or set KOMODECK_CHROMIUM to the path of one`
	);
}
