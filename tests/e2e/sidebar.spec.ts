/** The sidebar: complete on a desktop, with collapsible groups and counts of waiting work. */
import { beyondWindow, complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, submit, test } from './support/console.ts';

const DESK = { width: 1360, height: 900 };

test('at a height of 900 px an admin sees every link of the sidebar without scrolling', async ({
	page
}) => {
	await page.setViewportSize(DESK);
	await signIn(page);
	await page.goto('/');
	const sidebar = page.getByRole('navigation', { name: 'Chains and tools' });
	for (const name of ['Overview', 'Migrations', 'Address book', 'Coins', 'Decoder', 'Audit log']) {
		await expect(sidebar.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 });
	}
	await page.goto('/decode');
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('a group of the sidebar that was folded stays folded on the next page', async ({ page }) => {
	await page.setViewportSize(DESK);
	await page.goto('/');
	const sidebar = page.getByRole('navigation', { name: 'Chains and tools' });
	const link = sidebar.getByRole('link', { name: 'Reconciliation' });
	// Only scripts store the collapsed groups, a moment later.
	const palette = page.getByRole('button', { name: 'Open the command palette' });
	const folded = expect.poll(() => page.evaluate(() => document.cookie));
	await expect(palette).toBeVisible();
	await sidebar.locator('summary', { hasText: 'Cross-chain' }).click();
	await expect(link).toBeHidden();
	await folded.toContain('cross-chain');
	await page.goto('/decode');
	await expect(link).toBeHidden();
	await expect(palette).toBeVisible();
	await sidebar.locator('summary', { hasText: 'Cross-chain' }).click();
	await expect(link).toBeVisible();
	await folded.not.toContain('cross-chain');
	await page.goto('/');
	await expect(link).toBeVisible();
});

test('a group that was folded before the scripts of a page arrived stays folded', async ({
	page
}) => {
	await page.setViewportSize(DESK);
	const arrive = Promise.withResolvers<null>();
	await page.route(/\/_app\/.*\.js$/, async (route) => {
		await arrive.promise;
		await route.continue();
	});
	await page.goto('/', { waitUntil: 'commit' });
	const sidebar = page.getByRole('navigation', { name: 'Chains and tools' });
	const link = sidebar.getByRole('link', { name: 'Reconciliation' });
	await sidebar.locator('summary', { hasText: 'Cross-chain' }).click();
	await expect(link).toBeHidden();
	arrive.resolve(null);
	await expect.poll(() => page.evaluate(() => document.cookie)).toContain('cross-chain');
	await expect(link).toBeHidden();
	await page.goto('/decode');
	await expect(link).toBeHidden();
});

test('groups of the sidebar fold without JavaScript', async ({ browser, console }) => {
	const context = await browser.newContext({
		baseURL: console.url,
		javaScriptEnabled: false,
		viewport: DESK
	});
	const page = await context.newPage();
	await page.goto('/');
	const sidebar = page.getByRole('navigation', { name: 'Chains and tools' });
	await sidebar.locator('summary', { hasText: 'Cross-chain' }).click();
	await expect(sidebar.getByRole('link', { name: 'Reconciliation' })).toBeHidden();
	await context.close();
});

test('a transaction that awaits review is counted beside Transactions', async ({ page }) => {
	await page.setViewportSize(DESK);
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	const sidebar = page.getByRole('navigation', { name: 'Chains and tools' });
	const link = sidebar.getByRole('link', { name: /^Transactions/ });
	// Other tests may have left some.
	const before = Number(/\d+/.exec((await link.textContent()) ?? '')?.[0] ?? 0);
	await page.getByLabel('Name', { exact: true }).fill('Counted');
	await page.getByLabel('Supply').fill('5');
	await page.getByRole('button', { name: /review/i }).click();
	await expect(page).toHaveURL(/\/transactions\/[^/]+$/);
	await expect(link).toHaveAccessibleName(
		before === 0
			? 'Transactions (1 transaction awaits review)'
			: `Transactions (${before + 1} transactions await review)`
	);
	// The number of a folded group has no other text.
	const group = sidebar.locator('summary', { hasText: 'Wallet' });
	const text = group.getByText(/transactions? awaits? review/);
	await expect(text).toBeHidden();
	await group.click();
	await expect(text).toBeVisible();
	await group.click();
	await submit(page.getByRole('button', { name: 'Discard' }));
});

test('on the narrowest phone the mark that leads to the overview keeps its size', async ({
	page
}) => {
	await page.setViewportSize({ width: 320, height: 640 });
	await signIn(page);
	await page.goto('/decode');
	const box = await page.getByRole('link', { name: 'Komodeck, overview' }).boundingBox();
	expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
	expect(await beyondWindow(page)).toBe(0);
});
