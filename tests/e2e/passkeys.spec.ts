/** Passkeys as members see them, in Chromium with a virtual authenticator. */
import { complaints } from './support/axe.ts';
import { expect, signIn, sure, test } from './support/console.ts';
import { plugIn } from './support/authenticator.ts';
import type { Page } from '@playwright/test';
import { leaveOpen, logIn, resetFactors } from './support/members.ts';

async function logInByPassword(page: Page): Promise<void> {
	await page.goto('/login?next=/admin/members');
	await logIn(page);
	await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible();
}

/** A virtual authenticator exists as long as its browser context. */
test.use({ apart: 'passkeys', reuseContext: false });

test('a member adds a passkey, logs in with it after the password and alone, confirms by it and removes it', async ({
	page,
	console
}) => {
	await resetFactors(console);
	const authenticator = await plugIn(page);
	await signIn(page);
	await page.goto('/account/factors');
	const card = page.getByRole('region', { name: 'Passkeys' });
	await card.getByLabel('Name').fill('this laptop');
	expect(await complaints(page)).toEqual([]);
	await card.getByRole('button', { name: 'Add passkey' }).click();
	await expect(page.getByText('Factor added.')).toBeVisible();
	await expect(page.getByTestId('recovery-codes')).toBeVisible();
	await expect(page.getByRole('cell', { name: 'this laptop' })).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	expect(await authenticator.count()).toBe(1);

	// The same authenticator creates no second passkey for the same member.
	await card.getByRole('button', { name: 'Add passkey' }).click();
	await expect(card.getByText('has a passkey for your account already')).toBeVisible();
	const again = card.getByRole('button', { name: 'Try again' });
	await expect(again).toBeEnabled();
	await expect(again).toBeFocused();
	expect(await complaints(page)).toEqual([]);
	// Each response renders the notice again: that of the second one is another element.
	const first = await card.getByText('has a passkey for your account already').elementHandle();
	await again.focus();
	await page.keyboard.press('Enter');
	await expect.poll(() => first?.evaluate((notice) => notice.isConnected)).toBe(false);
	await expect(again).toBeEnabled();
	await expect(again).toBeFocused();

	await page.context().clearCookies();
	await logInByPassword(page);
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('button', { name: 'Use passkey' }).click();
	await expect(page).toHaveURL('/admin/members');

	await page.context().clearCookies();
	await page.goto('/login?next=/admin/members');
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('button', { name: 'Log in with passkey' }).click();
	await expect(page).toHaveURL('/admin/members');

	await page.getByRole('textbox', { name: 'Name' }).fill('by-passkey');
	await page.getByRole('radio', { name: 'Operator' }).check();
	await leaveOpen(console);
	await page.getByRole('button', { name: 'Create invite link' }).click();
	await expect(
		page.getByRole('heading', { name: 'Confirm with your second factor' })
	).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('button', { name: 'Confirm with passkey' }).click();
	await expect(page.getByTestId('invitation')).toBeVisible();
	await expect(page.getByText('by-passkey', { exact: true }).first()).toBeVisible();

	await page.goto('/account/factors');
	await page.getByRole('link', { name: 'Rename this laptop' }).click();
	const renamed = page.getByRole('region', { name: 'Rename this laptop' });
	await expect(renamed.getByLabel('Name')).toHaveValue('this laptop');
	expect(await complaints(page)).toEqual([]);
	await renamed.getByLabel('Name').fill('old laptop');
	await renamed.getByRole('button', { name: 'Save name' }).click();
	await expect(page.getByText('Factor renamed.')).toBeVisible();
	await page.getByRole('button', { name: 'Remove old laptop' }).click();
	await sure(page);
	await expect(page.getByText('Factor removed.')).toBeVisible();
	await page.context().clearCookies();
	await page.goto('/login');
	await page.getByRole('button', { name: 'Log in with passkey' }).click();
	await expect(page.getByText('This passkey was refused, or it took too long.')).toBeVisible();
});

test('a person whom the authenticator does not recognize gets in nowhere, and can type the password', async ({
	page,
	console
}) => {
	await resetFactors(console);
	const authenticator = await plugIn(page);
	await signIn(page);
	await page.goto('/account/factors');
	await page.getByRole('button', { name: 'Add passkey' }).click();
	await expect(page.getByText('Factor added.')).toBeVisible();
	await authenticator.verifies(false);
	await page.context().clearCookies();
	await page.goto('/login');
	await page.getByRole('button', { name: 'Log in with passkey' }).click();
	await expect(page.getByText('No passkey was used')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Log in with passkey' })).toBeEnabled();
	await authenticator.verifies(true);
	await logInByPassword(page);
	await page.getByRole('button', { name: 'Use passkey' }).click();
	await expect(page).toHaveURL('/admin/members');
	await resetFactors(console);
});

test('the library for passkeys comes when it is asked for, and not with the login page', async ({
	page,
	console
}) => {
	await resetFactors(console);
	await plugIn(page);
	await page.goto('/login');
	await expect(page.getByRole('button', { name: 'Log in with passkey' })).toBeEnabled();
	const scripts: string[] = [];
	page.on('request', (request) => {
		if (request.resourceType() === 'script') scripts.push(request.url());
	});
	await page.getByRole('button', { name: 'Log in with passkey' }).click();
	await expect.poll(() => scripts.length).toBeGreaterThan(0);
});

test('at an IP address passkeys are off, and the page says why', async ({ page, console }) => {
	const address = console.url.replace('localhost', '127.0.0.1');
	await page.goto(`${address}/login`);
	await expect(
		page.getByText('Passkeys are off here: they do not work at an IP address.')
	).toBeVisible();
	await expect(page.getByRole('button', { name: 'Log in with passkey' })).toHaveCount(0);
	expect(await complaints(page)).toEqual([]);
});

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('pages say that passkeys need JavaScript', async ({ page, console }) => {
		await resetFactors(console);
		// Chromium shows no <noscript> when scripts are disabled through its developer tools.
		const saysSo = async () => (await page.content()).includes('Passkeys need JavaScript.');
		await page.goto('/login');
		expect(await saysSo()).toBe(true);
		await expect(page.getByRole('button', { name: 'Log in with passkey' })).toBeDisabled();
		await signIn(page);
		await page.goto('/account/factors');
		expect(await saysSo()).toBe(true);
		await expect(page.getByRole('button', { name: 'Add passkey' })).toBeDisabled();
		await expect(page.getByRole('button', { name: 'Set up app' })).toBeEnabled();
	});
});
