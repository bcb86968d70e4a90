/** Forms that a script submits: the page stays, and shows the result. */
import { join } from 'node:path';
import type { Page, Request } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { expect, signIn, sure, test } from './support/console.ts';

const FORM = 'main form[method="post"]';
const review = (page: Page) => page.locator(FORM).getByRole('button', { name: 'Review' });

/** Fills in the form of a new token. */
async function fill(page: Page, name: string, supply: string): Promise<void> {
	await page.goto('/chains/ALPHA/tokens/new');
	await page.locator(`${FORM} [name="name"]`).fill(name);
	await page.locator(`${FORM} [name="supply"]`).fill(supply);
	await page.locator(`${FORM} [name="description"]`).fill('Berths of the harbour');
}

/** Sets a mark in the window, which a new document would not have. */
const mark = (page: Page): Promise<void> =>
	page.evaluate(() => {
		Object.assign(window, { isStillHere: true });
	});
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'isStillHere' in window);

/** The form keys that a page posts from now on. */
function postedKeys(page: Page): string[] {
	const keys: string[] = [];
	page.on('request', (request: Request) => {
		if (request.method() !== 'POST') return;
		keys.push(new URLSearchParams(request.postData() ?? '').get('idempotency-key') ?? '');
	});
	return keys;
}

/**
 * Waits for the review, which locks coins that the next one needs, and discards it.
 * @returns how many transactions of this name the list had
 */
async function discarded(page: Page, name: string): Promise<number> {
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	const address = page.url();
	await page.goto('/transactions');
	await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
	const rows = await page.getByRole('row', { name: new RegExp(name) }).count();
	await page.goto(address);
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/tokens$/);
	return rows;
}

test('a form with a wrong field does not reload the page, keeps what was typed and focuses the field', async ({
	page
}) => {
	await signIn(page);
	await fill(page, 'FOCUS', '0');
	await mark(page);
	await review(page).click();
	const supply = page.locator(`${FORM} [name="supply"]`);
	await expect(supply).toHaveAttribute('aria-invalid', 'true');
	await expect(supply).toBeFocused();
	await expect(supply).toHaveValue('0');
	await expect(page.locator(`${FORM} [name="name"]`)).toHaveValue('FOCUS');
	await expect(page.locator(`${FORM} [name="description"]`)).toHaveValue('Berths of the harbour');
	expect(await isMarked(page)).toBe(true);
	await expect(review(page)).toBeEnabled();
	expect(await complaints(page)).toEqual([]);

	await supply.fill('500');
	await review(page).click();
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	expect(await isMarked(page), 'the review').toBe(true);
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/tokens$/);
	expect(await isMarked(page), 'the list').toBe(true);
});

/** Forms with a group of checkboxes of which none is selected. */
const GROUPS = [
	{
		path: '/migrations/new/custom?source=ALPHA&destination=BETA',
		boxes: 'outputs',
		button: 'Review migration',
		says: 'Select the UTXOs to spend.'
	},
	{
		path: '/admin/notifications',
		boxes: 'kinds',
		right: { url: 'https://hooks.example/komodeck' },
		button: 'Add webhook',
		says: 'Choose at least one kind of notices.'
	},
	{
		path: '/kdf/KMD?method=electrum',
		boxes: 'server',
		button: 'Activate KMD',
		says: 'Choose at least one server: KMD needs one.'
	},
	{
		path: '/kdf/ETH',
		boxes: 'node',
		button: 'Activate ETH',
		says: 'Choose at least one node: ETH needs one.'
	},
	{
		path: '/kdf/signers',
		boxes: 'chain',
		button: 'Create invitation',
		says: 'Choose at least one chain.'
	}
] as const;

for (const javaScriptEnabled of [true, false]) {
	test(`a fault of several boxes is said once, has the focus and is seen on a phone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
		browser,
		console
	}) => {
		const context = await browser.newContext({
			javaScriptEnabled,
			baseURL: console.url,
			viewport: { width: 390, height: 700 }
		});
		const page = await context.newPage();
		await signIn(page);
		for (const { path, boxes, button, says, ...rest } of GROUPS) {
			await page.goto(path);
			const box = page.locator(`main [type="checkbox"][name="${boxes}"]`);
			for (const one of await box.all()) await one.uncheck();
			for (const [name, text] of Object.entries('right' in rest ? rest.right : {}))
				await page.locator(`main [name="${name}"]`).fill(text);
			await page.getByRole('main').getByRole('button', { name: button }).click();
			const fault = page.getByText(says, { exact: true });
			await expect(fault, path).toHaveCount(1);
			await expect(fault, path).toBeInViewport();
			const group = page.getByRole('group').filter({ has: page.locator(`[name="${boxes}"]`) });
			await expect(group, path).toBeFocused();
			await expect(group, path).toHaveAccessibleDescription(new RegExp(says));
			if (javaScriptEnabled) expect(await complaints(page), path).toEqual([]);
		}
		await context.close();
	});
}

test('a double click sends a form once, and the button says that it works', async ({ page }) => {
	await signIn(page);
	await fill(page, 'DOUBLED', '500');
	const keys = postedKeys(page);
	let goOn: () => void = () => undefined;
	const held = new Promise<void>((done) => (goOn = done));
	await page.route('**/tokens/new', async (route) => {
		await held;
		await route.continue();
	});
	await review(page).dblclick();
	const working = page.locator(FORM).getByRole('button', { name: 'Working…' });
	await expect(working).toBeDisabled();
	await expect(page.locator(FORM)).toHaveAttribute('aria-busy', 'true');
	goOn();
	expect(await discarded(page, 'DOUBLED')).toBe(1);
	expect(keys.filter((key) => key === keys[0])).toHaveLength(1);
});

test('a form that gets no answer for long says so, and takes the answer when it comes', async ({
	page
}) => {
	await page.clock.install();
	await signIn(page);
	await fill(page, 'SLOW', '0');
	const answer = Promise.withResolvers<null>();
	await page.route('**/tokens/new', async (route) => {
		if (route.request().method() === 'POST') await answer.promise;
		await route.continue();
	});
	await review(page).click();
	const notice = page.locator(FORM).getByRole('status').filter({ hasText: 'No response yet' });
	await expect(page.locator(FORM)).toHaveAttribute('aria-busy', 'true');
	await expect(notice).toHaveCount(0);
	await page.clock.fastForward(20_000);
	await expect(notice.getByRole('link', { name: 'Transactions' })).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	answer.resolve(null);
	await expect(page.locator(`${FORM} [name="supply"]`)).toHaveAttribute('aria-invalid', 'true');
	await expect(notice).toHaveCount(0);
});

test('a lost answer of a form that has no key takes nobody away from what is typed', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/decode');
	await page.route('**/decode', (route) =>
		route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue()
	);
	await page.locator('main [name="hex"]').fill('00');
	await page.getByRole('main').getByRole('button', { name: 'Decode' }).click();
	const notice = page.getByRole('main').getByRole('alert');
	await expect(notice).toContainText('Your input is kept');
	await expect(notice).not.toContainText('Reload');
});

test('a lost answer is told as one, and the same form sent again is carried out once', async ({
	page
}) => {
	await signIn(page);
	await fill(page, 'LOST', '500');
	await mark(page);
	const keys = postedKeys(page);
	await page.route('**/tokens/new', async (route) => {
		// An event may trigger a request for the page meanwhile.
		if (route.request().method() !== 'POST') return route.fallback();
		await route.fetch();
		await route.abort('connectionreset');
	});
	await review(page).click();
	const notice = page.locator(FORM).getByRole('alert');
	await expect(notice).toContainText('the outcome of the request is unknown');
	await expect(notice).toBeInViewport();
	await expect(notice.getByRole('link', { name: 'Transactions' })).toBeVisible();
	await expect(page.locator(`${FORM} [name="name"]`)).toHaveValue('LOST');
	expect(await isMarked(page)).toBe(true);
	expect(keys, 'nothing is sent again by itself').toHaveLength(1);
	expect(await complaints(page)).toEqual([]);

	await page.unroute('**/tokens/new');
	await review(page).click();
	expect(await discarded(page, 'LOST')).toBe(1);
	expect(keys.filter((key) => key === keys[0])).toHaveLength(2);
});

test('what the server refuses with a page stands in the form, and nothing that was typed is lost', async ({
	page
}) => {
	await signIn(page);
	await fill(page, 'LARGE', '500');
	await mark(page);
	const description = page.locator(`${FORM} [name="description"]`);
	await description.fill('d'.repeat(3_000_000));
	await review(page).click();
	const notice = page.locator(FORM).getByRole('alert');
	await expect(notice).toContainText('Status 413');
	await expect(notice).toBeInViewport();
	await expect(page.locator(`${FORM} [name="name"]`)).toHaveValue('LARGE');
	expect(await isMarked(page)).toBe(true);

	await description.fill('');
	await review(page).click();
	expect(await discarded(page, 'LARGE')).toBe(1);
});

test('a form that was taken and stays on its page is empty, and the next one has another key', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/account');
	await mark(page);
	const keys = postedKeys(page);
	const name = page.getByLabel('API token name');
	const tokens: string[] = [];
	for (const _time of ['first', 'second']) {
		await name.fill('harbour');
		await page.getByRole('button', { name: 'Create API token' }).click();
		await expect(page.getByTestId('new-token')).not.toHaveText(tokens.at(-1) ?? '');
		await expect(name).toHaveValue('');
		tokens.push((await page.getByTestId('new-token').textContent()) ?? '');
	}
	expect(new Set(keys).size).toBe(2);
	expect(new Set(tokens).size).toBe(2);
	expect(await isMarked(page)).toBe(true);
});

test('what a form was taken for is shown although the data of its page does not come for a while', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill('shown once');
	await page.route('**/account/__data.json*', (route) => route.abort('connectionreset'));
	const create = page.getByRole('button', { name: 'Create API token' });
	await create.click();
	await expect(page.getByTestId('new-token')).toBeVisible();
	await expect(create).toBeEnabled();
	await page.unrouteAll({ behavior: 'wait' });
	await expect(page.getByRole('row', { name: 'shown once' })).toBeVisible();
	await expect(page.getByTestId('new-token')).toBeVisible();
});

test('what is shown once stays while requests for the data of its page are too many', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill('shown in a rush');
	let refused = 0;
	await page.route('**/account/__data.json*', (route) => {
		refused += 1;
		const json = { message: 'Too many requests.', code: 'too-many-requests' };
		return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json });
	});
	await page.getByRole('button', { name: 'Create API token' }).click();
	await expect(page.getByTestId('new-token')).toBeVisible();
	const shown = await page.getByTestId('new-token').textContent();
	await expect.poll(() => refused).toBeGreaterThan(1);
	await page.unrouteAll({ behavior: 'wait' });
	await expect(page.getByRole('row', { name: 'shown in a rush' })).toBeVisible();
	await expect(page.getByTestId('new-token')).toHaveText(shown!);
});

test('what a form was taken for stays although the data of its page fails', async ({ page }) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill('shown once more');
	let faults = 0;
	await page.route('**/account/__data.json*', (route) => {
		faults += 1;
		if (faults === 1) return route.fulfill({ status: 500, json: { message: 'A fault' } });
		const error = { type: 'error', error: { message: 'A fault', code: 'fault' }, status: 500 };
		return route.fulfill({ json: { type: 'data', nodes: [null, error] } });
	});
	await page.getByRole('button', { name: 'Create API token' }).click();
	await expect(page.getByTestId('new-token')).toBeVisible();
	const shown = await page.getByTestId('new-token').textContent();
	await expect.poll(() => faults).toBeGreaterThan(2);
	await page.unrouteAll({ behavior: 'wait' });
	await expect(page.getByRole('row', { name: 'shown once more' })).toBeVisible();
	await expect(page.getByTestId('new-token')).toHaveText(shown!);
});

for (const part of ['', '#content', '#tokens']) {
	test(`a form that was taken leaves the focus at its button, at an address that ends in /account${part}`, async ({
		page
	}) => {
		await signIn(page);
		await page.goto(`/account${part}`);
		await page.getByLabel('API token name').fill('focused');
		const create = page.getByRole('button', { name: 'Create API token' });
		await create.press('Enter');
		await expect(page.getByTestId('new-token')).toBeVisible();
		await expect(create).toBeFocused();
		await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
		await expect(create).toBeFocused();
	});
}

test('whoever types elsewhere while a form is on its way types on', async ({ page }) => {
	await signIn(page);
	await page.goto('/account');
	const name = page.getByLabel('API token name');
	const create = page.getByRole('button', { name: 'Create API token' });
	let goOn: () => void = () => undefined;
	const held = new Promise<void>((done) => (goOn = done));
	await page.route('**/account?/createToken', async (route) => {
		await held;
		await route.continue();
	});
	await name.fill('typed on');
	await create.press('Enter');
	const current = page.getByLabel('Current password');
	await current.focus();
	await page.keyboard.type('half ');
	goOn();
	await expect(name).toHaveValue('');
	await expect(create).toBeEnabled();
	await page.keyboard.type('a word');
	await expect(current).toHaveValue('half a word');
});

test('a passkey that comes to nothing leaves the focus at its button', async ({ page }) => {
	await page.route('**/login/passkey', (route) => route.abort('connectionreset'));
	await page.goto('/login');
	const button = page.getByRole('button', { name: /passkey/ });
	await expect(button).toBeEnabled();
	await button.press('Enter');
	await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
	await expect(button).toBeFocused();
});

test('the focus stays in a list whose line goes with its form', async ({ page }) => {
	await signIn(page);
	await page.goto('/account');
	for (const name of ['in a line', 'beside it']) {
		await page.getByLabel('API token name').fill(name);
		await page.getByRole('button', { name: 'Create API token' }).click();
		await expect(page.getByRole('row', { name })).toBeVisible();
	}
	const line = page.getByRole('row', { name: 'in a line' });
	const late = Promise.withResolvers<null>();
	await page.route('**/account/__data.json*', async (route) => {
		await late.promise;
		await route.continue();
	});
	const revoke = line.getByRole('button', { name: /^Revoke/ });
	await revoke.press('Enter');
	await sure(page);
	// The response arrives before the page's data, whose wait is limited, removes its row.
	await expect(revoke).toBeEnabled();
	await expect(revoke).toBeFocused();
	late.resolve(null);
	await expect(line).toHaveCount(0);
	// Its own table, which the row of another token keeps on the page.
	await expect(page.getByRole('region', { name: 'Your API tokens' })).toBeFocused();
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('a form with a wrong field is answered by a page that keeps what was typed', async ({
		page
	}) => {
		await signIn(page);
		await fill(page, 'PLAIN', '0');
		await review(page).click();
		await expect(page.locator(`${FORM} [name="supply"]`)).toHaveAttribute('aria-invalid', 'true');
		await expect(page.locator(`${FORM} [name="name"]`)).toHaveValue('PLAIN');
		await page.locator(`${FORM} [name="supply"]`).fill('500');
		await review(page).click();
		expect(await discarded(page, 'PLAIN')).toBe(1);
	});

	test('a reload of the page that shows a new API token creates no second one', async ({
		page
	}) => {
		await signIn(page);
		await page.goto('/account');
		const form = page.locator('form[action="?/createToken#tokens"]');
		await form.locator('[name="name"]').fill('reloaded');
		await form.getByRole('button', { name: 'Create API token' }).click();
		const secret = page.getByText(/kdk_/).first();
		await expect(secret).toBeVisible();
		await page.reload();
		await expect(page).toHaveURL(/\/account#tokens$/);
		await expect(secret).toHaveCount(0);
		await expect(page.getByRole('row', { name: /reloaded/ })).toHaveCount(1);
	});
});

test('a form that is sent again after a lost answer is carried out once, also when its session was renewed with it', async ({
	page,
	console
}) => {
	await signIn(page);
	const { default: SqliteDatabase } = await import('better-sqlite3');
	const database = new SqliteDatabase(join(console.dataDir, 'komodeck.sqlite'));
	const idle = Date.now() - 2 * 60_000;
	database.prepare('update sessions set last_seen_at = ? where last_seen_at > ?').run(idle, idle);
	database.close();
	const form = {
		kind: 'chain',
		value: 'BETA',
		chain: '',
		label: 'Sent twice',
		note: '',
		'idempotency-key': crypto.randomUUID()
	};
	const send = () =>
		page.request.post('/address-book?/add', {
			headers: { origin: console.url, accept: 'text/html' },
			form,
			maxRedirects: 0
		});
	const first = await send();
	expect(first.status()).toBe(303);
	expect(first.headers()['set-cookie']).toContain('komodeck_session=');
	const again = await send();
	expect([again.status(), again.headers()['location']]).toEqual([303, first.headers()['location']]);
	await page.goto(first.headers()['location']!);
	await page.getByRole('button', { name: 'Remove' }).click();
	await sure(page);
	await expect(page).toHaveURL(/\/address-book$/);
});

test('the form of a new rule is as it was at first once the rule is added', async ({ page }) => {
	await signIn(page);
	await page.goto('/admin/policies/limits');
	// Opened without a new document, so that the browser creates the fields.
	const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
	await trail.getByRole('link', { name: 'Policies' }).click();
	const form = page.locator('form[action="?/add"]');
	const over = form.locator('[name="over"]');
	await form.locator('[name="asset"]').selectOption('coin:ALPHA');
	await form.locator('[name="effect"]').selectOption('allow');
	await form.locator('[name="needed"]').fill('2');
	await over.fill('12.5');
	await form.getByRole('button', { name: 'Add rule' }).click();
	await expect(page.getByText('Rule added')).toBeVisible();
	await expect(over).toHaveValue('');
	await expect(form.locator('[name="asset"]')).toHaveValue('any');
	await expect(form.locator('[name="effect"]')).toHaveValue('approve');
	await expect(form.locator('[name="needed"]')).toHaveValue('1');
	await page.getByRole('button', { name: /^Remove/ }).click();
	await sure(page);
	await expect(page.getByText('Rule removed')).toBeVisible();
});

test('an import of address book lines leaves the field empty, unless lines were skipped', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/address-book');
	const lines = page.locator('[name="csv"]');
	const button = page.getByRole('button', { name: 'Import' });
	const skipped = 'kind,value,label\npubkey,nonsense,Carl';
	await lines.fill(skipped);
	await button.click();
	await expect(page.getByText(/Line 2: /)).toBeVisible();
	await expect(lines).toHaveValue(skipped);
	await lines.fill('kind,value,label\nchain,BETA,Second chain');
	await button.click();
	await expect(page.getByText('1 entry added')).toBeVisible();
	await expect(lines).toHaveValue('');
	await page.getByRole('link', { name: 'Second chain' }).first().click();
	await page.getByRole('button', { name: 'Remove entry' }).click();
	await sure(page);
	await expect(page).toHaveURL(/\/address-book$/);
});
