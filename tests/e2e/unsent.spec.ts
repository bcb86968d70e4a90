/** Signed bytes that were not confirmed are not shown, and neither is their file. */
import { expect, signIn, test } from './support/console.ts';

test('a migration that waits for its confirmation is shown without its signed burn', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const to = await console.devnet.rpc<string>('BETA', 'getnewaddress');
	await page.goto('/migrations/new?source=ALPHA&destination=BETA');
	await page.getByLabel('Recipient address').fill(to);
	await page.getByRole('textbox', { name: 'Amount' }).fill('0.5');
	await page.getByRole('button', { name: 'Review migration' }).click();
	await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
	await expect(page.locator('input[name=hex]')).toHaveCount(0);
	await expect(page.getByRole('link', { name: 'Download recovery file' })).toHaveCount(0);
	// The first bytes of every signed transaction of these chains.
	const hex = '0400008085202f89';
	expect(await page.content()).not.toContain(hex);
	expect((await page.request.get(`${page.url()}/recovery.json`)).status()).toBe(403);

	const visitor = await browser.newContext({ baseURL: console.url });
	const theirs = await visitor.newPage();
	const { pathname } = new URL(page.url());
	await theirs.goto(pathname);
	await expect(theirs).toHaveURL(/\/login/);
	expect(await theirs.content()).not.toContain(hex);
	for (const path of [`${pathname}/__data.json`, `${pathname}/recovery.json`]) {
		const answer = await visitor.request.get(path);
		expect(await answer.text(), path).not.toContain(hex);
	}
	await visitor.close();
	await page.getByRole('button', { name: 'Discard migration' }).click();
});
