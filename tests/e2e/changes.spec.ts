/**
 * An admin proposes a change, and another one approves it on a phone; also rejections, refusals and pages
 * without scripts.
 */
import type { Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { expect, signIn, submit, sure, test as base } from './support/console.ts';
import { picture } from './support/picture.ts';
import { invite, linkOn, logIn } from './support/members.ts';

/** The tests use many pages of two members. */
base.describe.configure({ timeout: 240_000 });
base.use({ apart: 'changes' });
const test = base;

const needed = (page: Page) => page.locator('#changes');
async function setNeeded(page: Page, count: number): Promise<void> {
	await page.goto('/admin/policies');
	await needed(page)
		.getByLabel(/approval of this many/)
		.fill(String(count));
	await needed(page).getByRole('button', { name: 'Save settings' }).click();
}

test('a change waits for another admin, who is told of it and approves it on a phone', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	await setNeeded(page, 1);
	await expect(needed(page).getByText(/1 admin|one admin can log in/i)).toBeVisible();
	const eve = await invite(page, browser, console, {
		name: 'eve',
		role: 'admin',
		viewport: { width: 360, height: 780 }
	});
	await setNeeded(page, 1);
	await expect(needed(page).getByText('Settings saved.')).toBeVisible();

	await page.goto('/admin/members');
	await page.getByRole('radio', { name: 'operator' }).check();
	await page.getByRole('textbox', { name: 'Name' }).fill('olga');
	await page.getByRole('button', { name: 'Create invite link' }).click();
	const link = await linkOn(page);
	await expect(page.getByText('The link works once enough other admins')).toBeVisible();
	const guest = await (await browser.newContext({ baseURL: console.url })).newPage();
	await guest.goto(link);
	await expect(guest.getByRole('button', { name: 'Create account' })).toHaveCount(0);
	await page.getByRole('link', { name: 'Proposed change' }).click();
	await expect(page.getByRole('heading', { name: 'Invite olga' })).toBeVisible();
	await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Withdraw change' })).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await picture(page, 'change-of-the-author');
	await page.getByRole('button', { name: 'Withdraw change' }).focus();

	// One click from the notice, on a phone.
	await eve.goto('/notifications');
	await eve
		.getByRole('button', { name: /^Open: .*proposes a change for you to approve: Invite olga/ })
		.click();
	await expect(eve).toHaveURL(/\/approvals\/changes\//);
	await expect(eve.getByText('Operator', { exact: true })).toBeVisible();
	expect(await complaints(eve)).toEqual([]);
	expect(await eve.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
		true
	);
	await picture(eve, 'change-to-approve', 'phone');
	await eve.goto('/');
	await expect(eve.locator('#needs')).toContainText('1 request waits for your approval.');
	await eve.getByRole('link', { name: 'Open approvals' }).click();
	await expect(eve.getByRole('link', { name: 'Invite olga' })).toBeVisible();
	expect(await complaints(eve)).toEqual([]);
	await picture(eve, 'changes-in-approvals', 'phone');
	await eve.getByRole('link', { name: 'Invite olga' }).click();
	await eve.getByRole('button', { name: 'Approve' }).click();
	await expect(eve.getByText('This change has taken effect.')).toBeVisible();
	// The page of the author lost the button that had the focus.
	await expect(page.getByText('This change has taken effect.')).toBeVisible();
	await expect(page.getByRole('main')).toBeFocused();
	await guest.goto(link);
	await expect(guest.getByRole('button', { name: 'Create account' })).toBeVisible();

	// A second proposal is rejected, with a reason that the author can read.
	await setNeeded(page, 0);
	await expect(page).toHaveURL(/\/approvals\/changes\//);
	await expect(page.getByText(/takes effect when 1 more admin approves/)).toBeVisible();
	const path = new URL(page.url()).pathname;
	await page.goto('/admin/policies');
	await expect(page.getByRole('link', { name: 'Change security settings' })).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await picture(page, 'policies-with-changes');
	await eve.goto(path);
	const rejection = eve.locator('form[action="?/reject"]');
	await rejection.evaluate((form: HTMLFormElement) => void (form.noValidate = true));
	await submit(rejection.getByRole('button', { name: 'Reject' }));
	await expect(eve.getByText('Say why, so that the author knows what to change.')).toBeVisible();
	await eve.getByLabel('Reason').fill('two of us are better');
	await eve.getByRole('button', { name: 'Reject' }).click();
	await expect(eve.getByText('Rejected by eve')).toBeVisible();
	await page.goto(path);
	await expect(page.getByText('two of us are better')).toBeVisible();

	// Removing rights takes effect at once; then too few approvers are left, and the page says what to do.
	await page.goto('/admin/members');
	await page.getByRole('link', { name: 'eve' }).click();
	await submit(page.getByRole('button', { name: 'Disable account' }));
	await sure(page);
	await page.goto('/admin/policies');
	await expect(page.getByText('Changes cannot be approved now')).toBeVisible();
	await expect(page.getByText(/policy approvals 0/)).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await picture(page, 'policies-without-quorum', 'phone');

	// The same without scripts.
	const plain = await browser.newContext({ baseURL: console.url, javaScriptEnabled: false });
	const bare = await plain.newPage();
	await bare.goto('/login?next=/admin/policies/limits');
	await logIn(bare);
	await bare.locator('[name=fee]').fill('0.5');
	await bare.getByRole('button', { name: 'Set fee limit' }).click();
	await expect(bare).toHaveURL(/\/approvals\/changes\//);
	await expect(bare.getByText('0.5 coins')).toBeVisible();
	await bare.getByRole('button', { name: 'Withdraw change' }).click();
	await expect(bare.getByText('Withdrawn by the author. Nothing was changed.')).toBeVisible();
	await plain.close();
});
