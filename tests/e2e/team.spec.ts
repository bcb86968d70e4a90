/** An admin and the team: invitations, roles, resets, and disabling a member. */
import type { BrowserContext, Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { ADMIN, expect, signIn, sure, test } from './support/console.ts';
import { linkOn, logIn } from './support/members.ts';

const PASSWORD = 'a password for the team';
const NEXT = 'the password after that one';

/** The page of another member, in a separate browser. */
async function somebody(context: BrowserContext): Promise<Page> {
	const browser = context.browser();
	if (!browser) throw new Error('the context has no browser');
	return (await browser.newContext()).newPage();
}

async function choosePassword(page: Page, password: string): Promise<void> {
	await page.getByLabel('Password', { exact: true }).fill(password);
	await page.getByLabel('Confirm password').fill(password);
}

/** Only here ada is the only admin: other files create more. */
test.use({ apart: 'team' });

test('a person is invited, given another role, given a new password, and shut out', async ({
	page,
	context,
	console
}) => {
	await signIn(page);
	await page.goto('/');
	await page.getByRole('link', { name: 'Members' }).first().click();
	await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible();
	await expect(page.getByRole('radio', { name: 'Viewer' })).toBeChecked();
	await page.getByRole('button', { name: 'Create invite link' }).click();
	const link = await linkOn(page);
	expect(link).toContain(`${console.url}/join?token=`);
	expect(await complaints(page)).toEqual([]);
	await page.reload();
	await expect(page.getByTestId('invitation')).toHaveCount(0);

	const other = await somebody(context);
	await other.goto(link);
	await expect(other.getByRole('definition').filter({ hasText: 'Viewer' })).toBeVisible();
	expect(await complaints(other)).toEqual([]);
	await other.getByLabel('Name', { exact: true }).fill(ADMIN.name);
	await choosePassword(other, PASSWORD);
	await other.getByRole('button', { name: 'Create account' }).click();
	await expect(other.getByText(/There is an account named/)).toBeVisible();
	await other.getByLabel('Name', { exact: true }).fill('vera');
	await other.getByLabel('Password', { exact: true }).fill('short');
	await other.getByLabel('Confirm password').fill('another');
	await other.getByRole('button', { name: 'Create account' }).click();
	await expect(other.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
		/at least 12 characters/
	);
	await expect(other.getByLabel('Confirm password')).toHaveAccessibleDescription(
		/Passwords do not match/
	);
	await choosePassword(other, PASSWORD);
	await other.getByRole('button', { name: 'Create account' }).click();
	await expect(other).toHaveURL(`${console.url}/`);
	expect((await other.goto('/chains/ALPHA/tokens/new'))?.status()).toBe(403);
	expect((await other.goto('/admin/members'))?.status()).toBe(403);
	await other.goto(link);
	await expect(other.getByText('Invalid link')).toBeVisible();

	await page.goto('/admin/members');
	await page.getByRole('link', { name: 'vera' }).click();
	// The previous page has a choice of the same name.
	await expect(page.getByRole('heading', { level: 1, name: 'vera' })).toBeVisible();
	await page.getByRole('combobox', { name: 'Role' }).selectOption('operator');
	await page.getByRole('button', { name: 'Change role' }).click();
	await expect(page.getByText('Role changed to Operator.')).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	expect((await other.goto('/chains/ALPHA/tokens/new'))?.status()).toBe(200);

	await page.getByRole('button', { name: 'Create password-reset link' }).click();
	const reset = (await page.getByTestId('reset-link').textContent())?.trim() ?? '';
	await other.goto(reset);
	await expect(other.getByText('For the account vera.')).toBeVisible();
	await choosePassword(other, NEXT);
	await other.getByRole('button', { name: 'Set password' }).click();
	await expect(other).toHaveURL(`${console.url}/`);

	await page.getByRole('button', { name: 'Disable account' }).click();
	await sure(page);
	await expect(page.getByText('Account disabled')).toBeVisible();
	expect((await other.goto('/account'))?.url()).toContain('/login');
	await logIn(other, { name: 'vera', password: NEXT });
	await expect(other.getByText('Name or password is wrong.')).toBeVisible();
});

test('the last admin cannot be taken away, and the page says why', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/members');
	await page.getByRole('link', { name: ADMIN.name, exact: true }).click();
	await expect(page.getByRole('heading', { level: 1, name: ADMIN.name })).toBeVisible();
	await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
	await page.getByRole('button', { name: 'Change role' }).click();
	await expect(page.getByText('No one else is an admin')).toBeVisible();
	await page.getByRole('button', { name: 'Disable account' }).click();
	await sure(page);
	await expect(page.getByText('No one else is an admin')).toBeVisible();
});

test('frozen sends are said on every page, stop a reviewed one, and go on when the switch is lifted', async ({
	page,
	context,
	console
}) => {
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByRole('textbox', { name: 'Name' }).fill('ICEBOUND');
	await page.getByRole('textbox', { name: 'Supply' }).fill('500');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page).toHaveURL(/\/transactions\/[^/]+$/);
	const review = page.url();

	await page.goto('/admin/safety');
	await page.getByRole('button', { name: 'Freeze sending' }).click();
	const freeze = page.locator('#freeze');
	await freeze.getByRole('textbox', { name: 'Reason' }).fill('   ');
	await freeze.getByRole('button', { name: 'Freeze sending' }).click();
	await expect(freeze.getByText('Enter a reason: it is shown to everyone.')).toBeVisible();
	await freeze.getByRole('textbox', { name: 'Reason' }).fill('a wallet behaves oddly');
	await freeze.getByRole('button', { name: 'Freeze sending' }).click();
	await expect(freeze.getByText('Sending is frozen')).toBeVisible();
	expect(await complaints(page)).toEqual([]);

	const visitor = await somebody(context);
	await visitor.goto(`${console.url}/chains/ALPHA/tokens`);
	await expect(visitor.getByText('Sending is frozen')).toBeVisible();
	expect(await complaints(visitor)).toEqual([]);

	await page.goto(review);
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByRole('main')).toContainText('Sending was frozen by ada');
	expect(await console.devnet.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual([]);

	await page.goto('/admin/safety');
	await page.getByRole('button', { name: 'Unfreeze sending' }).click();
	await expect(page.getByText('Sending is active again.')).toBeVisible();
	await page.goto(review);
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();
});

test('a draft that was changed since it was opened is neither replaced nor removed', async ({
	page,
	context
}) => {
	await signIn(page);
	const name = (tab: Page) => tab.locator('input[name="name"]');
	const save = (tab: Page) => tab.getByRole('button', { name: 'Save draft' }).click();
	await page.goto('/chains/ALPHA/tokens/new');
	await name(page).fill('HARBOUR');
	await save(page);
	await page.waitForURL(/\?draft=/);
	const address = page.url();
	const tab = await context.newPage();
	await tab.goto(address);
	await name(page).fill('HARBOUR ONE');
	await save(page);
	await expect(page.getByRole('link', { name: 'HARBOUR ONE' })).toBeVisible();

	await tab.getByRole('button', { name: 'Remove draft' }).click();
	await expect(tab.getByText('changed this draft after you opened it')).toBeVisible();
	await name(tab).fill('HARBOUR TWO');
	await save(tab);
	await expect(tab.getByText(`${ADMIN.name} changed the draft that you opened`)).toBeVisible();
	await expect(name(tab)).toHaveValue('HARBOUR TWO');
	await tab.getByRole('link', { name: 'Open the other draft' }).click();
	await expect(name(tab)).toHaveValue('HARBOUR ONE');
	for (const draft of ['HARBOUR ONE', 'HARBOUR TWO']) {
		await tab.getByRole('link', { name: draft, exact: true }).click();
		await expect(name(tab)).toHaveValue(draft);
		await tab.getByRole('button', { name: 'Remove draft' }).click();
		await expect(tab.getByRole('link', { name: draft, exact: true })).toHaveCount(0);
	}
});
