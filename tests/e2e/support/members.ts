/** Actions of members on the pages before a test, and changes by time or by an admin. */
import type { Browser, Page, ViewportSize } from '@playwright/test';
import { withAuth } from '../../../src/cli/withAuth.ts';
import { ADMIN, expect, type Console } from './console.ts';

const PASSWORD = 'a long enough password';

interface Joining {
	viewport?: ViewportSize;
	/** A text about the granted wallets that the invitation must show. */
	shows?: RegExp;
}

/** Follows an invitation in a separate browser, and accepts it. */
export async function join(
	browser: Browser,
	{ url }: Console,
	link: string,
	{ viewport, shows }: Joining = {}
): Promise<Page> {
	const context = await browser.newContext({ baseURL: url, ...(viewport && { viewport }) });
	const page = await context.newPage();
	await page.goto(link);
	if (shows) await expect(page.getByRole('definition').filter({ hasText: shows })).toBeVisible();
	await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await page.getByLabel('Confirm password').fill(PASSWORD);
	await page.getByRole('button', { name: 'Create account' }).click();
	await expect(page).toHaveURL(`${url}/`);
	return page;
}

/** Invites a member on the pages, who is then logged in in a separate browser. */
export async function invite(
	admin: Page,
	browser: Browser,
	console: Console,
	invited: Joining & { name: string; role: string; wallets?: RegExp }
): Promise<Page> {
	await admin.goto('/admin/members');
	await admin.getByRole('radio', { name: invited.role }).check();
	await admin.getByRole('textbox', { name: 'Name' }).fill(invited.name);
	if (invited.wallets) await admin.getByRole('checkbox', { name: invited.wallets }).check();
	await admin.getByRole('button', { name: 'Create invite link' }).click();
	return join(browser, console, await linkOn(admin), invited);
}

/** The link that the page of the members shows once. */
export const linkOn = async (admin: Page): Promise<string> =>
	(await admin.getByTestId('invitation').textContent())?.trim() ?? '';

/** Logs in with the form of a page that asks for it. */
export async function logIn(page: Page, person = ADMIN): Promise<void> {
	await page.getByLabel('Name', { exact: true }).fill(person.name);
	await page.getByLabel('Password', { exact: true }).fill(person.password);
	await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Lets the confirmation of all sessions expire. */
export const leaveOpen = ({ dataDir }: Console): Promise<void> =>
	withAuth({ KOMODECK_DATA: dataDir }, async ({ sessions }, db) => {
		const rows = await db.selectFrom('sessions').select('id_hash').execute();
		for (const { id_hash } of rows) await sessions.confirm(id_hash, db, 1);
	});

/** Removes every second factor, and lets admins have none. */
export const resetFactors = ({ dataDir }: Console): Promise<void> =>
	withAuth({ KOMODECK_DATA: dataDir }, async ({ factors, members, settings }) => {
		for (const { id } of await members.list()) await factors.reset(null, id);
		await settings.change(null, { 'factor-admin': 'optional' });
	});
