/** The charts of a chain are rendered by the server, and each value is in a table below. */
import { expect, test } from './support/console.ts';

test('the charts of a chain are in the first HTML, with a table for each', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({ baseURL: console.url, javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto('/chains/ALPHA');
	for (const name of ['interval', 'transactions', 'lag']) {
		const chart = page.locator(`[data-chart="${name}"]`);
		await expect(chart.getByRole('img')).toBeVisible();
		await chart.getByText('Show as table').click();
		const rows = await chart.locator('tbody tr').count();
		expect(rows, name).toBeGreaterThan(0);
		expect(await chart.locator('svg rect').count(), name).toBe(rows);
	}
	await context.close();
});

test('what was burned and imported is drawn for each route, beside its amounts', async ({
	page
}) => {
	// axe checks both together with all other pages, expanded.
	for (const path of ['/routes', '/chains/ALPHA']) {
		await page.goto(path);
		await expect(page.locator('[data-chart="flow"] li').first()).toContainText(
			/\d ALPHA burned, [\d.\s]+ imported/
		);
	}
});

test('what was burned by day is drawn for each route that was used, with a table for each', async ({
	page
}) => {
	await page.goto('/routes');
	const chart = page.locator('[data-chart="burned"]').filter({ hasText: 'ALPHA → BETA' });
	await expect(chart.getByRole('img')).toBeVisible();
	await chart.getByText('Show as table').click();
	await expect(chart.locator('tbody tr')).toHaveCount(30);
	await expect(chart.locator('tbody')).toContainText(/\d ALPHA, \d+ burns?/);
});
