/** `npm start` with a ready build and nothing configured: devnet, the first page, the first account. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { ADMIN } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';
import { freePort } from '../support/freePort.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Started {
	child: ChildProcess;
	/** What it has said so far. */
	said(): string;
}

/** Starts it as somebody does who has configured nothing. */
function start(port: number, folder: string, env: Record<string, string> = {}): Started {
	const home = join(folder, 'home');
	mkdirSync(home);
	const inherited = Object.entries(process.env).filter(([name]) => !/^KOMOD/.test(name));
	const child = spawn(process.execPath, ['src/start/main.ts'], {
		cwd: ROOT,
		env: {
			...Object.fromEntries(inherited),
			PORT: String(port),
			KOMODECK_DATA: join(folder, 'data'),
			KOMODO_HOME: home,
			...env
		},
		stdio: ['ignore', 'pipe', 'pipe']
	});
	let output = '';
	const hear = (part: Buffer): void => void (output += part.toString());
	child.stdout.on('data', hear);
	child.stderr.on('data', hear);
	return { child, said: () => output };
}

/** Resolves when the process has said it, rejects when it ends before. */
function hears({ child, said }: Started, what: RegExp): Promise<RegExpMatchArray> {
	return new Promise((done, failed) => {
		const look = (): void => {
			const match = said().match(what);
			if (match) done(match);
		};
		child.stdout?.on('data', look);
		child.once('exit', (code) => failed(new Error(`It ended with ${code}:\n${said()}`)));
		look();
	});
}

async function end({ child }: Started): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = new Promise<void>((done) => child.once('exit', () => done()));
	child.kill('SIGTERM');
	await gone;
}

test('a start without any configuration shows its first page, and its link makes one first account', async ({
	page
}) => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-start-'));
	const port = await freePort();
	const started = start(port, folder);
	try {
		await hears(started, /Komodeck is at/);
		const first = await fetch(`http://localhost:${port}/`);
		const html = await first.text();
		expect(first.status).toBe(200);
		expect(html).toContain('SELF');
		expect(html).toContain('</html>');

		const [, link] = await hears(started, /Create the first account: (\S+)/);
		await page.goto(link!);
		expect(await complaintsEveryWay(page), 'an open set-up link').toEqual([]);
		const good = {
			Name: 'ada',
			Password: 'the quick analytical engine',
			'Confirm password': 'the quick analytical engine'
		};
		const wrong = [
			{ field: 'Name', typed: { ...good, Name: ' ' } },
			{ field: 'Name', typed: { ...good, Name: 'x'.repeat(65) } },
			{ field: 'Password', typed: { ...good, Password: 'short', 'Confirm password': 'short' } },
			{ field: 'Confirm password', typed: { ...good, 'Confirm password': 'another one' } }
		] as const;
		const put = async (label: string, text: string): Promise<void> => {
			const input = page.getByLabel(label, { exact: true });
			await input.evaluate((element) => element.removeAttribute('maxlength'));
			await input.fill(text);
		};
		for (const { field, typed } of wrong) {
			for (const [label, text] of Object.entries(typed)) await put(label, text);
			await page.locator('main form').evaluate((form: HTMLFormElement) => {
				form.noValidate = true;
			});
			await page.locator('main button').click();
			const input = page.getByLabel(field, { exact: true });
			await expect(input, `${field}: ${typed[field]}`).toHaveAttribute('aria-invalid', 'true');
			await expect(input).toHaveAccessibleDescription(/\w.{10,}/);
			await expect(page.getByLabel('Name', { exact: true })).toHaveValue(typed.Name);
			await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
		}
		expect(await complaintsEveryWay(page), 'a set-up form with an error').toEqual([]);
		for (const [label, text] of Object.entries(good)) await put(label, text);
		await page.locator('main button').click();
		await page.waitForURL((url) => url.pathname === '/');
		await page.goto(link!);
		expect(await complaintsEveryWay(page), 'a used set-up link').toEqual([]);
		await expect(page.locator('main')).toContainText(/used|expired/);
	} finally {
		await end(started);
		rmSync(folder, { recursive: true, force: true });
	}
});

test('a sign-in that comes around the proxy that should say whose it is gets an answer', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-start-'));
	const port = await freePort();
	const started = start(port, folder, { ADDRESS_HEADER: 'x-real-ip' });
	try {
		await hears(started, /Komodeck is at/);
		const origin = `http://localhost:${port}`;
		const answer = await fetch(`${origin}/login`, {
			method: 'POST',
			headers: { origin, accept: 'text/html' },
			body: new URLSearchParams({ name: 'nobody', password: 'a long wrong password', next: '/' })
		});
		expect(answer.status).toBe(400);
	} finally {
		await end(started);
		rmSync(folder, { recursive: true, force: true });
	}
});

/** Starts it with one daemon that does not answer, and nothing else. */
function startAlone(port: number, folder: string): Started {
	const config = join(folder, 'komodeck.json');
	// Nothing listens there.
	const daemon = { chain: 'ALPHA', url: 'http://127.0.0.1:1', user: 'u', password: 'p' };
	writeFileSync(config, JSON.stringify({ daemons: [daemon] }));
	return start(port, folder, {
		KOMODECK_CONFIG: config,
		KOMODECK_ADMIN_USER: ADMIN.name,
		KOMODECK_ADMIN_PASSWORD: ADMIN.password
	});
}

test('where no trading node is configured, nothing leads to a page that needs one', async ({
	page
}) => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-start-'));
	const port = await freePort();
	const started = startAlone(port, folder);
	try {
		await hears(started, /Komodeck is at/);
		const url = `http://localhost:${port}`;
		const plain = new PlainBrowser(url);
		await plain.signIn();
		const linked = new Set<string>();
		for (const path of ['/', '/kdf']) {
			const { $ } = await plain.open(path);
			for (const link of $('nav a[href^="/"], main a[href^="/"]').toArray())
				linked.add($(link).attr('href')!);
		}
		expect([...linked]).toContain('/kdf/verify');
		for (const path of linked) expect((await plain.open(path)).status, path).toBe(200);

		await page.goto(`${url}/login`);
		await page.getByLabel('Name', { exact: true }).fill(ADMIN.name);
		await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
		await page.getByRole('button', { name: 'Log in', exact: true }).click();
		await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
		await page.keyboard.press('Control+k');
		await page.getByRole('combobox').last().fill('message');
		await expect(page.getByRole('option', { name: /Verify a message/ })).toBeVisible();
		await expect(page.getByRole('option', { name: /Sign/ })).toHaveCount(0);
	} finally {
		await end(started);
		rmSync(folder, { recursive: true, force: true });
	}
});

test('of a daemon that never answered pages say once that it is offline, and name no block', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-start-'));
	const port = await freePort();
	const started = startAlone(port, folder);
	try {
		await hears(started, /Komodeck is at/);
		const plain = new PlainBrowser(`http://localhost:${port}`);
		await plain.signIn();
		const textOf = async (path: string): Promise<string> =>
			(await plain.open(path)).$('main').text().replaceAll(/\s+/g, ' ');
		await expect
			.poll(async () => (await textOf('/wallets/ALPHA/history')).match(/has been offline/g)?.length)
			.toBe(1);
		await expect
			.poll(() => textOf('/chains/ALPHA/indexing'))
			.toContain('Newest block of the daemon Unknown');
	} finally {
		await end(started);
		rmSync(folder, { recursive: true, force: true });
	}
});
