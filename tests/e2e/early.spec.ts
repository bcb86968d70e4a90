/** Typing, choosing and expanding while only the server's HTML is loaded. */
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './support/console.ts';

/**
 * Opens a page whose scripts are held back.
 * @returns a function that releases them and waits until they work
 */
async function openEarly(page: Page, path: string): Promise<() => Promise<void>> {
	const arrive = Promise.withResolvers<null>();
	await page.route(/\/_app\/.*\.js$/, async (route) => {
		await arrive.promise;
		await route.continue();
	});
	await page.goto(path, { waitUntil: 'commit' });
	return async () => {
		arrive.resolve(null);
		// Only scripts open the palette.
		await expect(async () => {
			await page.keyboard.press('Control+k');
			await expect(page.getByRole('dialog')).toBeVisible({ timeout: 500 });
		}).toPass();
		await page.keyboard.press('Escape');
	};
}

test('what is chosen before the scripts of a page arrive stays chosen', async ({ page }) => {
	await signIn(page);
	const scriptsArrive = await openEarly(page, '/admin/members');
	const invite = page.locator('form[action^="?/invite"]');
	const operator = invite.locator('[name="role"][value="operator"]');
	const every = invite.locator('[name="every"]');
	const alpha = invite.locator('[name="daemon"][value="ALPHA"]');
	const name = invite.locator('[name="name"]');
	await operator.check();
	await every.check();
	await alpha.check();
	await name.fill('early');
	await scriptsArrive();
	await expect(operator).toBeChecked();
	await expect(every).toBeChecked();
	await expect(alpha).toBeChecked();
	await expect(name).toHaveValue('early');
});

test('a role without a wallet that is chosen before the scripts arrive is warned of once they do', async ({
	page
}) => {
	await signIn(page);
	const scriptsArrive = await openEarly(page, '/admin/members');
	await page.locator('form[action^="?/invite"] [name="role"][value="operator"]').check();
	await scriptsArrive();
	await expect(page.getByText('No wallet selected.')).toBeVisible();
});

test('what is typed into a reloaded page before its scripts arrive is not replaced by what was kept', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/address-book');
	const label = page.getByRole('textbox', { name: 'Label' });
	const note = page.getByLabel('Note');
	await label.fill('before');
	await note.fill('kept');
	const arrive = Promise.withResolvers<null>();
	await page.route(/\/_app\/.*\.js$/, async (route) => {
		await arrive.promise;
		await route.continue();
	});
	await page.reload({ waitUntil: 'commit' });
	await label.fill('after');
	arrive.resolve(null);
	await expect(note).toHaveValue('kept');
	await expect(label).toHaveValue('after');
});

test('what is unfolded before the scripts of a page arrive stays open', async ({ page }) => {
	await signIn(page);
	const scriptsArrive = await openEarly(page, '/kdf/BCH');
	await page.getByText('Advanced', { exact: true }).click();
	const key = page.getByRole('combobox', { name: 'Sign with' });
	await expect(key).toBeVisible();
	await scriptsArrive();
	await expect(key).toBeVisible();
});

test('a filter and the boxes of notices stay as they were set before the scripts arrive', async ({
	page
}) => {
	await signIn(page);
	let scriptsArrive = await openEarly(page, '/chains/ALPHA/tokens');
	const text = page.locator('main [name="q"]');
	await text.fill('harbour');
	await scriptsArrive();
	await expect(text).toHaveValue('harbour');

	scriptsArrive = await openEarly(page, '/migrations');
	const state = page.locator('main select[name="state"]');
	await state.selectOption('discarded');
	await scriptsArrive();
	await expect(state).toHaveValue('discarded');

	scriptsArrive = await openEarly(page, '/account/notifications');
	const bell = page.locator('[name="needs-you bell"]');
	await bell.uncheck();
	await scriptsArrive();
	await expect(bell).not.toBeChecked();
});
