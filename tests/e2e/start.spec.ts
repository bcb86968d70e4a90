/** `npm start` with an existing build and without configuration: devnet, the first page, the first account. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { ADMIN } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';
import { configOfNowhere, launchProduct, type Product } from '../support/product.ts';
import { logIn } from './support/members.ts';

/** Runs the product with only this configuration during `act`. */
async function withProduct(
	configured: (folder: string) => Record<string, string>,
	act: (product: Product) => Promise<void>
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-start-'));
	const home = join(folder, 'home');
	mkdirSync(home);
	const product = await launchProduct({
		env: { KOMODECK_DATA: join(folder, 'data'), KOMODO_HOME: home, ...configured(folder) }
	});
	try {
		await act(product);
	} finally {
		await product.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A configuration with one daemon that does not respond. */
const oneDaemon = (folder: string): Record<string, string> => ({
	KOMODECK_CONFIG: configOfNowhere(folder),
	KOMODECK_ADMIN_USER: ADMIN.name,
	KOMODECK_ADMIN_PASSWORD: ADMIN.password
});

test('a start without any configuration shows its first page, and its link makes one first account', async ({
	page
}) => {
	await withProduct(
		() => ({}),
		async ({ url, log }) => {
			const first = await fetch(url);
			const html = await first.text();
			expect(first.status).toBe(200);
			expect(html).toContain('SELF');
			expect(html).toContain('</html>');

			const firstAccount = /Create the first account: (\S+)/;
			await expect.poll(log).toMatch(firstAccount);
			const [, link] = firstAccount.exec(log())!;
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
			await page.waitForURL(({ pathname }) => pathname === '/');
			await page.goto(link!);
			expect(await complaintsEveryWay(page), 'a used set-up link').toEqual([]);
			await expect(page.locator('main')).toContainText(/used|expired/);
		}
	);
});

test('a sign-in that comes around the proxy that should say whose it is gets an answer', async () => {
	await withProduct(
		() => ({ ADDRESS_HEADER: 'x-real-ip' }),
		async ({ url: origin }) => {
			const answer = await fetch(`${origin}/login`, {
				method: 'POST',
				headers: { origin, accept: 'text/html' },
				body: new URLSearchParams({ name: 'nobody', password: 'a long wrong password', next: '/' })
			});
			expect(answer.status).toBe(400);
		}
	);
});

test('where no trading node is configured, nothing leads to a page that needs one', async ({
	page
}) => {
	await withProduct(oneDaemon, async ({ url }) => {
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
		await logIn(page);
		await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
		// The search is a combobox once scripts run; the palette has its own script.
		await expect(page.getByRole('combobox', { name: /^Search for a block/ })).toBeVisible();
		await page.keyboard.press('Control+k');
		await page.getByRole('dialog').getByRole('combobox').fill('message');
		await expect(page.getByRole('option', { name: /Verify a message/ })).toBeVisible();
		await expect(page.getByRole('option', { name: /Sign/ })).toHaveCount(0);
	});
});

test('of a daemon that never answered pages say once that it is offline, and name no block', async () => {
	await withProduct(oneDaemon, async ({ url }) => {
		const plain = new PlainBrowser(url);
		await plain.signIn();
		const textOf = async (path: string): Promise<string> =>
			(await plain.open(path)).$('main').text().replaceAll(/\s+/g, ' ');
		await expect
			.poll(async () => (await textOf('/wallets/ALPHA/history')).match(/has been offline/g)?.length)
			.toBe(1);
		await expect
			.poll(() => textOf('/chains/ALPHA/indexing'))
			.toContain('Newest block of the daemon Unknown');
	});
});
