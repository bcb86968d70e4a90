/**
 * What every browser test stands on: a development network of its own and the built application before it,
 * both as processes, started once for a file of tests.
 */
// Before whatever hashes passwords.
import '../../support/cheapPasswords.ts';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import { command } from '../../support/commandLine.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { launchProduct } from '../../support/product.ts';

const READY_WITHIN_MS = 60_000;
/** Members of tests log in hundreds of times. */
const CHEAP_PASSWORDS = join(import.meta.dirname, '../../support/cheapPasswords.ts');
export const ADMIN = { name: 'ada', password: 'the quick analytical engine' };

/** How the daemons of a network speak. */
export type Profile = 'fast' | 'seed';

export interface Console {
	url: string;
	devnet: Devnet;
	dataDir: string;
	process: ChildProcess;
	/** Ends the application as a crash does, and starts it again on the same data. */
	crashAndRestart(): Promise<void>;
}

/** Settings of the application beside those that all tests have. */
export type Settings = Readonly<Record<string, string>>;

/** Waits until the index holds every chain: tests read what is there, not what is still coming. */
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
	const devnet = await startDevnet({ manual: true, profile });
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-e2e-'));
	const launch = (port?: number) =>
		launchProduct({
			port,
			flags: ['--import', CHEAP_PASSWORDS],
			env: {
				KOMODECK_DATA: dataDir,
				KOMODO_HOME: devnet.dir,
				KOMODECK_PUBLIC: '1',
				// A sweep over all routes asks faster than people do.
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
	/** Tests that leave things behind name a console of their own; files of the same name share it. */
	apart: ['', { option: true, scope: 'worker' }],
	/** For tests whose application talks to servers of their own. */
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
 * Signs the browser in by what the form of the page would post. Tests of the form itself fill it in; a page to log in
 * and the one behind it would be half of what a short test costs.
 */
export async function signIn(page: Page, person = ADMIN): Promise<void> {
	// A connection that is kept is closed by the server just when a later request of the test takes it.
	const headers = { accept: 'text/html', connection: 'close' };
	const form = await page.request.get('/login', { headers });
	const answer = await page.request.post('/login', {
		headers: { ...headers, origin: new URL(form.url()).origin },
		form: { ...person, next: '/' },
		maxRedirects: 0
	});
	expect(answer.status(), `${person.name} logs in`).toBe(303);
}

/** Adds a member by the command line, with some wallets. @returns how they sign in */
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

/** Presses the button of a form and waits until the server has answered: who leaves earlier takes the request back. */
export async function submit(button: Locator): Promise<void> {
	await Promise.all([
		button.page().waitForResponse((answer) => answer.request().method() === 'POST'),
		button.click()
	]);
}
