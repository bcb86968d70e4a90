/** The transactions of a chain as a list: read without JavaScript, and as a feed with it. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, test, type Console } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

const LIST = '/chains/ALPHA/transactions';
const main = (page: Page) => page.getByRole('main');
const rows = (page: Page) => main(page).locator('tr[data-tx]');
const idsOf = (page: Page): Promise<string[]> =>
	rows(page).evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset['tx']!));

/**
 * Mines a block.
 * @returns the id of its coinbase transaction
 */
async function mined({ devnet }: Console): Promise<string> {
	const { height } = await devnet.control.mine('ALPHA');
	const { tx } = await devnet.rpc<{ tx: string[] }>('ALPHA', 'getblock', String(height));
	return tx[0]!;
}

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('the list of a chain is found from its tabs, filters by kind, pages and exports', async ({
		page,
		console
	}) => {
		const { name } = await seededToken(console.devnet);
		// More than one page.
		for (let block = 0; block < 20; block++) await mined(console);
		const newest = await mined(console);
		await expect
			.poll(async () => (await page.request.get(`${LIST}`)).text(), { timeout: 30_000 })
			.toContain(newest);
		await page.goto('/chains/ALPHA');
		await main(page).getByRole('link', { name: 'Transactions', exact: true }).click();
		await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions of ALPHA');
		await expect(rows(page)).toHaveCount(50);
		const first = await idsOf(page);
		await page.getByRole('link', { name: 'Next page' }).click();
		const second = await idsOf(page);
		expect(second.filter((id) => first.includes(id))).toEqual([]);
		await page.getByRole('link', { name: 'Previous page' }).click();
		expect(await idsOf(page)).toEqual(first);

		await page.getByLabel('Kind', { exact: true }).selectOption('Token creation');
		await page.getByRole('button', { name: 'Filter' }).click();
		await expect(page).toHaveURL(/kind=token-create/);
		await expect(main(page)).toContainText(`Creates token ${name}`);
		const created = await idsOf(page);
		expect(created.length).toBeGreaterThan(0);
		const href = await page.getByRole('link', { name: 'JSON', exact: true }).getAttribute('href');
		const answer = await page.request.get(href!);
		const exported = (await answer.json()) as { txid: string; kind: string; time: string }[];
		expect(exported.map(({ txid }) => txid)).toEqual(created);
		for (const { kind, time } of exported) {
			expect(kind).toBe('token-create');
			expect(Date.parse(time)).toBeGreaterThan(0);
		}
		const csv = await page.getByRole('link', { name: 'CSV', exact: true }).getAttribute('href');
		expect(await (await page.request.get(csv!)).text()).toContain(created[0]!);

		await page.goto(`${LIST}?block=x`);
		await expect(page.getByLabel('In block')).toHaveAttribute('aria-invalid', 'true');
	});
});

test('a new transaction appears on the open list, and waits while the list is read', async ({
	page,
	console
}) => {
	await page.goto(LIST);
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	await page.mouse.move(0, 0);
	const first = await mined(console);
	await expect(page.locator(`tr[data-tx="${first}"]`)).toBeVisible();
	expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

	const before = await idsOf(page);
	const read = rows(page).nth(20);
	const id = await read.getAttribute('data-tx');
	await read.scrollIntoViewIfNeeded();
	await read.hover();
	const at = (await read.boundingBox())!;
	const next = await mined(console);
	const show = page.getByRole('button', { name: 'Show 1 new transaction' });
	await expect(show).toBeVisible();
	expect(await idsOf(page)).toEqual(before);
	expect(await page.locator(`tr[data-tx="${id}"]`).boundingBox()).toEqual(at);
	await show.click();
	await expect(rows(page).first()).toHaveAttribute('data-tx', next);
	await expect(page.getByRole('region', { name: 'Transactions of ALPHA' })).toBeFocused();
	await expect(show).toBeHidden();
});

test('the list has nothing that keeps somebody out', async ({ page }) => {
	await page.goto(LIST);
	expect(await complaintsEveryWay(page)).toEqual([]);
});
