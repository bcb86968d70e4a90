/** Printed pages, which people file. */
import { beyondWindow } from './support/axe.ts';
import { ADMIN, expect, signIn, submit, test } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

test('a printed transaction has its whole ids, its chain, its date and its address, and no frame', async ({
	page,
	console
}) => {
	const { id } = await seededToken(console.devnet);
	const path = `/chains/ALPHA/tx/${id}`;
	await page.setViewportSize({ width: 718, height: 1000 });
	await page.goto(path);
	await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
	const main = page.getByRole('main');
	await expect(page.locator('nav:visible')).toHaveCount(0);
	await expect(page.locator('button:visible')).toHaveCount(0);
	await expect(page.getByRole('banner')).toBeHidden();
	await expect(main.getByText(`${console.url}${path}`)).toBeVisible();
	await expect(main.locator('dl')).toContainText([
		/ALPHA[^]*\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC/
	]);
	// Nothing is truncated: each id is as wide as its text.
	const cut = await main
		.locator('.id-head')
		.evaluateAll(
			(heads) => heads.filter((head) => getComputedStyle(head).overflow !== 'visible').length
		);
	expect(cut).toBe(0);
	expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
	const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
	expect(scheme).toBe('light');
});

test('tables of ids and amounts are as wide as the paper, with labels that are whole', async ({
	page,
	console
}) => {
	await signIn(page);
	const { id } = await seededToken(console.devnet);
	const label = 'W'.repeat(60);
	await page.goto(`/address-book?value=${id}&chain=ALPHA`);
	await page.getByLabel('Label', { exact: true }).fill(label);
	await submit(page.getByRole('button', { name: 'Add entry' }));
	await page.setViewportSize({ width: 718, height: 1000 });
	await page.emulateMedia({ media: 'print' });
	const pages = [
		...['/wallets/ALPHA/history', '/chains/ALPHA/transactions', '/transfers'],
		...['/chains/ALPHA/notarizations', '/reconciliation', '/chains/ALPHA/tokens']
	];
	for (const path of pages) {
		await page.goto(path);
		await expect(page.locator('tbody tr').first()).toBeVisible();
		expect(await beyondWindow(page), path).toBe(0);
		// An id wraps over a few lines, not letter by letter.
		const rows = await page
			.locator('tbody tr')
			.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
		expect(Math.max(...rows), path).toBeLessThan(180);
	}
	const shortened = await page
		.getByRole('link', { name: label })
		.locator('bdi')
		.evaluateAll((all) => all.map((name) => name.scrollWidth > name.clientWidth));
	expect(shortened.length).toBeGreaterThan(0);
	expect(shortened).not.toContain(true);
	// Timestamps are longer than the ages that they replace in print.
	await page.goto('/');
	await expect(page.getByRole('article').first()).toBeVisible();
	expect(await beyondWindow(page)).toBe(0);
});

test('a printed member has no card that is a heading without content', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/members');
	await page.getByRole('main').getByRole('link', { name: ADMIN.name, exact: true }).first().click();
	await expect(page.locator('#access')).toBeVisible();
	await page.emulateMedia({ media: 'print' });
	await expect(page.locator('#access')).toBeHidden();
	await expect(page.locator('#role table')).toBeVisible();
	const bare = await page.locator('main .card').evaluateAll((cards) =>
		cards
			.filter((card) => card.checkVisibility())
			.filter((card) => (card.lastElementChild as HTMLElement).innerText.trim() === '')
			.map(({ id }) => id)
	);
	expect(bare).toEqual([]);
});
