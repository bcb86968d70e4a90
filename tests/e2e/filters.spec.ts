/** Forms that reload their own page with a filter, with the keyboard. */
import { expect, test } from './support/console.ts';

test('who filters a list stays at its filter, and comes to what is wrong with it', async ({
	page
}) => {
	await page.goto('/chains/ALPHA/blocks');
	const filter = page.getByRole('search', { name: /blocks/i });
	const from = filter.getByRole('textbox', { name: 'From height' });
	const press = filter.getByRole('button', { name: 'Filter' });
	// Once scripts run.
	await expect(page.getByRole('button', { name: 'Open the command palette' })).toBeVisible();
	await from.fill('2');
	await from.press('Enter');
	await expect(page).toHaveURL(/from=2/);
	await expect(press).toBeFocused();
	await from.fill('two');
	await from.press('Enter');
	await expect(page).toHaveURL(/from=two/);
	await expect(from).toHaveAttribute('aria-invalid', 'true');
	await expect(from).toBeFocused();
	await from.fill('');
	await press.click();
	await expect(page).toHaveURL(/from=&/);
	await expect(press).toBeFocused();
});

test('a wrong key in the form of a token gets the focus', async ({ page }) => {
	await page.goto('/chains/ALPHA/tokens');
	await page.locator('main tbody th a').first().click();
	const key = page.getByRole('textbox', { name: 'Public key', exact: true });
	await key.fill('02abc');
	await page.getByRole('button', { name: 'Check' }).click();
	await expect(key).toHaveAttribute('aria-invalid', 'true');
	await expect(key).toBeFocused();
});
