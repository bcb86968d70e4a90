/** Names of tokens that could be read as a part of the amount before them. */
import { expect, signIn, test } from './support/console.ts';

test.use({ apart: 'token-names' });

const NAME = '000 GOLD';
const RECIPIENT = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

test('a name that begins with a digit is told apart from the amount before it', async ({
	page,
	console
}) => {
	await signIn(page);
	const main = page.getByRole('main');
	await page.goto('/chains/ALPHA/tokens/new');
	await main.locator('[name="name"]').fill(NAME);
	await main.locator('[name="supply"]').fill('20');
	await main.locator('[name="decimals"]').selectOption('2');
	await main.getByRole('button', { name: 'Review' }).click();
	await main.getByRole('button', { name: 'Send transaction' }).click();
	await expect(main.getByText('Pending', { exact: true }).first()).toBeVisible();
	await console.devnet.control.mine('ALPHA');
	await expect(main.getByText('Confirmed', { exact: true }).first()).toBeVisible();
	const token = await main.locator('a[href*="/token/"]').first().getAttribute('href');
	await page.goto(`${token}/transfer`);
	await main.locator('[name="recipient"]').fill(RECIPIENT);
	await main.locator('[name="amount"]').fill('1.5');
	await main.getByRole('button', { name: 'Review' }).click();
	await expect(main.getByText(`Transfers 1.5 “${NAME}” (150 base units)`)).toBeVisible();
});
