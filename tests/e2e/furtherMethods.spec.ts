/**
 * Read methods that the configuration allows, called from the console and by a script, with a daemon of devnet.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchProduct } from '../support/product.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { ADMIN, expect, signIn, test } from './support/console.ts';

test('a read that an admin lets pass is called from the console and by a script, and no other', async ({
	browser,
	request,
	console
}) => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-further-'));
	const { url, user, password } = console.devnet.chains.get('ALPHA')!;
	const config = join(folder, 'deck.json');
	const furtherMethods = [
		{ method: 'oracleslist', access: 'read' },
		{ method: 'faucetinfo', access: 'none' }
	];
	writeFileSync(
		config,
		JSON.stringify({ daemons: [{ chain: 'ALPHA', url, user, password, furtherMethods }] })
	);
	const product = await launchProduct({
		env: {
			KOMODECK_DATA: join(folder, 'data'),
			KOMODECK_CONFIG: config,
			KOMODECK_ADMIN_USER: ADMIN.name,
			KOMODECK_ADMIN_PASSWORD: ADMIN.password
		}
	});
	const page = await (await browser.newContext({ baseURL: product.url })).newPage();
	await signIn(page);
	await page.goto('/console');
	await expect(page.getByRole('link', { name: 'faucetinfo' })).toHaveCount(0);
	await page.getByRole('link', { name: /^oracleslist/ }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('oracleslist');
	await page.getByRole('textbox', { name: 'Parameters' }).fill('[1');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(page.getByRole('textbox', { name: 'Parameters' })).toHaveValue('[1');
	await expect(page.getByRole('textbox', { name: 'Parameters' })).toHaveAttribute(
		'aria-invalid',
		'true'
	);
	await page.getByRole('textbox', { name: 'Parameters' }).fill('[]');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(page.getByTestId('time')).toBeVisible();
	await page.getByText('Raw text').click();
	await expect(page.getByRole('region', { name: 'Raw text' })).toContainText('{"result":[]');
	expect(await complaintsEveryWay(page)).toEqual([]);
	expect((await page.goto('/console/further/faucetinfo'))?.status()).toBe(404);

	await page.goto('/account');
	await page.getByLabel('API token name').fill('oracles');
	await page.getByRole('button', { name: 'Create API token' }).click();
	const token = await page.getByTestId('new-token').innerText();
	const call = (method: string) =>
		request.post(`${product.url}/api/rpc/ALPHA`, {
			headers: { authorization: `Bearer ${token}` },
			data: { method, params: [], id: 'script' }
		});
	expect(await (await call('oracleslist')).json()).toEqual({
		result: [],
		error: null,
		id: 'script'
	});
	expect((await call('faucetinfo')).ok()).toBe(false);
	await page.context().close();
	await product.stop();
	rmSync(folder, { recursive: true });
});
