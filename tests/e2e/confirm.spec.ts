/** Administration asks for the password again, and a new password ends earlier sessions and tokens. */
import { randomUUID } from 'node:crypto';
import type { APIResponse, Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { ADMIN, addMember, expect, signIn, test, type Console } from './support/console.ts';
import { leaveOpen } from './support/members.ts';

/** Saves another choice of notices after the confirmation has expired, up to the page that asks for the password. */
async function chooseTooLate(page: Page, console: Console) {
	await signIn(page);
	await page.goto('/account/notifications');
	const box = page.getByRole('checkbox', { name: 'Security of your account: By email' });
	const before = await box.isChecked();
	await box.setChecked(!before);
	await leaveOpen(console);
	await page.getByRole('button', { name: 'Save choices' }).click();
	await expect(page.getByRole('heading', { name: 'Confirm your password' })).toBeVisible();
	return { box, before };
}

for (const javaScriptEnabled of [true, false]) {
	test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
		test.use({ javaScriptEnabled });

		test('a form that is posted too late goes on with the password, and keeps what was typed', async ({
			page,
			console
		}) => {
			const name = javaScriptEnabled ? 'with-scripts' : 'without-scripts';
			await signIn(page);
			await page.goto('/admin/members');
			await page.getByRole('textbox', { name: 'Name' }).fill(name);
			await page.getByRole('radio', { name: 'Operator' }).check();
			await leaveOpen(console);
			await page.getByRole('button', { name: 'Create invite link' }).click();
			await expect(page.getByRole('heading', { name: 'Confirm your password' })).toBeVisible();
			expect(await page.content()).not.toContain('/join?token=');
			expect(javaScriptEnabled ? await complaints(page) : []).toEqual([]);

			const field = page.getByLabel(`Password of ${ADMIN.name}`);
			await field.fill('not this one');
			await page.getByRole('button', { name: 'Confirm password' }).click();
			await expect(page.getByText('This is not your password.')).toBeVisible();
			await expect(field).toHaveValue('');
			await field.fill(ADMIN.password);
			await page.getByRole('button', { name: 'Confirm password' }).click();
			await expect(page.getByTestId('invitation')).toBeVisible();
			await expect(page.getByRole('cell', { name: 'operator' }).first()).toBeVisible();
			await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
		});

		test('choices of notices are kept after the password, and nothing is before it', async ({
			page,
			console
		}) => {
			const { box, before } = await chooseTooLate(page, console);
			await page.getByLabel(`Password of ${ADMIN.name}`).fill(ADMIN.password);
			await page.getByRole('button', { name: 'Confirm password' }).click();
			await expect(page.getByText('Choices saved.')).toBeVisible();
			await page.goto('/account/notifications');
			await expect(box).toBeChecked({ checked: !before });
			await box.setChecked(before);
			await page.getByRole('button', { name: 'Save choices' }).click();
			await expect(page.getByText('Choices saved.')).toBeVisible();
		});

		test('a page is opened after the password', async ({ page, console }) => {
			await signIn(page);
			await leaveOpen(console);
			await page.goto('/admin/audit?kind=people');
			await expect(page).toHaveURL(/\/confirm\?next=/);
			await page.getByLabel(`Password of ${ADMIN.name}`).fill(ADMIN.password);
			await page.getByRole('button', { name: 'Confirm password' }).click();
			await expect(page).toHaveURL(`${console.url}/admin/audit?kind=people`);
		});
	});
}

test('a page that waits for the password stays with what is typed, whatever happens meanwhile', async ({
	page,
	console
}) => {
	await chooseTooLate(page, console);
	const password = page.getByLabel(`Password of ${ADMIN.name}`);
	await password.fill(ADMIN.password);
	const other = await page.context().newPage();
	await other.goto('/');
	await console.devnet.control.fault('ALPHA', 'down');
	try {
		await expect(other.getByRole('link', { name: 'ALPHA Offline' }).first()).toBeVisible();
	} finally {
		await console.devnet.control.fault('ALPHA', 'none');
	}
	await other.close();
	await expect(password).toHaveValue(ADMIN.password);
	await page.getByRole('button', { name: 'Confirm password' }).click();
	await expect(page.getByText('Choices saved.')).toBeVisible();
});

test('a form that is confirmed and comes twice is carried out once, by its field or by a header', async ({
	page,
	console
}) => {
	await signIn(page);
	for (const where of ['by-field', 'by-header']) {
		await leaveOpen(console);
		const key = { 'idempotency-key': randomUUID() };
		const form = { name: where, role: 'viewer', expires: '90', 'confirm-password': ADMIN.password };
		const send = (): Promise<APIResponse> =>
			page.request.post('/account?/createToken', {
				form: where === 'by-field' ? { ...form, ...key } : form,
				headers: {
					origin: console.url,
					'x-sveltekit-action': 'true',
					...(where === 'by-header' ? key : {})
				}
			});
		for (const answer of await Promise.all([send(), send()])) {
			expect(await answer.json()).toMatchObject({ type: 'success' });
		}
	}
	await page.goto('/account');
	const tokens = page.getByRole('table', { name: 'Your API tokens' });
	await expect(tokens.getByRole('rowheader', { name: 'by-field' })).toHaveCount(1);
	await expect(tokens.getByRole('rowheader', { name: 'by-header' })).toHaveCount(1);
});

test('a new password ends the sessions and API tokens that are checked', async ({
	page,
	browser,
	console
}) => {
	const grace = await addMember(console, { name: 'grace', role: 'admin' });
	const other = await (await browser.newContext({ baseURL: console.url })).newPage();
	await signIn(other, grace);
	await signIn(page, grace);
	await page.goto('/account');
	for (const name of ['kept', 'lost']) {
		await page.getByLabel('API token name').fill(name);
		await page.getByRole('button', { name: 'Create API token' }).click();
		// The token before is still shown until this one comes.
		await expect(page.getByRole('rowheader', { name })).toBeVisible();
	}
	const next = 'the next analytical engine';
	const form = page.locator('form[action^="?/password"]');
	await expect(form.getByRole('checkbox', { checked: false })).toHaveCount(0);
	await form.getByRole('checkbox', { name: 'API token: kept' }).uncheck();
	await form.getByLabel('Current password').fill('not this one');
	await form.getByLabel('New password', { exact: true }).fill(next);
	await form.getByLabel('Confirm new password').fill(next);
	await form.getByRole('button', { name: 'Change password' }).click();
	await expect(page.getByText('This is not the current password.')).toBeVisible();
	await expect(form.getByRole('checkbox', { name: 'API token: kept' })).not.toBeChecked();
	await form.getByLabel('Current password').fill(grace.password);
	await form.getByLabel('New password', { exact: true }).fill(next);
	await form.getByLabel('Confirm new password').fill(next);
	await form.getByRole('button', { name: 'Change password' }).click();
	await expect(page.getByText('Password changed.')).toBeVisible();
	const tokens = page.getByRole('table', { name: 'Your API tokens' });
	await expect(tokens.getByRole('rowheader', { name: 'kept' })).toBeVisible();
	await expect(tokens.getByRole('rowheader', { name: 'lost' })).toHaveCount(0);
	await other.goto('/account');
	await expect(other).toHaveURL(/\/login/);
	await page.reload();
	await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
});
