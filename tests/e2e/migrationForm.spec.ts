/** The form of a migration shows the choices, the costs and missing values. */
import type { Page } from '@playwright/test';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';
import { databaseOf } from './support/rows.ts';

test.beforeEach(async ({ page }) => {
	await signIn(page);
	await page.goto('/migrations/new');
});

test('a chain without a route cannot be chosen as destination, and says why', async ({ page }) => {
	await page.getByLabel('From').selectOption('ALPHA');
	const destination = page.getByLabel('To', { exact: true });
	await expect(destination.getByRole('option', { name: 'BETA' })).toBeEnabled();
	await expect(destination.getByRole('option', { name: /ALPHA .* same chain/ })).toBeDisabled();
	await expect(
		destination.getByRole('option', { name: /GAMMA .* no route \(CCid \d+\)/ })
	).toBeDisabled();
});

test('a destination is given up when the source is changed to a chain without a route to it', async ({
	page
}) => {
	await page.getByLabel('From').selectOption('ALPHA');
	await page.getByLabel('To', { exact: true }).selectOption('BETA');
	await page.getByLabel('From').selectOption('GAMMA');
	await expect(page.getByLabel('To', { exact: true })).toHaveValue('');
});

test('the only chain that a source has a route to is chosen with it', async ({ page }) => {
	await page.getByLabel('From').selectOption('ALPHA');
	await expect(page.getByLabel('To', { exact: true })).toHaveValue('BETA');
});

test('the form shows the balance, fills in the most that can be migrated and the own wallet, and says what is missing', async ({
	page,
	console
}) => {
	await page.getByLabel('From').selectOption('ALPHA');
	await page.getByLabel('To', { exact: true }).selectOption('BETA');
	await expect(page.getByText(/^Paid from wallet ALPHA/)).toContainText('available');
	await page.getByRole('button', { name: 'Use own wallet on BETA' }).click();
	const pubkey = console.devnet.chains.get('BETA')!.pubkey;
	await expect(page.getByLabel('Recipient address')).toHaveValue(addressOfPubkey(pubkey));
	await page.getByRole('button', { name: 'Max' }).click();
	const amount = page.getByLabel('Amount', { exact: true });
	await expect(amount).toHaveValue(/^\d+\.\d{8}$/);
	expect(Number(await amount.inputValue())).toBeLessThanOrEqual(1_000_000);
	await expect(page.getByText(/Insufficient balance/)).toHaveCount(0);
	await amount.fill('999999999');
	await expect(page.getByText(/^Insufficient balance: .* ALPHA missing\.$/)).toBeVisible();
	await amount.fill('1.5');
	await expect(page.getByText(/Insufficient balance/)).toHaveCount(0);
	const cost = page.getByRole('region', { name: 'Cost and arrival' });
	await expect(cost).toContainText('1.50010000');
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('an entry of an earlier release with the label of the own wallet stops no script of the form', async ({
	page,
	console
}) => {
	const label = 'Own wallet on BETA';
	const value = await console.devnet.rpc<string>('BETA', 'getnewaddress');
	const db = await databaseOf(console.dataDir);
	try {
		const texts = { skeleton: label, label_key: label, note: '', written_by: 'x', created_by: 'x' };
		const times = { created_at: 1n, written_at: 1n };
		await db
			.insertInto('labels')
			.values({ id: label, kind: 'address', value, chain: null, label, ...texts, ...times })
			.execute();
		await page.goto('/migrations/new?source=ALPHA&destination=BETA');
		const recipient = page.getByRole('combobox', { name: 'Recipient address' });
		await expect(recipient).toHaveAttribute('aria-expanded', 'false');
		await recipient.focus();
		await expect(page.getByRole('option', { name: label })).toHaveCount(2);
	} finally {
		await db.deleteFrom('labels').where('id', '=', label).execute();
		await db.close();
	}
});

test('the own wallet as recipient goes along with the destination, and an address that was typed stays', async ({
	page,
	console
}) => {
	const ownOn = (chain: string): string =>
		addressOfPubkey(console.devnet.chains.get(chain)!.pubkey);
	const to = page.getByLabel('To', { exact: true });
	const recipient = page.getByLabel('Recipient address');
	await to.selectOption('BETA');
	await page.getByRole('button', { name: 'Use own wallet on BETA' }).click();
	await to.selectOption('GAMMA');
	await expect(recipient).toHaveValue(ownOn('GAMMA'));
	await to.selectOption('BETA');
	await expect(recipient).toHaveValue(ownOn('BETA'));
	// The destination is reset, and its wallet with it.
	await page.getByLabel('From').selectOption('BETA');
	await expect(to).toHaveValue('');
	await expect(recipient).toHaveValue('');
	await to.selectOption('ALPHA');
	await expect(recipient).toHaveValue('');
	// An address typed by hand is recognized as the own wallet, too.
	await recipient.fill(ownOn('ALPHA'));
	await page.getByLabel('From').selectOption('ALPHA');
	await expect(to).toHaveValue('');
	await expect(recipient).toHaveValue('');
	await page.getByLabel('From').selectOption('BETA');
	await recipient.fill(ownOn('GAMMA'));
	await page.getByLabel('From').selectOption('ALPHA');
	await to.selectOption('BETA');
	await expect(recipient).toHaveValue(ownOn('GAMMA'));
});

test('a token that the other source does not have gives way to none, and not to another token', async ({
	page,
	console: { devnet }
}) => {
	const created = await devnet.rpc<{ hex: string }>('BETA', 'tokencreate', 'OTHER', '0.00000010');
	await devnet.rpc('BETA', 'sendrawtransaction', created.hex);
	await devnet.control.mine('BETA');
	const token = page.getByLabel('Token', { exact: true });
	// Until the index knows the new one, the form does not offer it.
	await expect(async () => {
		await page.goto('/migrations/new/token?source=ALPHA');
		await token.selectOption({ index: 1 });
		await page.getByLabel('From').selectOption('BETA');
		await page.getByRole('button', { name: 'Show tokens' }).click();
		await expect(page).toHaveURL(/source=BETA/);
		await expect(token.getByRole('option', { name: /OTHER/ })).toHaveCount(1, { timeout: 1_000 });
	}).toPass();
	await expect(token).toHaveValue('');
	await page.getByRole('button', { name: /^Review/ }).click();
	await expect(token).toHaveAttribute('aria-invalid', 'true');
	await expect(token).toHaveValue('');
});

test('a chain that a link names and that is not here is not taken for another', async ({
	page,
	browser,
	console
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const plain = await context.newPage();
	await signIn(plain);
	for (const reader of [page, plain]) {
		await reader.goto('/migrations/recover?chain=GONE');
		await expect(reader.locator('main select[name="chain"]')).toHaveValue('');
	}
	await context.close();
});

test('without JavaScript the form offers no button that only a script answers', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const page = await context.newPage();
	await signIn(page);
	await page.goto('/migrations/new?source=ALPHA&destination=BETA');
	await expect(page.getByText(/^Paid from wallet ALPHA/)).toContainText('available');
	await expect(page.locator('main button[type="button"]')).toHaveCount(0);
	await context.close();
});

test('what is typed before the palette is there goes into no field of the page', async ({
	page
}) => {
	await page.goto('/migrations/new?source=ALPHA&destination=BETA');
	const amount = page.getByLabel('Amount', { exact: true });
	await amount.fill('3');
	const arrive = Promise.withResolvers<null>();
	await page.route('**/*.js', async (route) => {
		await arrive.promise;
		await route.continue();
	});
	await page.keyboard.press('Control+k');
	await page.keyboard.type('15');
	arrive.resolve(null);
	await expect(page.getByRole('dialog')).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(amount).toBeFocused();
	await expect(amount).toHaveValue('3');
});

test('a command for another chain begins the form anew', async ({ page }) => {
	await page.goto('/migrations/new?source=ALPHA&destination=BETA');
	await page.getByLabel('Amount', { exact: true }).fill('3');
	await page.keyboard.press('Control+k');
	const palette = page.getByRole('dialog');
	await palette.getByRole('combobox').fill('migrate coins beta');
	await palette
		.getByRole('option', { name: /Migrate coins/ })
		.first()
		.click();
	await expect(page).toHaveURL(/source=BETA$/);
	await expect(page.getByLabel('From')).toHaveValue('BETA');
	await expect(page.getByLabel('To', { exact: true })).toHaveValue('ALPHA');
	await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('');
	await page.goBack();
	await expect(page.getByLabel('From')).toHaveValue('ALPHA');
	await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('3');
});

/** The value of a term in a card, without spaces. */
const fact = async (page: Page, card: string | RegExp, term: string): Promise<string> => {
	const region = page.getByRole('region', { name: card });
	const row = region.locator('dt', { hasText: new RegExp(`^\\s*${term}`) }).locator('xpath=..');
	return (await row.locator('dd').first().innerText()).replaceAll(/\s+/g, ' ').trim();
};

for (const proof of ['notarizations', 'approvals']) {
	test(`the form and the review of a migration proven by ${proof} say the same amount received, fees and total`, async ({
		page
	}) => {
		await page.getByLabel('From').selectOption('ALPHA');
		await page.getByLabel('To', { exact: true }).selectOption('BETA');
		await page.getByRole('button', { name: 'Use own wallet on BETA' }).click();
		await page.getByLabel('Amount', { exact: true }).fill('1.5');
		await page.getByLabel('Proof method').selectOption(proof);
		const form = 'Cost and arrival';
		const said = {
			received: await fact(page, form, 'Amount received'),
			importFee: await fact(page, form, 'Import fee'),
			networkFee: await fact(page, form, 'Network fee'),
			total: await fact(page, form, 'Total debited')
		};
		expect(said).toEqual({
			received: '1.50000000 BETA',
			importFee: '0.00010000 ALPHA',
			networkFee: '0.00000000 ALPHA',
			total: '1.50010000 ALPHA'
		});
		await page.getByRole('button', { name: 'Review migration' }).click();
		await page.waitForURL(/\/migrations\/[0-9a-f]{20}$/);
		const burn = /^Burn transaction/;
		expect({
			received: await fact(page, 'Details', 'Amount received'),
			importFee: await fact(page, burn, 'Import fee'),
			networkFee: await fact(page, burn, 'Network fee on ALPHA'),
			total: await fact(page, burn, 'Total debited')
		}).toEqual(said);
		await page.getByRole('button', { name: 'Discard migration' }).click();
	});
}

test('the balance of a form leaves out what a review has locked, as the page of the wallet does', async ({
	page
}) => {
	await page.goto('/chains/BETA/consolidate');
	const before = await fact(page, /wallet/i, 'Available balance');
	await page.getByRole('button', { name: /Review/ }).click();
	await page.waitForURL(/\/transactions\/[0-9a-f-]{36}$/);
	await page.goto('/chains/BETA/consolidate');
	const locked = await fact(page, /wallet/i, 'Available balance');
	expect(locked).not.toBe(before);
	await page.goto('/wallets/BETA');
	expect(await fact(page, 'Balance', 'Available')).toContain(locked);
	await page.goto('/transactions');
	const line = page.getByRole('row').filter({ hasText: 'UTXO consolidation' });
	await expect(line.first()).toContainText(/\d\.\d{8}\s?BETA/);
});
