/** Names and descriptions on a chain, where anyone can write them, as pages show them. */
import type { Page } from '@playwright/test';
import { beyondWindow } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';

const NAMES = ['\u202Egnp.exe', '🦋'.repeat(8), 'tab\there', 'שלום', '<b>bold</b>'];
const SHOWN = ['‹U+202E›gnp.exe', '🦋'.repeat(8), 'tab‹U+0009›here', 'שלום', '<b>bold</b>'];
const DESCRIPTION = 'd'.repeat(4096);

/** Creates a token of each name, each in its own block. */
async function create({ devnet }: Console): Promise<string[]> {
	const tokenids: string[] = [];
	for (const name of NAMES) {
		const created = await devnet.rpc<{ hex: string }>(
			'ALPHA',
			'tokencreate',
			name,
			'0.00000010',
			DESCRIPTION
		);
		tokenids.push(await devnet.rpc<string>('ALPHA', 'sendrawtransaction', created.hex));
		await devnet.control.mine('ALPHA');
	}
	return tokenids;
}

/** The widths at which a page scrolls sideways. */
async function overflow(page: Page): Promise<number[]> {
	const broken: number[] = [];
	for (const width of [360, 1440]) {
		await page.setViewportSize({ width, height: 800 });
		if ((await beyondWindow(page)) > 0) broken.push(width);
	}
	return broken;
}

test('names show what they hide, and neither they nor a long description break a page', async ({
	page,
	console
}) => {
	const tokenids = await create(console);
	await expect(async () => {
		await page.goto('/chains/ALPHA/tokens');
		for (const name of SHOWN) {
			await expect(page.getByRole('link', { name, exact: true })).toBeVisible({ timeout: 500 });
		}
	}).toPass();
	expect(await overflow(page)).toEqual([]);
	for (const [at, tokenid] of tokenids.entries()) {
		await page.goto(`/chains/ALPHA/token/${tokenid}`);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(SHOWN[at]!);
		await expect(page).toHaveTitle(`${SHOWN[at]} · ALPHA · Komodeck`);
		await expect(page.getByRole('main')).toContainText(DESCRIPTION);
		expect(await page.getByRole('main').textContent()).not.toContain('\u202E');
		expect(await overflow(page)).toEqual([]);
	}
});

test('a name of nothing but spaces is told as none, and a link by it can be read and pressed', async ({
	page,
	console: { devnet }
}) => {
	const created = await devnet.rpc<{ hex: string }>('ALPHA', 'tokencreate', '   ', '0.00000010');
	const tokenid = await devnet.rpc<string>('ALPHA', 'sendrawtransaction', created.hex);
	await devnet.control.mine('ALPHA');
	await page.goto(`/chains/ALPHA/tx/${tokenid}`);
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(
		'Creates a token without a name'
	);
	const link = page.getByRole('main').getByRole('link', { name: 'Without a name' });
	await expect(link).toHaveAttribute('href', `/chains/ALPHA/token/${tokenid}`);
	await expect(async () => {
		await page.goto('/');
		const line = page.getByRole('listitem').filter({
			has: page.locator(`a[href="/chains/ALPHA/tx/${tokenid}"]`)
		});
		await expect(line).toContainText('Token without a name', { timeout: 500 });
	}).toPass();
});

test('forms and reviews that move or burn a token show what its name hides', async ({
	page,
	console
}) => {
	const [tokenid] = await create(console);
	await signIn(page);
	const path = `/chains/ALPHA/token/${tokenid}`;
	const main = page.getByRole('main');
	const shown = async (): Promise<void> => {
		await expect(main).toContainText(SHOWN[0]!);
		expect(await main.innerText()).not.toContain('\u202E');
		await expect(page).not.toHaveTitle(/\u202E/);
	};
	for (const form of ['decimals', 'transfer', 'batch-transfer', 'burn']) {
		await page.goto(`${path}/${form}`);
		await shown();
	}
	await page.locator('[name="amount"]').fill('1');
	await page.locator('[name="confirmation"]').fill(SHOWN[0]!);
	await page.getByRole('button', { name: 'Review burn' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token burn');
	await expect(main).toContainText(`Permanently burns 1 base unit of “${SHOWN[0]}”.`);
	await shown();
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
});

test('the list of transactions keeps a short name of a token readable in a narrow window', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByLabel('Name', { exact: true }).fill('Gold bar 2026');
	await page.getByLabel('Supply').fill('5');
	await page.getByRole('button', { name: 'Review', exact: true }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token creation');
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/tokens$/);
	await page.goto('/transactions');
	await page.setViewportSize({ width: 1000, height: 800 });
	const name = page.getByRole('cell').getByText('Gold bar 2026').first();
	expect(await name.evaluate((element) => element.getClientRects().length)).toBeLessThan(3);
});

test('the longest name of a token and a table of rights break no page at 320 pixels', async ({
	page,
	console
}) => {
	const { hex } = await console.devnet.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		'W'.repeat(32),
		'0.00000010',
		'wide'
	);
	const tokenid = await console.devnet.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await console.devnet.control.mine('ALPHA');
	await signIn(page);
	await page.setViewportSize({ width: 320, height: 640 });
	const token = `/chains/ALPHA/token/${tokenid}`;
	const forms = ['transfer', 'batch-transfer', 'decimals', 'burn'].map(
		(form) => `${token}/${form}`
	);
	for (const path of [...forms, '/admin/members']) {
		await page.goto(path);
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
		expect(await beyondWindow(page), path).toBe(0);
	}
	const rights = page.getByRole('region', { name: 'What each role can do' });
	expect(await rights.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
	await expect(rights.locator('[data-right="sign"]')).toContainText('Sign messages');
	for (const [role, has] of [
		['admin', true],
		['viewer', false]
	] as const) {
		await expect(rights.locator(`[data-right="sign"] [data-role="${role}"]`)).toBeVisible({
			visible: has
		});
	}
	await page.goto(`${token}/transfer`);
	await page.locator('[name="recipient"]').fill(console.devnet.chains.get('BETA')!.pubkey);
	await page.locator('[name="amount"]').fill('1');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token transfer');
	expect(await beyondWindow(page), 'the review').toBe(0);
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
});

test('a name of a table that is wider than its place stays readable', async ({ page, console }) => {
	// Not on ALPHA, whose coins the reviews of other tests lock.
	const { hex } = await console.devnet.rpc<{ hex: string }>(
		'BETA',
		'tokencreate',
		'READABLE',
		'300000',
		'of a large supply'
	);
	await console.devnet.rpc<string>('BETA', 'sendrawtransaction', hex);
	await console.devnet.control.mine('BETA');
	await page.setViewportSize({ width: 900, height: 800 });
	const name = page.getByRole('link', { name: 'READABLE', exact: true });
	await expect(async () => {
		await page.goto('/chains/BETA/tokens');
		await expect(name).toBeVisible({ timeout: 500 });
		expect((await name.boundingBox())!.height).toBeLessThan(30);
	}).toPass();
});

test('a place in a list that a stranger made gives the first page and says so', async ({
	console
}) => {
	const browser = new PlainBrowser(console.url);
	for (const cursor of ['x', '%00', "' or 1=1", 'A'.repeat(5_000)]) {
		const page = await browser.open(`/chains/ALPHA/tokens?cursor=${encodeURIComponent(cursor)}`);
		expect(page.status).toBe(200);
		expect(page.$('main').text()).toContain('Showing the first page.');
	}
});
