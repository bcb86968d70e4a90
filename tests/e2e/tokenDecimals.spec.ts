/** Decimals of a token that a member changes while another one types an amount of it. */
import { expect, signIn, test } from './support/console.ts';

const RECIPIENT = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

test('an amount that was typed by other decimals is not read by the new ones', async ({
	page,
	console
}) => {
	await signIn(page);
	const { hex } = await console.devnet.rpc<{ hex: string }>(
		'ALPHA',
		...(['tokencreate', 'PARTS', '0.00100000', 'a token'] as const)
	);
	const tokenid = await console.devnet.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await console.devnet.control.mine('ALPHA');
	const token = `/chains/ALPHA/token/${tokenid}`;
	const post = (path: string, form: Record<string, string>) =>
		page.request.post(path, {
			headers: { origin: console.url, accept: 'text/html' },
			form,
			maxRedirects: 0
		});
	const set = async (decimals: number): Promise<void> => {
		expect((await post(`${token}/decimals`, { decimals: String(decimals) })).status()).toBe(303);
	};
	const changed = 'The decimals of this token were changed from 0 to 2';

	await page.goto(`${token}/transfer`);
	await page.getByLabel('Recipient', { exact: false }).first().fill(RECIPIENT);
	await page.locator('[name="amount"]').fill('10');
	await set(2);
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByText(changed)).toBeVisible();
	await expect(page.locator('[name="amount"]')).toHaveValue('10');

	for (const [path, form] of [
		[`${token}/burn`, { amount: '10', confirmation: 'PARTS' }],
		[`${token}/batch-transfer?/review`, { recipient: RECIPIENT, amount: '10', pasted: '' }],
		[
			'/migrations/new/token',
			{ source: 'ALPHA', destination: 'BETA', tokenid, address: RECIPIENT, amount: '10' }
		]
	] as const) {
		const refused = await post(path, { ...form, 'shown.decimals': '0' });
		expect([path, refused.status()]).toEqual([path, 400]);
		expect(await refused.text()).toContain(changed);
	}

	// Who was told so means the new ones.
	await page.getByRole('button', { name: 'Review' }).click();
	await page.waitForURL(/\/transactions\/[\w-]+$/);
	await expect(page.getByRole('main')).toContainText('10.00');
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
});
