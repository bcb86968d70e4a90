/** The densest pages, on a laptop in light colors and on a phone in dark ones. */
import { complaints } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';
import { picture } from './support/picture.ts';
import { seededToken } from './support/tokens.ts';

const PAGES: readonly {
	name: string;
	path: (console: Console) => Promise<string> | string;
	/** The graphic of the page. */
	drawing: string;
}[] = [
	{
		name: 'notarizations',
		path: () => '/chains/KMD/notarizations?of=ALPHA',
		drawing: 'svg[role="img"], figure svg'
	},
	{ name: 'routes', path: () => '/routes', drawing: 'svg[role="img"], figure svg' },
	{
		name: 'token',
		path: async ({ devnet }) => `/chains/ALPHA/token/${(await seededToken(devnet)).id}`,
		drawing: 'svg[role="img"], figure svg'
	}
];

// axe checks these pages together with all others, in both widths and themes.
for (const { name, path, drawing } of PAGES) {
	test(`the page of the ${name} is whole on a laptop and on a phone`, async ({
		browser,
		console
	}) => {
		const address = `${console.url}${await path(console)}`;
		for (const [size, colorScheme, width] of [
			['laptop', 'light', 1280],
			['phone', 'dark', 360]
		] as const) {
			const context = await browser.newContext({ colorScheme, viewport: { width, height: 780 } });
			const page = await context.newPage();
			await page.goto(address);
			await expect(page.locator(drawing).first()).toBeVisible();
			const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			expect(over, `${size} scrolls sideways`).toBeLessThanOrEqual(0);
			await picture(page, size === 'phone' ? `${name}-phone` : name, size);
			await context.close();
		}
	});
}

test('on a phone one menu leads to every tool, and closes by a press beside it, focus beside it, Escape or a choice', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({
		baseURL: console.url,
		viewport: { width: 360, height: 780 }
	});
	const page = await context.newPage();
	await page.goto('/chains/SELF/notarizations');
	const bar = page.getByRole('navigation', { name: 'Chains and tools' });
	await expect(bar.getByRole('link', { name: 'SELF' })).toBeInViewport();
	await expect(bar.getByRole('link', { name: 'SELF' })).toHaveAttribute('aria-current', 'page');
	for (const tab of ['Summary', 'Transfers']) {
		await expect(page.getByRole('link', { name: tab, exact: true })).toBeInViewport();
	}
	const menu = bar.locator('summary', { hasText: 'Menu' });
	const ledger = bar.getByRole('link', { name: 'Reconciliation' });
	await expect(ledger).toBeHidden();
	await menu.click();
	await expect(ledger).toBeInViewport();
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('heading', { level: 1 }).click();
	await expect(ledger).toBeHidden();
	await menu.click();
	await page.keyboard.press('Escape');
	await expect(ledger).toBeHidden();
	await expect(menu).toBeFocused();
	await menu.click();
	await expect(ledger).toBeInViewport();
	await page.getByRole('link', { name: 'Summary', exact: true }).focus();
	await expect(ledger).toBeHidden();
	await menu.click();
	await ledger.click();
	await expect(page).toHaveURL(/\/reconciliation$/);
	await expect(ledger).toBeHidden();
	await context.close();
});

test('a burn that nothing has imported yet is taken up from the list of burns, by who may send', async ({
	page
}) => {
	await page.goto('/transfers');
	const burn = page.getByRole('row', { name: /In progress/ }).first();
	await expect(burn).toBeVisible();
	await expect(page.getByRole('link', { name: 'Recover' })).toHaveCount(0);
	await signIn(page);
	await page.goto('/transfers');
	const txid = await burn.getAttribute('data-burn');
	await burn.getByRole('link', { name: 'Recover' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recover a migration');
	await expect(page.getByRole('textbox', { name: 'Transaction id' })).toHaveValue(txid!);
	await expect(page.getByLabel('Chain', { exact: true })).toHaveValue('ALPHA');
});

test('without scripts a phone shows ten rows of a list, and the others when they are asked for', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({
		baseURL: console.url,
		javaScriptEnabled: false,
		viewport: { width: 360, height: 780 }
	});
	const page = await context.newPage();
	await page.goto('/chains/KMD/blocks');
	const rows = page.locator('tbody tr:visible');
	await expect(rows).toHaveCount(10);
	await page.getByText('More: 15 of 25 rows').click();
	await expect(rows).toHaveCount(25);
	await page.setViewportSize({ width: 1280, height: 780 });
	await expect(page.getByText('More: 15 of 25 rows')).toBeHidden();
	await context.close();
});

test('who comes back to a list on a phone finds the row where it was, among those that were unfolded', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 780 });
	await page.goto('/chains/KMD/transactions');
	await page.getByText(/^More: /).click();
	const link = page.locator('main tbody a[href*="/tx/"]').nth(25);
	await link.scrollIntoViewIfNeeded();
	const href = await link.getAttribute('href');
	await link.click();
	await expect(page).toHaveURL(/\/tx\//);
	await expect(page.getByText(/^More: /)).toHaveCount(0);
	await page.goBack();
	await expect(page.locator(`main tbody a[href="${href}"]`)).toBeInViewport();
	await page.reload();
	await expect(page.locator(`main tbody a[href="${href}"]`)).toBeInViewport();
});
