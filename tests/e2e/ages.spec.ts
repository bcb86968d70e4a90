/** Ages on a page that stays open. */
import { expect, test } from './support/console.ts';

test('the age of the last block counts on while nothing happens', async ({ page, console }) => {
	await console.devnet.control.mine('ALPHA');
	await page.clock.install();
	await page.goto('/chains/ALPHA/blocks');
	const newest = page.getByRole('main').locator('tbody time').first();
	await expect(newest).toHaveText(/^(just now|\d+ (second|minute)s? ago)$/);
	await expect(page.getByRole('combobox', { name: /^Search / })).toBeVisible();
	await page.clock.fastForward('03:00:00');
	await expect(newest).toHaveText(/^3 hours ago$/);
});
