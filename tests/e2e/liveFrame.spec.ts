/**
 * The layout around every page: safety controls, daemons, waiting work. These pages do not poll: changes come
 * through the event stream.
 */
import type { Page } from '@playwright/test';
import { addMember, expect, signIn, test } from './support/console.ts';
import { invite } from './support/members.ts';

/** Within this time a polling page would have requested its data. Milliseconds. */
const WITHIN_MS = 2_000;

/** Waits until the page receives events; before that it does not update. */
async function listening(page: Page, path: string): Promise<void> {
	const stream = page.waitForResponse(({ url }) => url().includes('/api/events')).catch(() => null);
	await page.goto(path);
	// A shared worker opens the stream, which a page cannot observe: then wait as long as a connection takes.
	await Promise.race([stream, page.waitForTimeout(1_000)]);
}

test('sending that is frozen on one page is said on the others, forms too', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const visitor = await (await browser.newContext({ baseURL: console.url })).newPage();
	await listening(visitor, '/routes');
	const member = await (await browser.newContext({ baseURL: console.url })).newPage();
	await signIn(member);
	await listening(member, '/chains/ALPHA/tokens/new');
	await member.getByLabel('Name', { exact: true }).fill('Half a name');

	await page.goto('/admin/safety');
	await page.locator('#freeze').getByLabel('Reason').fill('a look at the pages');
	await page.getByRole('button', { name: 'Freeze sending' }).click();
	await expect(page.locator('#freeze').getByText('Sending is frozen')).toBeVisible();
	await expect(member.getByText('a look at the pages')).toBeVisible();
	await expect(visitor.getByText('Sending is frozen').first()).toBeVisible();
	await expect(visitor.getByText('a look at the pages')).toHaveCount(0);
	await expect(member.getByLabel('Name', { exact: true })).toHaveValue('Half a name');

	await page.getByRole('button', { name: 'Unfreeze sending' }).click();
	await expect(page.getByText('Unfreeze sending')).toHaveCount(0);
	await expect(member.getByText('a look at the pages')).toHaveCount(0);
	await visitor.context().close();
	await member.context().close();
});

test('a page that was denied is not asked for again by itself, which would go on record each time', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const member = await invite(page, browser, console, { name: 'dora', role: 'Operator' });
	await listening(member, '/wallets/ALPHA/send');
	await expect(member.getByText('You don’t have access to the ALPHA wallet')).toBeVisible();
	await expect(member.getByText('wallet.not-granted')).toBeVisible();
	await expect(member.getByText('change your role')).toHaveCount(0);
	const asked: string[] = [];
	member.on('request', (request) => {
		if (request.url().includes('__data.json')) asked.push(request.url());
	});

	await page.goto('/admin/safety');
	await page.locator('#freeze').getByLabel('Reason').fill('a look at the form');
	await page.getByRole('button', { name: 'Freeze sending' }).click();
	await expect(page.locator('#freeze').getByText('Sending is frozen')).toBeVisible();
	const other = await (await browser.newContext({ baseURL: console.url })).newPage();
	await signIn(other);
	await listening(other, '/wallets/ALPHA/send');
	const review = other.getByRole('button', { name: 'Review payment' });
	await expect(review).toBeDisabled();
	await expect(review).toHaveAccessibleDescription(/Sending is frozen/);
	await page.getByRole('button', { name: 'Unfreeze sending' }).click();
	await expect(review).toBeEnabled();
	expect(asked).toEqual([]);
	await other.context().close();
	await member.context().close();
});

test('a daemon that stops is offline on open pages, with one word everywhere, and online again', async ({
	page,
	browser,
	console
}) => {
	test.setTimeout(120_000);
	await signIn(page);
	await listening(page, '/');
	const form = await (await browser.newContext({ baseURL: console.url })).newPage();
	await signIn(form);
	await listening(form, '/chains/ALPHA/tokens/new');
	const sidebarOf = (one: Page) =>
		one
			.getByRole('navigation', { name: 'Chains and tools' })
			.getByRole('link', { name: /BETA/ })
			.first();
	await expect(sidebarOf(page)).toContainText('Online');

	await console.devnet.control.fault('BETA', 'down');
	await expect(sidebarOf(page)).toContainText('Offline');
	await expect(page.locator('[data-chain="BETA"]')).toContainText('Offline');
	await expect(sidebarOf(form)).toContainText('Offline');
	await form.goto('/daemons');
	await expect(form.getByRole('row', { name: /BETA/ }).first()).toContainText('Offline');

	await console.devnet.control.fault('BETA', 'none');
	await expect(sidebarOf(page)).toContainText('Online');
	await expect(page.locator('[data-chain="BETA"]')).not.toContainText('Offline');
	await form.context().close();
});

test('a request for access reaches the open overview and list of an admin', async ({
	page,
	browser,
	console
}) => {
	test.setTimeout(120_000);
	await signIn(page);
	const wanda = await invite(page, browser, console, { name: 'wanda', role: 'Viewer' });
	await wanda.goto('/transactions');
	await listening(page, '/');
	const members = await page.context().newPage();
	await listening(members, '/admin/members');
	await wanda.getByRole('button', { name: 'Request access' }).click();
	await expect(page.getByRole('link', { name: 'Review requests' })).toBeVisible();
	await expect(members.getByRole('button', { name: 'Dismiss the request of wanda' })).toBeVisible();
	await members.close();
	await wanda.context().close();
	await page.getByRole('link', { name: 'Review requests' }).click();
	await page.getByRole('button', { name: 'Dismiss the request of wanda' }).click();
	await expect(page.getByText('Request dismissed.')).toBeVisible();
});

test('a page of a member hears what members hear, though a visitor’s page was open before it', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({ baseURL: console.url });
	const visitor = await context.newPage();
	await listening(visitor, '/routes');
	const asker = await addMember(console, { name: 'waldo', role: 'viewer' });
	const asking = await (await browser.newContext({ baseURL: console.url })).newPage();
	await signIn(asking, asker);
	const admin = await context.newPage();
	await signIn(admin);
	await listening(admin, '/admin/members');
	await asking.goto('/transactions');
	await asking.getByRole('button', { name: 'Request access' }).click();
	const dismiss = admin.getByRole('button', { name: 'Dismiss the request of waldo' });
	await expect(dismiss).toBeVisible();
	await dismiss.click();
	await expect(admin.getByText('Request dismissed.')).toBeVisible();
	await asking.context().close();
	await context.close();
});

test('a page that nobody looks at fetches nothing, and shows what is around it once somebody does', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const away = await (await browser.newContext({ baseURL: console.url })).newPage();
	await signIn(away);
	await listening(away, '/account');
	const look = (isAway: boolean) =>
		away.evaluate((hidden) => {
			Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true });
			document.dispatchEvent(new Event('visibilitychange'));
		}, isAway);
	let fetched = 0;
	away.on('request', (request) => {
		if (request.url().includes('__data.json')) fetched += 1;
	});
	await look(true);
	await page.goto('/admin/safety');
	await page.locator('#freeze').getByLabel('Reason').fill('while nobody looks');
	await page.getByRole('button', { name: 'Freeze sending' }).click();
	await expect(page.getByText('while nobody looks').first()).toBeVisible();
	await page.waitForTimeout(WITHIN_MS);
	expect(fetched).toBe(0);
	await look(false);
	await expect(away.getByText('while nobody looks')).toBeVisible();
	await page.getByRole('button', { name: 'Unfreeze sending' }).click();
	await expect(away.getByText('while nobody looks')).toHaveCount(0);
	await away.context().close();
});
