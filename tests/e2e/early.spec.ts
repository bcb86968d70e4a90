/** What a person types and chooses while only the server's HTML is there. */
import { expect, signIn, test } from './support/console.ts';

test('what is chosen before the scripts of a page arrive stays chosen', async ({ page }) => {
	await signIn(page);
	const arrive = Promise.withResolvers<null>();
	await page.route(/\/_app\/.*\.js$/, async (route) => {
		await arrive.promise;
		await route.continue();
	});
	await page.goto('/admin/members', { waitUntil: 'commit' });
	const invite = page.locator('form[action^="?/invite"]');
	const operator = invite.locator('[name="role"][value="operator"]');
	const every = invite.locator('[name="every"]');
	const alpha = invite.locator('[name="daemon"][value="ALPHA"]');
	const name = invite.locator('[name="name"]');
	await operator.check();
	await every.check();
	await alpha.check();
	await name.fill('early');
	arrive.resolve(null);
	// Only scripts open the palette.
	await expect(async () => {
		await page.keyboard.press('Control+k');
		await expect(page.getByRole('dialog')).toBeVisible({ timeout: 500 });
	}).toPass();
	await page.keyboard.press('Escape');
	await expect(operator).toBeChecked();
	await expect(every).toBeChecked();
	await expect(alpha).toBeChecked();
	await expect(name).toHaveValue('early');
});
