/**
 * The environment of every browser test: a separate development network and the built application, both as
 * processes, started once for each test file.
 */
// Must be imported before any module that hashes passwords.
import '../../support/cheapPasswords.ts';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import { command } from '../../support/commandLine.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { launchProduct, ROOMY_HEAP } from '../../support/product.ts';

const READY_WITHIN_MS = 60_000;
/** The tests of one console take up to a quarter of an hour, and pages call a chain stuck after half an hour. */
const NETWORK_AGE_MS = 5 * 60_000;
/** Tests log in hundreds of times. */
const CHEAP_PASSWORDS = join(import.meta.dirname, '../../support/cheapPasswords.ts');
export const ADMIN = { name: 'ada', password: 'the quick analytical engine' };

/** Dialects of a network's daemons. */
export type Profile = 'fast' | 'seed';

export interface Console {
	url: string;
	devnet: Devnet;
	dataDir: string;
	process: ChildProcess;
	/** Kills the application like a crash, and starts it again on the same data. */
	crashAndRestart(): Promise<void>;
}

/** Settings in addition to those of all tests. */
type Settings = Readonly<Record<string, string>>;

/** Waits until every chain is indexed, because tests read existing data. */
async function indexed(url: string): Promise<void> {
	await expect
		.poll(
			async () => {
				const answer = await fetch(`${url}/api/v1/chains`);
				const { rows } = (await answer.json()) as { rows: { state: string }[] };
				return rows.length > 0 && rows.every(({ state }) => state === 'current');
			},
			{ timeout: READY_WITHIN_MS }
		)
		.toBe(true);
}

async function startConsole(
	profile: Profile,
	settings: Settings
): Promise<Console & { stop(): Promise<void> }> {
	const devnet = await startDevnet({ manual: true, profile, mostAgeMs: NETWORK_AGE_MS });
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-e2e-'));
	const launch = (port?: number) =>
		launchProduct({
			port,
			flags: [ROOMY_HEAP, '--import', CHEAP_PASSWORDS],
			env: {
				KOMODECK_DATA: dataDir,
				KOMODO_HOME: devnet.dir,
				KOMODECK_PUBLIC: '1',
				// The tests of all routes send requests faster than members do.
				KOMODECK_REQUESTS: '1000000',
				KOMODECK_ADMIN_USER: ADMIN.name,
				KOMODECK_ADMIN_PASSWORD: ADMIN.password,
				...settings
			}
		});
	let product = await launch();
	const { url, port } = product;
	await indexed(url);
	return {
		url,
		devnet,
		dataDir,
		get process() {
			return product.child;
		},
		async crashAndRestart() {
			await product.kill();
			product = await launch(port);
		},
		async stop() {
			await product.stop();
			await devnet.stop();
			rmSync(dataDir, { recursive: true, force: true });
		}
	};
}

/** Playwright's test with the running console, shared by the tests of one worker. */
export const test = base.extend<
	{ baseURL: string },
	{ console: Console; profile: Profile; apart: string; settings: Settings }
>({
	profile: ['fast', { option: true, scope: 'worker' }],
	/** Tests that leave data behind name a separate console; files with the same name share it. */
	apart: ['', { option: true, scope: 'worker' }],
	/** Settings for tests whose application uses the test's own servers. */
	settings: [{}, { scope: 'worker' }],
	console: [
		async ({ profile, apart: _apart, settings }, use) => {
			const running = await startConsole(profile, settings);
			await use(running);
			await running.stop();
		},
		{ scope: 'worker', timeout: 120_000 }
	],
	baseURL: async ({ console: running }, use) => {
		await use(running.url);
	}
});
export { expect } from '@playwright/test';

/**
 * Logs the browser in with a request that posts the form's fields. Tests of the login form itself fill it in;
 * loading two pages for it would take half of a short test.
 */
export async function signIn(page: Page, person = ADMIN): Promise<void> {
	// The server could close a keep-alive connection just when a later request of the test uses it.
	const headers = { accept: 'text/html', connection: 'close' };
	const form = await page.request.get('/login', { headers });
	const answer = await page.request.post('/login', {
		headers: { ...headers, origin: new URL(form.url()).origin },
		form: { ...person, next: '/' },
		maxRedirects: 0
	});
	expect(answer.status(), `${person.name} logs in`).toBe(303);
}

/**
 * Adds a member with the command line, with grants for some wallets.
 * @returns the credentials
 */
export async function addMember(
	{ dataDir, devnet }: Console,
	{ name, role, wallets }: { name: string; role: string; wallets?: string }
): Promise<typeof ADMIN> {
	const user = async (...args: string[]): Promise<string> => {
		const env = { KOMODO_HOME: devnet.dir };
		const { code, out, err } = await command({ dataDir }, ['user', ...args], { env });
		expect(code, err).toBe(0);
		return out;
	};
	const said = await user('add', name, '--role', role);
	if (wallets !== undefined) await user('wallets', name, wallets);
	return { name, password: said.trim().split(/\s+/).at(-1) ?? '' };
}

/**
 * Presses the button of a form and waits for the response: leaving the page earlier would cancel the request.
 */
export async function submit(button: Locator): Promise<void> {
	await Promise.all([
		button.page().waitForResponse((answer) => answer.request().method() === 'POST'),
		button.click()
	]);
}

/** Confirms what cannot be undone, in the dialog or on the page that asks for it, and waits for the response. */
export const sure = (page: Page): Promise<void> =>
	submit(
		page.locator('dialog .button-danger, form:has([name="sure"][value="yes"]) .button-danger')
	);
