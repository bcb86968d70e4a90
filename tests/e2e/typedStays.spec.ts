/** Form input stays on its page, whatever happens to the page while a member types. */
import type { Page } from '@playwright/test';
import { addMember, expect, signIn, test, type Console } from './support/console.ts';

/** Turns freezing on or off in another browser: every open page gets the event. */
async function setFrozen({ url }: Console, cookie: string, on: boolean): Promise<void> {
	const answer = await fetch(`${url}/admin/safety?/${on ? 'turnOn' : 'turnOff'}`, {
		method: 'POST',
		headers: { origin: url, cookie, 'content-type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams({ switch: 'freeze', reason: 'a test' })
	});
	expect(answer.status).toBe(200);
}

const cookieOf = async (page: Page): Promise<string> =>
	(await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');

/** A page on which a name is typed, and a second session for concurrent changes. */
async function typing(page: Page): Promise<string> {
	await signIn(page);
	const other = await cookieOf(page);
	await page.context().clearCookies();
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByLabel('Name', { exact: false }).first().fill('KEPT');
	return other;
}

const asked = (page: Page) =>
	page.waitForResponse((answer) => answer.request().method() === 'HEAD');

test('a page on which something is typed stays when its session has ended and news come', async ({
	page,
	console
}) => {
	const other = await typing(page);
	await page.context().clearCookies();
	const looked = asked(page);
	await setFrozen(console, other, true);
	await looked;
	await expect(page.getByText('what you typed is still here')).toBeVisible();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a token on ALPHA');
	await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('KEPT');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in first');
	await expect(page.getByRole('main')).toContainText('nothing was done');
	await setFrozen(console, other, false);
});

test('what is typed stays so, too, after the list beside it was filtered', async ({
	page,
	console
}) => {
	const other = await typing(page);
	await page.goto('/address-book');
	const label = page.locator('form[action^="?/add"] [name="label"]');
	await label.fill('KEPT');
	await page.getByRole('search', { name: 'Entries' }).getByRole('button').click();
	await expect(page).toHaveURL(/\/address-book\?q=/);
	await page.context().clearCookies();
	const looked = asked(page);
	await setFrozen(console, other, true);
	await looked;
	await expect(page.getByText('what you typed is still here')).toBeVisible();
	await expect(label).toHaveValue('KEPT');
	await setFrozen(console, other, false);
});

test('a session that ends between the question and the refresh takes nothing away either', async ({
	page,
	console
}) => {
	const other = await typing(page);
	let refreshed: Promise<unknown> | undefined;
	await page.route('**/tokens/new', async (route) => {
		if (refreshed !== undefined) return route.continue();
		const answer = await route.fetch();
		await page.context().clearCookies();
		refreshed = page.waitForResponse(/tokens\/new\/__data\.json/);
		return route.fulfill({ response: answer });
	});
	await setFrozen(console, other, true);
	await expect.poll(() => refreshed !== undefined).toBe(true);
	await refreshed;
	await page.unrouteAll({ behavior: 'wait' });
	await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('KEPT');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in first');
	await setFrozen(console, other, false);
});

test('what is typed before the scripts have come stays, too', async ({ page, console }) => {
	await signIn(page);
	const other = await cookieOf(page);
	await page.context().clearCookies();
	await signIn(page);
	let letScriptsCome = (): void => undefined;
	const held = new Promise<void>((resolve) => (letScriptsCome = resolve));
	await page.route('**/_app/immutable/**/*.js', async (route) => {
		await held;
		await route.continue();
	});
	await page.goto('/account', { waitUntil: 'commit' });
	await page.getByLabel('Current password').fill('something');
	await page.getByRole('heading', { level: 1 }).click();
	await page.context().clearCookies();
	await setFrozen(console, other, true);
	const looked = asked(page);
	letScriptsCome();
	await looked;
	await expect(page.getByText('what you typed is still here')).toBeVisible();
	await expect(page.getByLabel('Current password')).toHaveValue('something');
	await setFrozen(console, other, false);
});

test('a page on which something is typed still shows what changes around it', async ({
	page,
	console
}) => {
	const other = await typing(page);
	await setFrozen(console, other, true);
	await expect(page.getByText('Sending is frozen').first()).toBeVisible();
	await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('KEPT');
	await setFrozen(console, other, false);
	await expect(page.getByText('Sending is frozen')).toHaveCount(0);
});

test('a page on which something is typed outlasts a server that cannot give it for a while', async ({
	page,
	console
}) => {
	const other = await typing(page);
	await page.route('**/tokens/new', (route) =>
		route.request().method() === 'HEAD' ? route.fulfill({ status: 503 }) : route.continue()
	);
	await setFrozen(console, other, true);
	await expect(page.getByText('could not be updated')).toBeVisible();
	// Nothing happens any more that would make the page reload its data.
	await page.unrouteAll({ behavior: 'wait' });
	await expect(page.getByText('could not be updated')).toHaveCount(0);
	await expect(page.getByText('Sending is frozen').first()).toBeVisible();
	await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('KEPT');
	await setFrozen(console, other, false);
	await expect(page.getByText('Sending is frozen')).toHaveCount(0);
});

test('a page on which nothing is typed gives way to the login when its session has ended', async ({
	page,
	console
}) => {
	const other = await typing(page);
	await page.goto('/account');
	await page.context().clearCookies();
	await setFrozen(console, other, true);
	await expect(page).toHaveURL('/login?next=%2Faccount');
	await expect(page.getByLabel('Password')).toHaveValue('');
	await setFrozen(console, other, false);
});

/** A page, a form control with a new value, and the value that it then has. */
type Change = readonly [path: string, selector: string, value: string | boolean];

const CHANGES: readonly Change[] = [
	['/chains/ALPHA/transactions', 'main [name="block"]', '12'],
	['/console', 'main [name="q"]', 'token'],
	['/console/getblock', 'main [name="p.hashOrHeight"]', '12'],
	['/kdf/verify', 'main [name="message"]', 'a message'],
	['/kdf/signers', 'main [name="chain"] >> nth=0', true],
	['/account/notifications', 'main [name="needs-you bell"]', false],
	['/admin/policies/limits', 'main select[name="feeChain"]', 'BETA']
];

async function make(page: Page, [, selector, value]: Change): Promise<void> {
	const field = page.locator(selector);
	if (typeof value === 'boolean') await field.setChecked(value);
	else if (selector.includes('select')) await field.selectOption(value);
	else await field.fill(value);
}

async function expectMade(page: Page, [path, selector, value]: Change): Promise<void> {
	const field = page.locator(selector);
	if (typeof value === 'boolean') await expect(field, path).toBeChecked({ checked: value });
	else await expect(field, path).toHaveValue(value);
}

test('what is typed, ticked and chosen stays when the page fetches its data again', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/admin/members');
	const member = await page.locator('#accounts a.link').first().getAttribute('href');
	const wallets: Change = [member!, '#wallets [name="every"]', true];
	for (const change of [...CHANGES, wallets]) {
		await page.goto(change[0]);
		await make(page, change);
		await setFrozen(console, await cookieOf(page), true);
		await expect(page.getByText('Sending is frozen').first()).toBeVisible();
		await expectMade(page, change);
		await setFrozen(console, await cookieOf(page), false);
		await expect(page.getByText('Sending is frozen')).toHaveCount(0);
		await expectMade(page, change);
	}
});

test('what is typed into one form stays when another form of the page is answered', async ({
	page
}) => {
	await signIn(page);
	await page.context().clearCookies();
	await signIn(page);
	await page.goto('/account');
	const name = page.getByLabel('API token name');
	const addresses = page.locator('[name="addresses"]');
	await name.fill('nightly');
	await addresses.fill('nowhere');
	await page.getByRole('button', { name: 'Create API token' }).click();
	await expect(addresses).toHaveAttribute('aria-invalid', 'true');
	await addresses.fill('10.0.0.1');
	await page.getByRole('button', { name: 'Log out others' }).click();
	await expect(page.locator('#sessions [data-kind="done"]')).toBeVisible();
	await expect(addresses).toHaveValue('10.0.0.1');
	await expect(name).toHaveValue('nightly');
});

test('a form that was taken does not make the page forget what is typed into another', async ({
	page,
	console
}) => {
	await signIn(page);
	const other = await cookieOf(page);
	for (let n = 0; n < 2; n += 1) {
		await page.context().clearCookies();
		await signIn(page);
	}
	await page.goto('/account');
	await page.getByLabel('API token name').fill('nightly');
	const others = page.locator('#sessions form[action^="?/revokeSession"]');
	const before = await others.count();
	await others.last().getByRole('button').click();
	await expect(page.locator('#sessions [data-kind="done"]')).toBeVisible();
	await expect(others).toHaveCount(before - 1);
	await page.context().clearCookies();
	const looked = asked(page);
	await setFrozen(console, other, true).catch(() => undefined);
	await looked;
	await expect(page.getByText('what you typed is still here')).toBeVisible();
	await expect(page.getByLabel('API token name')).toHaveValue('nightly');
	// If another session was the one that ended, sending is frozen now: turn it off again.
	await setFrozen(console, other, false).catch(() => undefined);
});

test('what is typed while a form is on its way stays, whatever the answer is', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/members');
	const name = page.locator('form[action^="?/invite"] [name="name"]');
	let answer = Promise.withResolvers<null>();
	await page.route(/\?\/invite/, async (route) => {
		await answer.promise;
		await route.continue();
	});
	const send = async (first: string, meanwhile: string): Promise<void> => {
		answer = Promise.withResolvers<null>();
		await name.fill(first);
		await page.getByRole('button', { name: 'Create invite link' }).click();
		await expect(page.getByText('Working')).toBeVisible();
		await name.fill(meanwhile);
		answer.resolve(null);
	};
	await send('ada', 'hedy');
	await expect(name).toHaveAttribute('aria-invalid', 'true');
	await expect(name).toHaveValue('hedy');
	await send('hedy', 'barbara');
	await expect(page.getByTestId('invitation')).toBeVisible();
	await expect(name).toHaveValue('barbara');
});

test('what is typed while an answer that shows what was sent is on its way stays', async ({
	page
}) => {
	await signIn(page);
	for (const [path, name, sent, meanwhile] of [
		['/decode', 'hex', '00', '0011'],
		['/kdf/verify', 'signature', 'one', 'another'],
		['/console/getblock', 'p.hashOrHeight', '1', '12']
	] as const) {
		const answer = Promise.withResolvers<null>();
		await page.goto(path);
		await page.route(
			(url) => url.pathname === path,
			async (route) => {
				if (route.request().method() === 'POST') await answer.promise;
				await route.continue();
			}
		);
		const field = page.locator(`main [name="${name}"]`);
		await field.fill(sent);
		const form = page.locator('main form').filter({ has: page.locator(`[name="${name}"]`) });
		await form.getByRole('button').first().click();
		await expect(page.getByText('Working')).toBeVisible();
		await field.fill(meanwhile);
		answer.resolve(null);
		await expect(page.getByText('Working')).toHaveCount(0);
		await expect(field, path).toHaveValue(meanwhile);
		await page.unrouteAll({ behavior: 'wait' });
	}
});

test('a pasted list that is changed while it is on its way stays changed', async ({ page }) => {
	await signIn(page);
	await page.goto('/address-book');
	const answer = Promise.withResolvers<null>();
	await page.route(/\?\/import/, async (route) => {
		await answer.promise;
		await route.continue();
	});
	const csv = page.locator('[name="csv"]');
	await csv.fill('one,two\n1,2');
	await page.getByRole('button', { name: 'Import' }).click();
	await expect(page.getByText('Working')).toBeVisible();
	await csv.fill('one,two\n1,2\n3,4');
	answer.resolve(null);
	await expect(csv).toHaveAttribute('aria-invalid', 'true');
	await expect(csv).toHaveValue('one,two\n1,2\n3,4');
});

test('a setting that another admin changed while the form was open stays changed', async ({
	page,
	console
}) => {
	const other = await typing(page);
	await page.goto('/admin/security');
	const save = (fields: Record<string, string>) =>
		fetch(`${console.url}/admin/security?/save`, {
			method: 'POST',
			headers: {
				origin: console.url,
				cookie: other,
				'content-type': 'application/x-www-form-urlencoded'
			},
			body: new URLSearchParams({ section: 'sessions', ...fields })
		});
	await save({ 'session-idle-hours': '2', 'session-days': '7' });
	const days = page.getByLabel('Days from the login');
	await days.fill('6');
	await page.locator('form', { has: days }).getByRole('button', { name: 'Save' }).click();
	await expect(page.getByText('Settings saved.')).toBeVisible();
	await page.reload();
	await expect(days).toHaveValue('6');
	await expect(page.locator('[name="session-idle-hours"]')).toHaveValue('2');

	// Restored input belongs to the form version into which it was typed.
	await page.getByRole('link', { name: 'Audit log' }).first().click();
	await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
	await save({ 'session-idle-hours': '3', 'session-days': '6' });
	await page.goBack();
	await days.fill('5');
	await page.locator('form', { has: days }).getByRole('button', { name: 'Save' }).click();
	await expect(page.getByText('Settings saved.')).toBeVisible();
	const now = await (await page.request.get('/admin/security')).text();
	expect(now).toContain('name="shown.session-idle-hours" value="3"');
	expect(now).toContain('name="shown.session-days" value="5"');
});

test('what is typed while the back button restores a form stays', async ({ page, console }) => {
	await signIn(page);
	await page.goto('/address-book');
	const label = page.getByRole('textbox', { name: 'Label' });
	const note = page.getByLabel('Note');
	await label.fill('before');
	await note.fill('kept');
	await page.getByRole('link', { name: 'Transactions' }).first().click();
	await expect(page).toHaveURL(`${console.url}/transactions`);
	// Types into the field in the same moment in which it is shown.
	await page.evaluate(() => {
		new MutationObserver((_changes, observer) => {
			const field = document.querySelector<HTMLInputElement>('[name="label"]');
			if (field === null) return;
			observer.disconnect();
			field.value = 'after';
			field.dispatchEvent(new Event('input', { bubbles: true }));
		}).observe(document.body, { childList: true, subtree: true });
	});
	await page.goBack();
	await expect(note).toHaveValue('kept');
	await expect(label).toHaveValue('after');
});

test('what is chosen while the back button restores a form stays chosen', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	await expect(page.getByRole('radio', { name: /^Fungible/ })).toBeChecked();
	await page.locator('[name="name"]').fill('KEPT');
	await page.getByRole('link', { name: 'Transactions' }).first().click();
	await expect(page).toHaveURL(`${console.url}/transactions`);
	// Chooses in the same moment in which the form is shown.
	await page.evaluate(() => {
		new MutationObserver((_changes, observer) => {
			const choices = document.querySelectorAll<HTMLInputElement>('main [type="radio"]');
			const other = [...choices].find(({ checked }) => !checked);
			if (other === undefined) return;
			observer.disconnect();
			other.click();
		}).observe(document.body, { childList: true, subtree: true });
	});
	await page.goBack();
	await expect(page.locator('[name="name"]')).toHaveValue('KEPT');
	await expect(page.getByRole('radio', { name: /^Non-fungible/ })).toBeChecked();
});

test('an entry and wallets that others changed while their forms were open stay changed', async ({
	page,
	console
}) => {
	const member = await addMember(console, { name: 'grants', role: 'operator', wallets: 'ALPHA' });
	const other = await typing(page);
	const post = (path: string, fields: Record<string, string>) =>
		fetch(`${console.url}${path}`, {
			method: 'POST',
			headers: {
				origin: console.url,
				cookie: other,
				accept: 'text/html',
				'content-type': 'application/x-www-form-urlencoded'
			},
			body: new URLSearchParams(fields),
			redirect: 'manual'
		});
	const [mine, corrected] = await Promise.all(
		['ALPHA', 'BETA'].map((chain) => console.devnet.rpc<string>(chain, 'getnewaddress'))
	);
	const entry = { kind: 'address', value: mine!, chain: '', label: 'Payee', note: '' };
	const added = await post('/address-book?/add', entry);
	const path = new URL(added.headers.get('location') ?? '', console.url).pathname;
	await page.goto(path);
	await post(`${path}?/change`, { ...entry, value: corrected! });
	await page.getByLabel('Note').fill('on Fridays');
	await page.getByRole('button', { name: 'Save' }).click();
	await expect(page.getByText('on Fridays').first()).toBeVisible();
	await expect(page.locator('input[name="value"], textarea[name="value"]')).toHaveValue(corrected!);
	// And again on the same page, back to its former value.
	await page.getByLabel('Note').fill('');
	await page.getByRole('button', { name: 'Save' }).click();
	await expect(page.getByText('on Fridays')).toHaveCount(0);

	await page.goto('/admin/members');
	await page.getByRole('link', { name: member.name, exact: true }).click();
	const box = (daemon: string) => page.getByRole('checkbox', { name: daemon, exact: true });
	await expect(box('ALPHA')).toBeChecked();
	const wallets = `${new URL(page.url()).pathname}?/wallets`;
	await post(wallets, { 'shown-every': 'no', shown: 'ALPHA' });
	await box('BETA').check();
	await page.getByRole('region', { name: 'Wallets' }).getByRole('button').click();
	await expect(box('ALPHA')).not.toBeChecked();
	await expect(box('BETA')).toBeChecked();
	// A form without the values that it showed is accepted as it is.
	await post(wallets, {});
	await page.reload();
	await expect(box('BETA')).not.toBeChecked();
});

test('the theme that was chosen is marked on the page of the account and in the menu', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/account');
	const place = page.getByRole('main');
	const choice = (name: string) => place.getByRole('button', { name, exact: true });
	await choice('Dark').click();
	await expect(choice('Dark')).toHaveAttribute('aria-pressed', 'true');
	await choice('System').click();
	await expect(choice('System')).toHaveAttribute('aria-pressed', 'true');
	await expect(choice('Dark')).toHaveAttribute('aria-pressed', 'false');
});

test('another theme, from its menu or the palette, takes nothing away of what is typed', async ({
	page
}) => {
	await typing(page);
	const name = page.getByLabel('Name', { exact: false }).first();
	const html = page.locator('html');
	const menu = page
		.getByRole('banner')
		.locator('summary', { hasNot: page.getByText('ada') })
		.first();
	await menu.click();
	await page.getByRole('button', { name: 'Dark', exact: true }).click();
	await expect(html).toHaveAttribute('data-theme', 'dark');
	await expect(menu).toBeFocused();
	await expect(name).toHaveValue('KEPT');
	await page.keyboard.press('Control+k');
	await page.getByRole('dialog').getByRole('combobox').fill('light theme');
	await page.keyboard.press('Enter');
	await expect(html).toHaveAttribute('data-theme', 'light');
	await expect(name).toHaveValue('KEPT');
	await page.goto('/');
	await expect(html).toHaveAttribute('data-theme', 'light');
	await menu.click();
	await page.getByRole('button', { name: 'System', exact: true }).click();
	await expect(html).toHaveAttribute('data-theme', 'system');
});

test('another theme takes nothing away where no network is either', async ({ page }) => {
	await typing(page);
	await page.route('**/theme', (route) => route.abort('internetdisconnected'));
	await page
		.getByRole('banner')
		.locator('summary', { hasNot: page.getByText('ada') })
		.first()
		.click();
	await page.getByRole('button', { name: 'Dark', exact: true }).click();
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
	await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('KEPT');
});

/** The form of a batch transfer, with a way to delay the next response. */
async function batchForm(page: Page) {
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens');
	const token = await page
		.locator('main a[href*="/token/"]', { hasText: 'LOYALTY' })
		.first()
		.getAttribute('href');
	await page.goto(`${token}/batch-transfer`);
	let answer = Promise.withResolvers<null>();
	await page.route(/batch-transfer\?\//, async (route) => {
		await answer.promise;
		await route.continue();
	});
	const button = (name: string) => page.getByRole('button', { name });
	return {
		button,
		recipient: (n: number) => page.locator('[name="recipient"]').nth(n),
		amount: (n: number) => page.locator('[name="amount"]').nth(n),
		pasted: page.locator('[name="pasted"]'),
		/** Presses a button and does something else before the response arrives. */
		async meanwhile(name: string, act: () => Promise<void>): Promise<void> {
			answer = Promise.withResolvers<null>();
			await button(name).click();
			await expect(page.getByText('Working')).toBeVisible();
			await act();
			answer.resolve(null);
			await expect(page.getByText('Working')).toHaveCount(0);
		}
	};
}

test('what is typed into the rows of a batch while they are on their way stays in its row', async ({
	page
}) => {
	const { recipient, amount, pasted, meanwhile } = await batchForm(page);
	await recipient(1).fill('second');
	await amount(1).fill('2');
	await pasted.fill('third,3');
	await meanwhile('Fill rows', async () => {
		await pasted.fill('third,3\nfourth,4');
		await recipient(3).fill('late');
		await amount(1).focus();
		await amount(1).pressSequentially('1');
	});
	await expect(page.locator('[name="recipient"]')).toHaveCount(3);
	await expect(recipient(0)).toHaveValue('second');
	await expect(amount(0)).toHaveValue(/^(12|21)$/);
	// The row has moved up, and the focus with it.
	await expect(amount(0)).toBeFocused();
	await expect(recipient(1)).toHaveValue('third');
	await expect(amount(1)).toHaveValue('3');
	await expect(recipient(2)).toHaveValue('late');
	await expect(pasted).toHaveValue('fourth,4');

	await meanwhile('Review batch', () => amount(1).fill('30'));
	await expect(recipient(1)).toHaveAttribute('aria-invalid', 'true');
	await expect(amount(1)).toHaveValue('30');
	await expect(recipient(3)).toHaveValue('fourth');
	await meanwhile('More rows', () => amount(3).fill('40'));
	await expect(page.locator('[name="recipient"]')).toHaveCount(14);
	await expect(amount(3)).toHaveValue('40');
});

test('lines that are too many for a batch stay where they were pasted, whatever is pressed', async ({
	page
}) => {
	const { recipient, pasted, button } = await batchForm(page);
	await page.unrouteAll();
	const lines = Array.from({ length: 500 }, (_, n) => `label ${n},${n + 1}`).join('\n');
	await recipient(0).fill('first');
	await pasted.fill(lines);
	for (const name of ['Review batch', 'Fill rows']) {
		await button(name).click();
		await expect(pasted).toHaveAccessibleDescription(/501 recipients; 500 are the most/);
		await expect(pasted).toHaveValue(lines);
		await expect(page.locator('[name="recipient"]')).toHaveCount(1);
	}
});

test('a palette that does not come says so, takes nothing away, and comes once it can', async ({
	page
}) => {
	const failures: string[] = [];
	page.on('pageerror', ({ message }) => failures.push(message));
	await typing(page);
	await page.route('**/_app/immutable/**', (route) => route.abort('internetdisconnected'));
	await page.keyboard.press('Control+k');
	await expect(
		page.getByRole('status').filter({ hasText: 'palette could not be loaded' })
	).toBeVisible();
	await expect(page.getByLabel('Name', { exact: false }).first()).toBeFocused();
	await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('KEPT');
	expect(failures).toEqual([]);
	await page.unrouteAll();
	await page.keyboard.press('Control+k');
	await expect(page.getByRole('dialog')).toBeVisible();
	await expect(page.getByText('palette could not be loaded')).toHaveCount(0);
});
