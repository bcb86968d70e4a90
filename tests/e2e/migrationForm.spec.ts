/** The form of a migration helps: it says what can be chosen, what it costs and what is missing. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

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
	await expect(page.getByText(/Insufficient balance/)).toHaveCount(0);
	await amount.fill('999999999');
	await expect(page.getByText(/^Insufficient balance: .* ALPHA missing\.$/)).toBeVisible();
	await amount.fill('1.5');
	await expect(page.getByText(/Insufficient balance/)).toHaveCount(0);
	const cost = page.getByRole('region', { name: 'Cost and arrival' });
	await expect(cost).toContainText('1.50020000');
	expect(await complaintsEveryWay(page)).toEqual([]);
});
