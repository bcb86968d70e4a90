/** A rule of the policies, a transaction that it holds back, and the member who approves it on a phone. */
import type { Browser, Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';

/** It walks through pages of two people. */
test.describe.configure({ timeout: 180_000 });

const PASSWORD = 'a long enough password';
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

/** Invites an operator with every wallet, signed in in a browser of the size of a phone. */
async function invite(
	admin: Page,
	browser: Browser,
	{ url }: Console,
	name: string
): Promise<Page> {
	await admin.goto('/admin/members');
	await admin.getByRole('radio', { name: 'operator' }).check();
	await admin.getByRole('textbox', { name: 'Name' }).fill(name);
	await admin.getByRole('checkbox', { name: /All wallets/ }).check();
	await admin.getByRole('button', { name: 'Create invite link' }).click();
	const link = (await admin.getByTestId('invitation').textContent())?.trim() ?? '';
	const phone = { baseURL: url, viewport: { width: 390, height: 844 } };
	const page = await (await browser.newContext(phone)).newPage();
	await page.goto(link);
	await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await page.getByLabel(/confirm/i).fill(PASSWORD);
	await page.getByRole('button', { name: 'Create account' }).click();
	await expect(page).toHaveURL(`${url}/`);
	return page;
}

test('a send above what a rule allows goes out once after a colleague approved it on a phone', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const olga = await invite(page, browser, console, 'olga');
	await page.goto('/admin/policies');
	await expect(page.getByText('There is no rule yet')).toBeVisible();
	const add = page.locator('#add');
	await add.getByRole('combobox', { name: /^What/ }).selectOption('coin-send');
	await add.getByRole('combobox', { name: /^Asset/ }).selectOption('coin:ALPHA');
	await add.getByRole('textbox', { name: /^More than, in one/ }).fill('ten');
	await add.getByRole('checkbox', { name: /^olga/ }).check();
	await add.getByRole('button', { name: 'Add rule' }).click();
	await expect(add.getByRole('textbox', { name: /^More than, in one/ })).toHaveAttribute(
		'aria-invalid',
		'true'
	);
	await add.getByRole('textbox', { name: /^More than, in one/ }).fill('10');
	await add.getByRole('button', { name: 'Add rule' }).click();
	const sentence =
		'Sends of coins of ALPHA by anyone, more than 10 ALPHA in one transaction: 1 of olga has to approve.';
	await expect(page.locator('#rules')).toContainText(sentence);
	expect(await complaints(page)).toEqual([]);
	const trial = page.locator('#try');
	await trial.getByRole('combobox', { name: /^Asset/ }).selectOption('coin:ALPHA');
	await trial.getByRole('textbox', { name: /^Amount/ }).fill('20');
	await trial.getByRole('textbox', { name: /^Recipient/ }).fill(TO);
	await trial.getByRole('button', { name: 'Try' }).click();
	await expect(trial).toContainText('Rule 1 asks for approval.');
	await expect(trial).toContainText(sentence);

	await page.goto('/wallets/ALPHA/send');
	await page.getByLabel('Recipient', { exact: true }).fill(TO);
	await page.getByLabel('Amount', { exact: true }).fill('20');
	await page.getByRole('button', { name: 'Review' }).click();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('The policies ask other members')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Send transaction' })).toHaveCount(0);
	expect(await complaints(page)).toEqual([]);
	const review = page.url();

	await olga.goto('/approvals');
	await expect(olga.getByText(/^Sends of coins: 20\.\d+ ALPHA$/)).toBeVisible();
	expect(await complaints(olga)).toEqual([]);
	await olga.getByRole('link', { name: /^Sends of coins/ }).click();
	await expect(olga.getByText(TO).first()).toBeVisible();
	await olga.getByRole('button', { name: 'Reject' }).click();
	await expect(olga.getByText('Say why, so that the author knows what to change.')).toBeVisible();
	expect(await complaints(olga)).toEqual([]);
	await olga.getByRole('button', { name: 'Approve', exact: true }).click();
	await expect(olga.getByText('Enough members have approved. Send')).toBeVisible();

	await page.goto(review);
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('Pending').first()).toBeVisible();
	const pool = await console.devnet.rpc<string[]>('ALPHA', 'getrawmempool');
	expect(pool).toHaveLength(1);
	await page.goto('/approvals?show=past');
	await expect(page.getByText('Completed')).toBeVisible();
	await page.goto('/admin/audit?kind=approvals');
	await expect(page.getByText('Asked for an approval').first()).toBeVisible();
	await expect(page.getByText('Approved a request').first()).toBeVisible();

	await page.goto('/admin/members');
	await page.getByRole('link', { name: 'olga' }).click();
	await page.getByRole('button', { name: /^Disable/ }).click();
	await expect(page.getByText('Rule 1 cannot be approved any more')).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: 'Policies', exact: true }).click();
	await expect(page.locator('[data-unreachable]')).toContainText('no member could give it');
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('button', { name: 'Remove rule 1' }).click();
	await expect(page.getByText('There is no rule yet')).toBeVisible();
});
