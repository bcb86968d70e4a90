/** Signed bytes that have not gone out are for those who may build, and for nobody else. */
import { expect, signIn, test } from './support/console.ts';

test('a visitor sees a migration that waits for its confirmation, and not its signed burn', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const to = await console.devnet.rpc<string>('BETA', 'getnewaddress');
	await page.goto('/migrations/new?source=ALPHA&destination=BETA');
	await page.getByLabel('Recipient on the destination').fill(to);
	await page.getByRole('textbox', { name: 'Amount' }).fill('0.5');
	await page.getByRole('button', { name: 'Check and build the burn' }).click();
	await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
	const hex = await page.locator('input[name=hex]').first().inputValue();
	expect(hex).toMatch(/^0400008085202f89/);

	const visitor = await browser.newContext({ baseURL: console.url });
	const theirs = await visitor.newPage();
	const { pathname } = new URL(page.url());
	await theirs.goto(pathname);
	await expect(theirs.getByRole('main')).toContainText('0.5');
	expect(await theirs.content()).not.toContain(hex);
	for (const path of [`${pathname}/__data.json`, `${pathname}/capsule.json`]) {
		const answer = await visitor.request.get(path);
		expect(await answer.text(), path).not.toContain(hex);
	}
	await visitor.close();
	await page.getByRole('button', { name: 'Give up' }).click();
});
