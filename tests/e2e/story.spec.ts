/** The path of a new member: look around, create a token, transfer it, migrate coins to another chain. */
import type { Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';
import { picture } from './support/picture.ts';

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label });

/**
 * Mines a block and reloads until the page of a sent transaction shows it as confirmed. It must start on that
 * page with a pending transaction: a reload during a click would cancel the click.
 */
async function untilMined(page: Page, { devnet }: Console, title: string): Promise<void> {
	await expect(page).toHaveURL(/\/transactions\/[0-9a-f-]{36}$/);
	await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();
	await devnet.control.mine('ALPHA');
	await expect(async () => {
		await page.reload();
		await expect(page.getByText(title).first()).toBeVisible({ timeout: 500 });
	}).toPass({ timeout: 20_000 });
}

test('a token is created, seen at once, transferred and burned', async ({
	page,
	console,
	profile
}) => {
	await signIn(page);
	await page.goto('/');
	await picture(page, 'overview');
	await page.goto('/chains/ALPHA/tokens');
	await page.getByRole('link', { name: 'Create token' }).click();
	await field(page, 'Name').fill('HARBOUR');
	await field(page, 'Supply').fill('115000000');
	await expect(page.getByRole('region', { name: 'Cost' })).toContainText('1.15020000');
	await field(page, 'Description').fill('Berths of the harbour, one unit each');
	await page.getByRole('button', { name: 'Review' }).click();

	await expect(page).toHaveURL(/\/transactions\//);
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	await expect(page.getByRole('main')).toContainText('115 000 000'.replaceAll(' ', '\u2009'));
	expect(await complaints(page)).toEqual([]);
	await picture(page, 'review');
	expect(await console.devnet.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual([]);
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	const [txid] = await console.devnet.rpc<string[]>('ALPHA', 'getrawmempool');
	expect(txid).toMatch(/^[0-9a-f]{64}$/);

	// The row appears at once, as a pending one.
	await page.goto('/chains/ALPHA/tokens');
	const row = page.locator('tr', { hasText: 'HARBOUR' });
	await expect(row).toContainText(/Pending/i);

	await page.goto('/transactions');
	await page.getByRole('main').locator('a[href^="/transactions/"]').first().click();
	await untilMined(page, console, 'Token created');
	const info = await console.devnet.rpc<{ supply: number | string; name: string }>(
		'ALPHA',
		'tokeninfo',
		txid
	);
	const supply = profile === 'seed' ? '1.15000000' : 115_000_000;
	expect(info).toMatchObject({ supply, name: 'HARBOUR' });

	const recipient = console.devnet.chains.get('BETA')!.pubkey;
	await page.goto(`/chains/ALPHA/token/${txid}`);
	await page.getByRole('link', { name: 'Transfer', exact: true }).click();
	await field(page, 'Recipient').fill(recipient);
	await page.getByRole('textbox', { name: /amount|units/i }).fill('1000');
	await page.getByRole('button', { name: 'Review' }).click();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await untilMined(page, console, 'Confirmed');
	expect(await console.devnet.rpc('ALPHA', 'tokenbalance', txid, recipient)).toMatchObject({
		balance: 1000
	});

	await page.goto(`/chains/ALPHA/token/${txid}`);
	await page.getByRole('link', { name: 'Burn', exact: true }).click();
	await page.getByRole('textbox', { name: /amount|units/i }).fill('500');
	await field(page, 'Type the token’s name').fill('HARBOUR');
	await page.getByRole('button', { name: 'Review burn' }).click();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await untilMined(page, console, 'Confirmed');
	expect(await console.devnet.rpc('ALPHA', 'tokenbalance', txid)).toMatchObject({
		balance: 115_000_000 - 1500
	});
});

test('1.15 coins are carried from ALPHA to BETA and can be spent there, across a crash of the server', async ({
	page,
	console
}) => {
	const { devnet } = console;
	await signIn(page);
	const to = await devnet.rpc<string>('BETA', 'getnewaddress');
	await page.goto('/migrations/new');
	await page.getByRole('combobox', { name: 'From' }).selectOption('ALPHA');
	await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('BETA');
	await page.getByLabel('Recipient address').fill(to);
	await field(page, 'Amount').fill('1.15');
	await page.getByRole('button', { name: 'Review migration' }).click();

	await expect(page).toHaveURL(/\/migrations\/[0-9a-f]+$/);
	await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	expect(await devnet.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual([]);
	await page.getByRole('button', { name: 'Confirm and send burn' }).click();
	const state = page.locator('[data-migration-state]');
	await expect(state).toHaveAttribute('data-migration-state', /burn/);
	await expect(async () => {
		expect(await devnet.rpc<string[]>('ALPHA', 'getrawmempool')).toHaveLength(1);
	}).toPass({ timeout: 10_000 });
	await console.crashAndRestart();
	await expect(async () => {
		await devnet.control.notarize('ALPHA');
		await devnet.control.notarize('BETA');
		await page.reload();
		await expect(state).toHaveAttribute('data-migration-state', 'done', { timeout: 500 });
	}).toPass({ timeout: 120_000 });
	await expect(page.getByText(/^Arrived on BETA/)).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await picture(page, 'migration');
	const unspent = await devnet.rpc<{ address: string; amount: number; spendable: boolean }[]>(
		'BETA',
		'listunspent'
	);
	expect(unspent).toContainEqual(
		expect.objectContaining({ address: to, amount: 1.15, spendable: true })
	);
	await page.goto('/migrations');
	await expect(page.getByRole('main')).toContainText('1.15000000');
});
