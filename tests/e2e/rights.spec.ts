/** Wallet grants, spending limits and open work, for the admin who sets them and for the member. */
import type { Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { addMember, expect, signIn, sure, test } from './support/console.ts';
import { invite } from './support/members.ts';

/** Each test uses many pages of two members. */
test.describe.configure({ timeout: 180_000 });

/** An operator without a wallet grant. */
const OPERATOR = { role: 'operator', shows: /^None$/ } as const;

async function open(admin: Page, name: string): Promise<void> {
	await admin.goto('/admin/members');
	await admin.getByRole('link', { name, exact: true }).click();
	await expect(admin.getByRole('heading', { level: 1, name })).toBeVisible();
}

async function fillIn(page: Page, name: string): Promise<void> {
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByRole('textbox', { name: 'Name' }).fill(name);
	await page.getByRole('textbox', { name: 'Supply' }).fill('100000');
	await page.getByRole('button', { name: 'Review' }).click();
}

async function review(page: Page, name: string): Promise<void> {
	await fillIn(page, name);
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
}

test('somebody new uses no wallet until an admin gives one, and no more of it than a day allows', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const olga = await invite(page, browser, console, { ...OPERATOR, name: 'olga' });
	await olga.goto('/chains/ALPHA/tokens/new');
	await expect(olga.getByText('access to the ALPHA wallet').first()).toBeVisible();
	await olga.goto('/account');
	await expect(olga.getByText('No wallet assigned')).toBeVisible();
	await olga.goto('/migrations/new');
	await expect(olga.getByText('You have no wallet yet')).toBeVisible();
	await olga.goto('/account');
	expect(await complaints(olga)).toEqual([]);

	await open(page, 'olga');
	await page.getByRole('checkbox', { name: 'ALPHA', exact: true }).check();
	await page.getByRole('button', { name: 'Change wallets' }).click();
	await expect(page.getByText('Wallets changed')).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await page.goto('/admin/members');
	await expect(page.getByRole('row', { name: /olga/ })).toContainText('ALPHA');

	await page.goto('/admin/policies/limits');
	await page.getByRole('combobox', { name: 'Member' }).selectOption({ label: 'olga' });
	await page.getByRole('combobox', { name: 'Type' }).selectOption('token-create');
	await page.getByRole('textbox', { name: 'Max. transactions per 24 h' }).fill('many');
	await page.getByRole('button', { name: 'Set limit' }).click();
	await expect(page.getByText('Enter a whole number')).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'Max. transactions per 24 h' })).toHaveValue(
		'many'
	);
	await page.getByRole('textbox', { name: 'Max. transactions per 24 h' }).fill('1');
	await page.getByRole('button', { name: 'Set limit' }).click();
	await expect(page.getByText('Limit saved.')).toBeVisible();
	expect(await complaints(page)).toEqual([]);

	await review(olga, 'FIRST');
	await expect(olga.getByText('The signed bytes are shown once sent')).toBeVisible();
	await expect(olga.getByText('Decode byte by byte')).toHaveCount(0);
	await olga.getByRole('button', { name: 'Send transaction' }).click();
	await expect(olga.getByText('Pending', { exact: true }).first()).toBeVisible();
	await expect(olga.getByText('Decode byte by byte')).toBeVisible();
	await console.devnet.control.mine('ALPHA');
	await fillIn(olga, 'SECOND');
	await expect(
		olga.getByText(/Limit reached: 1 of 1 token creation on ALPHA in 24 hours\./).first()
	).toBeVisible();
	await expect(
		olga.getByText(/may go out from \d{4}-\d\d-\d\d \d\d:\d\d UTC on/).first()
	).toBeVisible();
	await expect(olga.getByRole('textbox', { name: 'Name' })).toHaveValue('SECOND');
	await olga.goto('/account');
	await expect(olga.getByText('token creations on every chain: at most 1')).toBeVisible();
	expect(await complaints(olga)).toEqual([]);
	await page.goto('/admin/policies/limits');
	await expect(page.locator('#used').getByRole('row', { name: /olga/ })).toContainText('1 of 1');
	await page.getByRole('button', { name: /Remove the limit of olga/ }).click();
	await sure(page);
	await expect(page.getByText('Limit removed.')).toBeVisible();
});

test('who leaves hands open work to somebody who can finish it, and is out at that moment', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const lena = await invite(page, browser, console, {
		name: 'lena',
		role: 'operator',
		wallets: /All wallets/,
		shows: /^All$/
	});
	const nils = await invite(page, browser, console, { ...OPERATOR, name: 'nils' });
	await review(lena, 'LEFTOVER');
	const review1 = new URL(lena.url()).pathname;
	// For a member who may neither send nor end it, it does not exist.
	expect((await nils.goto(review1))?.status()).toBe(404);

	await open(page, 'lena');
	await expect(page.getByRole('table', { name: 'Open work of lena' })).toContainText(
		'Token creation on ALPHA'
	);
	await page.getByRole('combobox', { name: 'New owner' }).selectOption({ label: 'nils, Operator' });
	await page.getByRole('button', { name: 'Disable account' }).click();
	await sure(page);
	await expect(page.getByText(/nils may not use the wallet of ALPHA/)).toBeVisible();
	expect((await lena.goto('/account'))?.status()).toBe(200);

	await open(page, 'nils');
	await page.getByRole('checkbox', { name: 'ALPHA', exact: true }).check();
	await page.getByRole('button', { name: 'Change wallets' }).click();
	await open(page, 'lena');
	await page.getByRole('combobox', { name: 'New owner' }).selectOption({ label: 'nils, Operator' });
	await page.getByRole('button', { name: 'Disable account' }).click();
	await sure(page);
	await expect(page.getByText('Account disabled')).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	expect((await lena.goto('/account'))?.url()).toContain('/login');

	// Assigned work comes first on the overview.
	await nils.goto('/');
	await expect(nils.getByText('started by lena')).toBeVisible();
	await nils.locator(`a[href="${review1}"]`).click();
	await nils.getByRole('button', { name: 'Send transaction' }).click();
	await expect(nils.getByText('Pending', { exact: true }).first()).toBeVisible();
	await console.devnet.control.mine('ALPHA');
});

test('the page of another member begins anew, whatever was chosen for the one before', async ({
	page,
	console
}) => {
	for (const name of ['leaves', 'stays']) await addMember(console, { name, role: 'operator' });
	await signIn(page);
	await open(page, 'stays');
	await open(page, 'leaves');
	const role = page.getByRole('combobox', { name: 'Role', exact: true });
	await role.selectOption('admin');
	await page.getByRole('checkbox', { name: 'ALPHA' }).check();
	await page.keyboard.press('Control+k');
	await page
		.getByRole('dialog')
		.getByRole('option', { name: /^stays/ })
		.click();
	await expect(page.getByRole('heading', { level: 1, name: 'stays' })).toBeVisible();
	await expect(role).toHaveValue('operator');
	await expect(page.getByRole('checkbox', { name: 'ALPHA' })).not.toBeChecked();
});
