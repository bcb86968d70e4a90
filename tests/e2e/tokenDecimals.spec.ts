/** A member changes the decimals of a token while another one types an amount of it. */
import type { APIResponse, Page } from '@playwright/test';
import { expect, signIn, test, type Console } from './support/console.ts';

const RECIPIENT = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

async function madeToken({ devnet }: Console): Promise<string> {
	const create = ['tokencreate', 'PARTS', '0.00100000', 'a token'] as const;
	const { hex } = await devnet.rpc<{ hex: string }>('ALPHA', ...create);
	const tokenid = await devnet.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await devnet.control.mine('ALPHA');
	return tokenid;
}

const post = (
	page: Page,
	{ url }: Console,
	path: string,
	form: Record<string, string>
): Promise<APIResponse> => {
	const headers = { origin: url, accept: 'text/html' };
	return page.request.post(path, { headers, form, maxRedirects: 0 });
};

/** Sets two decimals, like another member. */
async function setDecimals(page: Page, console: Console, tokenid: string): Promise<void> {
	const path = `/chains/ALPHA/token/${tokenid}/decimals`;
	expect((await post(page, console, path, { decimals: '2' })).status()).toBe(303);
}

const changed = 'The decimals of this token were changed from 0 to 2';

test('an amount that was typed by other decimals is not read by the new ones', async ({
	page,
	console
}) => {
	await signIn(page);
	const tokenid = await madeToken(console);
	const token = `/chains/ALPHA/token/${tokenid}`;

	await page.goto(`${token}/transfer`);
	await page.getByLabel('Recipient', { exact: false }).first().fill(RECIPIENT);
	await page.locator('[name="amount"]').fill('10');
	await setDecimals(page, console, tokenid);
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByText(changed)).toBeVisible();
	await expect(page.locator('[name="amount"]')).toHaveValue('10');

	for (const [path, form] of [
		[`${token}/burn`, { amount: '10', confirmation: 'PARTS' }],
		[`${token}/batch-transfer?/review`, { recipient: RECIPIENT, amount: '10', pasted: '' }],
		[
			'/migrations/new/token',
			{
				source: 'ALPHA',
				destination: 'BETA',
				tokenid,
				address: RECIPIENT,
				amount: '10',
				'shown.tokenid': tokenid
			}
		]
	] as const) {
		const refused = await post(page, console, path, { ...form, 'shown.decimals': '0' });
		expect([path, refused.status()]).toEqual([path, 400]);
		expect(await refused.text()).toContain(changed);
	}

	// A member who was told of the change means the new decimals.
	await page.getByRole('button', { name: 'Review' }).click();
	await page.waitForURL(/\/transactions\/[\w-]+$/);
	await expect(page.getByRole('main')).toContainText('10.00');
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
});

test('a token that is chosen for a migration says by which decimals its amount is read', async ({
	page,
	console
}) => {
	await signIn(page);
	const tokenid = await madeToken(console);
	await setDecimals(page, console, tokenid);
	const option = page.locator(`option[value="${tokenid}"]`);
	await expect
		.poll(async () => {
			await page.goto('/migrations/new/token?source=ALPHA');
			return option.count();
		})
		.toBe(1);
	await expect(option).toContainText('PARTS, 1000.00, ');
	const path = '/migrations/new/token?source=ALPHA';
	const typed = { source: 'ALPHA', destination: 'BETA', tokenid, address: RECIPIENT, amount: '10' };
	// Without scripts a form does not know which token was selected, or has the decimals of the previous one.
	const before = { 'shown.tokenid': 'ab'.repeat(32), 'shown.decimals': '2' };
	const unshownBy: Record<string, string>[] = [{}, { 'shown.decimals': '2' }, before];
	for (const unshown of unshownBy) {
		const refused = await post(page, console, path, { ...typed, ...unshown });
		expect(refused.status()).toBe(400);
		const text = await refused.text();
		expect(text).toContain('2 decimals: an amount of 1 is 100 base units');
		expect(text).toMatch(new RegExp(`name="shown.tokenid" value="${tokenid}"`));
		expect(text).toMatch(/name="shown.decimals" value="2"/);
		expect(text).toMatch(/name="amount"[^>]*value="10"|value="10"[^>]*name="amount"/);
	}
	await page.getByLabel('Token', { exact: true }).selectOption(tokenid);
	await expect(page.getByText('Up to 2 decimals. 1 = 100 base units.')).toBeVisible();
	await page.locator('[name="destination"]').selectOption('BETA');
	await page.locator('[name="address"]').fill(RECIPIENT);
	await page.locator('[name="amount"]').fill('10');
	// Another member has changed the decimals meanwhile.
	const changing = `/chains/ALPHA/token/${tokenid}/decimals`;
	expect((await post(page, console, changing, { decimals: '3' })).status()).toBe(303);
	await page.locator('[name="amount"]').press('Enter');
	await expect(page.getByText('decimals of this token were changed from 2 to 3')).toBeVisible();
	await expect(page.locator('[name="shown.decimals"]')).toHaveValue('3');
});

test('a rule that is changed keeps what its amounts of a token mean', async ({ page, console }) => {
	await signIn(page);
	const tokenid = await madeToken(console);
	await page.goto('/admin/policies');
	const add = page.locator('#add');
	await add.getByRole('combobox', { name: /^What/ }).selectOption('token-transfer');
	await add.getByRole('combobox', { name: /^Asset/ }).selectOption('token:ALPHA');
	await add.locator('[name="tokenid"]').fill(tokenid);
	await add.getByRole('textbox', { name: /^More than, in one/ }).fill('10');
	await add.locator('[name="effect"]').selectOption('deny');
	await add.getByRole('button', { name: 'Add rule' }).click();
	await page
		.locator('#rules')
		.getByRole('link', { name: /^Change/ })
		.last()
		.click();
	await page.waitForURL(/\/admin\/policies\/[\w-]+$/);
	const over = page.getByRole('textbox', { name: /^More than, in one/ });
	await expect(over).toHaveValue('10');
	await setDecimals(page, console, tokenid);
	const save = page.getByRole('button', { name: 'Save rule' });
	await save.click();
	await expect(page.getByText(changed)).toBeVisible();
	await over.fill('0.10');
	await save.click();
	await page.waitForURL(/\/admin\/policies(#rules)?$/);
	await expect(page.locator('#rules')).toContainText('more than 0.1');
});
