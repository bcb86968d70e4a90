/** The bell, the list of notices, a member's choices, and an admin's settings. */
import { complaintsEveryWay } from './support/axe.ts';
import { ADMIN, expect, signIn, submit, sure, test } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';

test.describe.configure({ timeout: 150_000 });

test('the bell counts a new notice while the page stands open, and one click leads to its page', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	await page.goto('/notifications');
	const bell = page.getByRole('banner').getByRole('link', { name: /^Notifications/ });
	// Notices of earlier events, including this login, may still arrive.
	const unread = async (): Promise<number> => Number(await bell.getAttribute('data-unread'));
	const before = await unread();
	// A login from an unknown browser.
	const elsewhere = await browser.newContext({ baseURL: console.url });
	await signIn(await elsewhere.newPage());
	await elsewhere.close();
	await expect.poll(unread).toBeGreaterThan(before);
	const notice = page.locator('[data-notice="security"]').first();
	await expect(notice).toContainText('logged in to from a new browser');
	expect(await complaintsEveryWay(page)).toEqual([]);
	const id = await notice.locator('input[name="id"]').first().inputValue();
	const same = page.locator(`[data-notice]:has(input[value="${id}"])`);
	await expect(same).toHaveAttribute('data-read', 'false');
	await submit(same.getByRole('button', { name: /^Open/ }));
	await expect(page).toHaveURL(/\/account#sessions$/);
	await page.goto('/notifications');
	await expect(same).toHaveAttribute('data-read', 'true');
	await expect(async () => {
		const markAll = page.getByRole('button', { name: 'Mark all read' });
		if (await markAll.isVisible()) await submit(markAll);
		expect(await unread()).toBe(0);
	}).toPass();
});

test('who has allowed notifications after all turns them on without another page', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/account/notifications');
	const button = page.getByRole('button', { name: 'Turn on in this browser' });
	await page.evaluate(() => {
		Notification.requestPermission = () => Promise.resolve('denied');
	});
	await button.press('Enter');
	await expect(page.getByText(/This browser blocks notifications/)).toBeVisible();
	await expect(button).toBeEnabled();
	await expect(button).toBeFocused();
});

test('choices are kept, also without JavaScript, and a wrong address is said at its field', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	await page.goto('/account/notifications');
	const box = page.getByRole('checkbox', { name: 'Finished: In Komodeck' });
	await expect(box).toBeChecked();
	await box.uncheck();
	await submit(page.getByRole('button', { name: 'Save choices' }));
	await expect(page.getByText('Choices saved.')).toBeVisible();
	await expect(page.getByText('This installation sends no email.')).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);

	const plain = await browser.newContext({
		baseURL: console.url,
		javaScriptEnabled: false,
		storageState: await page.context().storageState()
	});
	const still = await plain.newPage();
	await still.goto('/account/notifications');
	await expect(still.getByRole('checkbox', { name: 'Finished: In Komodeck' })).not.toBeChecked();
	await still.getByRole('checkbox', { name: 'Finished: In Komodeck' }).check();
	await still.getByRole('button', { name: 'Save choices' }).click();
	await expect(still.getByText('Choices saved.')).toBeVisible();
	await expect(still.getByRole('checkbox', { name: 'Finished: In Komodeck' })).toBeChecked();
	await plain.close();
});

test('an admin adds a webhook, sees its secret once, and the log says what came of a test', async ({
	page
}) => {
	await signIn(page, ADMIN);
	await page.goto('/admin/notifications');
	const form = page.locator('#new');
	await form.getByLabel('Address').fill('http://hooks.example.org/x');
	await form.getByRole('checkbox', { name: 'Needs you' }).check();
	await submit(form.getByRole('button', { name: 'Add webhook' }));
	await expect(form.getByText('Enter an address that begins with https://')).toBeVisible();
	await expect(form.getByRole('checkbox', { name: 'Needs you' })).toBeChecked();
	await form.getByLabel('Address').fill('https://127.0.0.1:9/hook');
	await submit(form.getByRole('button', { name: 'Add webhook' }));
	await expect(page.getByText(/kdw_[\w-]{40,}/)).toBeVisible();
	const webhook = page.locator('[data-webhook]');
	await submit(webhook.getByRole('button', { name: /^Send test/ }));
	await expect(page.getByText('A test is on its way.')).toBeVisible();
	await expect(page.getByText(/kdw_[\w-]{40,}/)).toHaveCount(0);
	await expect
		.poll(async () => {
			await page.reload();
			return page.locator('[data-delivery]').first().textContent();
		})
		.toContain('private network');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await submit(webhook.getByRole('button', { name: /^Remove webhook/ }));
	await sure(page);
	await expect(page.getByText('No webhooks yet.')).toBeVisible();
});

test('no paragraph is cut in two by the secret of a new webhook when a browser reads the page', async ({
	console
}) => {
	const browser = new PlainBrowser(console.url);
	await browser.signIn();
	const page = await browser.open('/admin/notifications');
	const kinds = String(page.$('#new [name="kinds"]').first().val());
	const typed = { url: 'https://127.0.0.1:9/plain', kinds };
	const added = await browser.submit(page, { form: '#new form' }, typed);
	const notice = added.$('main [data-kind="wait"]').has('pre');
	expect(notice.find('pre').text()).toMatch(/^kdw_/);
	expect(notice.find('p:empty')).toHaveLength(0);
	const remove = { form: '[data-webhook] form[action^="?/remove"]' };
	const asked = await browser.submit(added, remove, {});
	await browser.submit(asked, { form: 'form:has([name="sure"][value="yes"])' }, {});
});
