/** Role descriptions, members who are invited with a wallet grant, and members who request a right. */
import type { Locator } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';
import { join, linkOn } from './support/members.ts';

test.describe.configure({ timeout: 120_000 });

test('an admin invites a member with a wallet by at most four clicks from the overview', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	await page.goto('/');
	let clicks = 0;
	const click = async (what: Locator): Promise<void> => {
		clicks += 1;
		await what.click();
	};
	await click(page.getByRole('navigation').getByRole('link', { name: 'Members' }).first());
	await click(page.getByRole('radio', { name: 'Operator' }));
	await page.getByRole('textbox', { name: 'Name' }).fill('walter');
	await click(page.getByRole('checkbox', { name: 'ALPHA', exact: true }));
	await click(page.getByRole('button', { name: 'Create invite link' }));
	const link = await linkOn(page);
	expect(link).toContain('/join?token=');
	globalThis.console.info(`member invited with a wallet: ${clicks} clicks`);
	expect(clicks).toBeLessThanOrEqual(4);
	const walter = await join(browser, console, link);
	await walter.goto('/account');
	await expect(walter.getByText('You can use these wallets: ALPHA')).toBeVisible();
	await walter.context().close();
});

test('after an invitation the focus is on its link, and the form begins anew with its first role', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/admin/members');
	await page.getByRole('radio', { name: 'Operator' }).check();
	await page.getByRole('button', { name: 'Create invite link' }).click();
	await expect(page.getByTestId('invitation').getByRole('region')).toBeFocused();
	await expect(page.getByRole('radio', { name: 'Viewer' })).toBeChecked();
});

test('who invites an operator without a wallet is warned, with scripts before and always after', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	await page.goto('/admin/members');
	const warning = page.getByText('No wallet selected.');
	await page.getByRole('radio', { name: 'Operator' }).check();
	await expect(warning).toBeVisible();
	await page.getByRole('checkbox', { name: 'ALPHA', exact: true }).check();
	await expect(warning).toHaveCount(0);
	await page.getByRole('checkbox', { name: 'ALPHA', exact: true }).uncheck();
	await page.getByRole('radio', { name: 'Viewer' }).check();
	await expect(warning).toHaveCount(0);

	const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const other = await plain.newPage();
	await signIn(other);
	await other.goto('/admin/members');
	await other.getByRole('radio', { name: 'Notary' }).check();
	await other.getByRole('button', { name: 'Create invite link' }).click();
	await expect(other.getByTestId('invitation')).toBeVisible();
	await expect(other.getByText('Invited without a wallet')).toBeVisible();
	await plain.close();
});

test('the table beside the choice of a role says what the server decides by', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/members');
	const has = (right: string, role: string) =>
		page.locator(`[data-right="${right}"] [data-role="${role}"]`);
	await expect(has('read', 'viewer')).toContainText('Yes');
	await expect(has('build', 'viewer')).toContainText('No');
	await expect(has('sign', 'notary')).toContainText('No');
	await expect(has('sign', 'operator')).toContainText('Yes');
	await expect(has('notary', 'operator')).toContainText('No');
	await expect(has('admin', 'admin')).toContainText('Yes');
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('a member asks for a right where it is missing, and an admin grants it', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	await page.goto('/admin/members');
	const members = page
		.getByRole('navigation')
		.getByRole('link', { name: /^Members/ })
		.first();
	// Requests of other tests may be open, too.
	const open = async (): Promise<number> =>
		Number(/\((\d+) open access request/.exec((await members.textContent()) ?? '')?.[1] ?? 0);
	const before = await open();
	await page.getByRole('textbox', { name: 'Name' }).fill('vera');
	await page.getByRole('button', { name: 'Create invite link' }).click();
	const vera = await join(browser, console, await linkOn(page));
	expect((await vera.goto('/chains/ALPHA/tokens/new'))?.status()).toBe(403);
	expect(await complaintsEveryWay(vera)).toEqual([]);
	await vera.getByRole('button', { name: 'Request access' }).click();
	await expect(vera.getByText('Access requested.')).toBeVisible();
	expect(await complaintsEveryWay(vera)).toEqual([]);
	await vera.goto('/transactions');
	await vera.getByRole('button', { name: 'Request access' }).click();
	await expect(vera.getByText('You have asked for this today already. Admins')).toBeVisible();
	await vera.goto('/admin/audit');
	await vera.getByRole('button', { name: 'Request access' }).click();
	await page.goto('/admin/members');
	await page
		.getByRole('row')
		.filter({ hasText: 'vera' })
		.filter({ hasText: '/admin/audit' })
		.getByRole('button', { name: /^Dismiss/ })
		.click();
	await expect(page.getByText('/admin/audit')).toHaveCount(0);
	await vera.goto('/admin/audit');
	await vera.getByRole('button', { name: 'Request access' }).click();
	await expect(vera.getByText('an admin dismissed the request')).toBeVisible();

	await page.goto('/');
	await expect(members).toHaveAccessibleName(/open access request/);
	expect(await open()).toBe(before + 1);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await vera.goto('/');
	await expect(vera.getByText('open access request')).toHaveCount(0);
	await page.getByRole('link', { name: 'Review requests' }).click();
	const request = page
		.getByRole('table', { name: 'Access requests' })
		.getByRole('row')
		.filter({ hasText: 'vera' });
	await expect(request).toContainText('/chains/ALPHA/tokens/new');
	expect(await complaintsEveryWay(page)).toEqual([]);
	// The event of the action arrives before its response, and removes the form.
	await page.route('**/admin/members?/grant', async (route) => {
		const answer = await route.fetch();
		await expect(request).toHaveCount(0);
		await route.fulfill({ response: answer });
	});
	await page.getByRole('button', { name: 'Change the role of vera to Operator' }).click();
	await expect(page.getByText('Access granted.')).toBeVisible();
	await expect.poll(open).toBe(before);
	expect((await vera.goto('/chains/ALPHA/tokens/new'))?.status()).toBe(200);
	await vera.goto('/account/access');
	await expect(vera.getByRole('table', { name: 'Your requests for access' })).toContainText(
		'Granted'
	);
	await vera.context().close();
});

test('a visitor and a script cannot ask for a right', async ({ request, console }) => {
	const answer = await request.post('/account/access?/request', {
		headers: { origin: console.url },
		form: { right: 'admin', path: '/' },
		maxRedirects: 0
	});
	expect(answer.status()).toBe(401);
});

test('the page of the own access is shown whatever its address says was asked', async ({
	page
}) => {
	await signIn(page);
	for (const asked of ['constructor', '__proto__', 'toString', '']) {
		const answer = await page.goto(`/account/access?asked=${asked}`);
		expect(answer?.status(), asked).toBe(200);
	}
});
