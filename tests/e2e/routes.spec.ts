/** Migrations of a token and of selected UTXOs, from the form to the arrival. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';

const NFT_DATA = 'f17b22617274223a226b6f6d6f6465636b227d';

/** Creates a token on ALPHA and waits until its name is indexed. */
async function makeToken({ devnet }: Console, name: string, data?: string): Promise<string> {
	const supply = data === undefined ? '0.00001' : '0.00000001';
	const { hex } = await devnet.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		...[name, supply, 'made to travel', ...(data === undefined ? [] : [data])]
	);
	const tokenid = await devnet.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await devnet.control.mine('ALPHA');
	return tokenid;
}

/** Confirms the reviewed burn and advances the chains until it has arrived. */
async function carry(page: Page, { devnet }: Console): Promise<void> {
	await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('button', { name: 'Confirm and send burn' }).click();
	await expect(async () => {
		for (const chain of ['ALPHA', 'BETA']) {
			await devnet.control.mine(chain);
			await devnet.control.notarize(chain);
		}
		await page.reload();
		const state = page.locator('[data-migration-state]');
		await expect(state).toHaveAttribute('data-migration-state', 'done', { timeout: 500 });
	}).toPass({ timeout: 120_000 });
}

test('a non-fungible token goes from its own page to BETA, and is the same there', async ({
	page,
	console
}) => {
	const tokenid = await makeToken(console, 'Wanderer', NFT_DATA);
	const recipient = console.devnet.chains.get('BETA')!.pubkey;
	await signIn(page);
	await page.goto(`/chains/ALPHA/token/${tokenid}`);
	await page.getByRole('link', { name: 'Migrate' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Migrate a token');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await expect(page.getByRole('combobox', { name: 'Token', exact: true })).toHaveValue(tokenid);
	await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('BETA');
	await page.getByRole('textbox', { name: 'Recipient public key' }).fill(recipient);
	await expect(page.getByRole('textbox', { name: 'Amount' })).toBeHidden();
	await page.getByRole('button', { name: 'Review migration' }).click();
	await carry(page, console);
	await expect(page.getByText(/^Arrived on BETA/)).toBeVisible();
	await page.getByRole('link', { name: 'token on BETA' }).click();
	await expect(page.getByRole('main')).toContainText('Wanderer');
	await expect(page.getByRole('main')).toContainText(NFT_DATA);
	await expect(page.getByRole('main')).toContainText('Imported from');
});

test('chosen outputs are burned for two recipients and arrive', async ({ page, console }) => {
	const to = await console.devnet.rpc<string>('BETA', 'getnewaddress');
	const other = await console.devnet.rpc<string>('GAMMA', 'getnewaddress');
	await signIn(page);
	await page.goto('/migrations/new');
	await page.getByRole('link', { name: 'Advanced (coin control)' }).click();
	// The previous page has a field of the same name.
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Migrate selected UTXOs');
	await page.getByRole('combobox', { name: 'From' }).selectOption('ALPHA');
	await page.getByRole('button', { name: 'Show UTXOs' }).click();
	await page.getByRole('checkbox').first().check();
	await expect(page.getByText('1 UTXO selected')).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('textbox', { name: 'Recipients' }).fill(`${to} 1.15\n${other} 2`);
	await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('BETA');
	await page.getByRole('button', { name: 'Review migration' }).click();
	await expect(page.getByRole('main')).toContainText('Network fee on ALPHA');
	await carry(page, console);
	const { balance } = await console.devnet.rpc<{ balance: number }>('BETA', 'getaddressbalance', {
		addresses: [to]
	});
	expect(balance).toBe(115_000_000);
});

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('a pasted transaction is refused with what was typed, and accepted when it is right', async ({
		page,
		console
	}) => {
		const to = await console.devnet.rpc<string>('BETA', 'getnewaddress');
		const raw = await console.devnet.rpc<string>('ALPHA', 'createrawtransaction', [], { [to]: 3 });
		await signIn(page);
		await page.goto('/migrations/new/custom?source=ALPHA&destination=BETA');
		await page.getByText('Or paste a raw transaction').click();
		await page.getByRole('textbox', { name: 'Raw transaction' }).fill(`${raw}00`);
		await page.getByRole('button', { name: 'Review migration' }).click();
		const field = page.getByRole('textbox', { name: 'Raw transaction' });
		await expect(field).toHaveAttribute('aria-invalid', 'true');
		await expect(field).toHaveValue(`${raw}00`);
		await field.fill(raw);
		await page.getByRole('button', { name: 'Review migration' }).click();
		await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
		await page.getByRole('button', { name: 'Discard migration' }).click();
	});
});
