/** What cannot be undone is shown before it is done, with and without scripts, and held by the server. */
import type { Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { addMember, ADMIN, expect, signIn, submit, sure, test } from './support/console.ts';
import { leaveOpen } from './support/members.ts';

const LOST = 'All sessions of the account end, and its API tokens are revoked.';
const disable = (page: Page) => page.getByRole('button', { name: 'Disable account' });

async function openMember(page: Page, name: string): Promise<void> {
	await page.goto('/admin/members');
	await page.getByRole('link', { name, exact: true }).click();
	await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('a question before an account is disabled is answered by keyboard, and no changes nothing', async ({
	page,
	console
}) => {
	await addMember(console, { name: 'ines', role: 'operator' });
	await signIn(page);
	await openMember(page, 'ines');
	await disable(page).press('Enter');
	const question = page.getByRole('dialog', { name: 'Disable account: ines' });
	await expect(question).toContainText(LOST);
	await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
	expect(await complaints(page)).toEqual([]);
	await page.keyboard.press('Escape');
	await expect(question).toHaveCount(0);
	await expect(disable(page)).toBeFocused();
	await disable(page).press('Enter');
	await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(question).toHaveCount(0);
	await page.reload();
	await expect(disable(page)).toBeVisible();
	await disable(page).click();
	await sure(page);
	await expect(page.getByText('Account disabled')).toBeVisible();
});

test('without an answer to the question the server does nothing', async ({ page, console }) => {
	await addMember(console, { name: 'ivan', role: 'operator' });
	await signIn(page);
	await openMember(page, 'ivan');
	const path = new URL(page.url()).pathname;
	const send = async (accept: string) => {
		const answer = await page.request.post(`${path}?/disable`, {
			headers: { origin: console.url, accept },
			form: { successor: '', sure: 'on' }
		});
		return { status: answer.status(), text: await answer.text() };
	};
	const json = await send('application/json');
	expect([json.status, JSON.parse(json.text)]).toMatchObject([403, { code: 'sure-needed' }]);
	const html = await send('text/html');
	expect([html.status, html.text]).toEqual([403, expect.stringContaining(LOST)]);
	await page.reload();
	await expect(disable(page)).toBeVisible();
});

test('who has to confirm the password as well reads there what is lost, and confirms both at once', async ({
	page,
	console
}) => {
	await addMember(console, { name: 'inga', role: 'operator' });
	await signIn(page);
	await openMember(page, 'inga');
	await leaveOpen(console);
	await disable(page).click();
	await expect(page.getByRole('heading', { name: 'Confirm your password' })).toBeVisible();
	await expect(page.getByText('Disable account: inga')).toBeVisible();
	await expect(page.getByText(LOST)).toBeVisible();
	await page.getByLabel(`Password of ${ADMIN.name}`).fill(ADMIN.password);
	await page.getByRole('button', { name: 'Confirm password' }).click();
	await expect(page.getByText('Account disabled')).toBeVisible();
});

test('what is typed into another form stays while an API token is revoked', async ({ page }) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill('to be revoked');
	await page.getByRole('button', { name: 'Create API token' }).click();
	const row = page.getByRole('row', { name: 'to be revoked' });
	await expect(row).toBeVisible();
	await page.getByLabel('API token name').fill('half a na');
	await row.getByRole('button', { name: 'Revoke to be revoked' }).click();
	await sure(page);
	await expect(row).toHaveCount(0);
	await expect(page.getByLabel('API token name')).toHaveValue('half a na');
});

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('a page asks before an entry of the address book is removed, and keeps it when told so', async ({
		page
	}) => {
		await signIn(page);
		await page.goto('/address-book');
		await page.getByLabel('Label', { exact: true }).fill('Passing');
		await page.locator('[name="kind"]').last().selectOption('chain');
		await page.locator('[name="value"]').fill('BETA');
		await submit(page.getByRole('button', { name: 'Add entry' }));
		const entry = page.url();
		const remove = page.getByRole('button', { name: 'Remove entry' });
		await remove.click();
		await expect(page.getByRole('heading', { name: 'Remove entry: Passing' })).toBeVisible();
		await page.getByRole('link', { name: 'Cancel' }).click();
		await expect(page).toHaveURL(entry);
		await remove.click();
		await remove.click();
		await expect(page).toHaveURL(/\/address-book$/);
		expect((await page.goto(entry))?.status()).toBe(404);
	});
});
