/** Form input is restored by the browser's back button, and secrets are not stored for that. */
import type { Page } from '@playwright/test';
import { ADMIN, expect, signIn, test, type Console } from './support/console.ts';

/** SvelteKit's snapshots of the pages of this tab. */
const keptBy = (page: Page): Promise<string> =>
	page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));

/** Follows a link of the sidebar and comes back. */
async function leaveAndReturn(page: Page): Promise<void> {
	await page.getByRole('navigation').getByRole('link', { name: 'Transfers' }).first().click();
	await page.waitForURL(/\/transfers$/);
	await page.goBack();
}

test('the migration form comes back with what was typed', async ({ page }) => {
	await signIn(page);
	await page.goto('/migrations/new');
	await page.locator('[name="source"]').selectOption('ALPHA');
	await page.locator('[name="destination"]').selectOption('BETA');
	await page.locator('[name="amount"]').fill('1.25');
	await page.locator('input[name="address"]').fill('RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92');
	await leaveAndReturn(page);
	await expect(page.locator('[name="amount"]')).toHaveValue('1.25');
	await expect(page.locator('[name="source"]')).toHaveValue('ALPHA');
	await expect(page.locator('[name="destination"]')).toHaveValue('BETA');
	await expect(page.locator('input[name="address"]')).toHaveValue(
		'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92'
	);
	// The page's state is restored, too: the fee is shown for this amount.
	await expect(page.locator('main')).toContainText('1.25');
	await expect(page.getByRole('listbox')).toHaveCount(0);
});

test('a ticked output comes back as that output, though the list has changed since', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/wallets/ALPHA/send');
	const boxes = page.locator('input[name="utxos"]');
	await page.getByText('Coin control: choose UTXOs').first().click();
	const [first, second] = await boxes.evaluateAll((all) =>
		all.map((box) => (box as HTMLInputElement).value)
	);
	await boxes.nth(1).check();
	await page.getByRole('navigation').getByRole('link', { name: 'Transfers' }).first().click();
	await page.waitForURL(/\/transfers$/);
	// A member reviews a payment from the first output, which locks it.
	const review = await page.request.post('/wallets/ALPHA/send', {
		headers: { origin: console.url, accept: 'text/html' },
		form: {
			recipient: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92',
			amount: '0.001',
			more: '',
			rate: '',
			utxos: first!
		},
		maxRedirects: 0
	});
	expect(review.status()).toBe(303);
	await page.goBack();
	await expect(page.locator(`input[name="utxos"][value="${first}"]`)).toHaveCount(0);
	await expect(page.locator(`input[name="utxos"][value="${second}"]`)).toBeChecked();
	await expect(page.locator('input[name="utxos"]:checked')).toHaveCount(1);
	await page.goto(review.headers()['location']!);
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
});

/** Spends an output of the wallet outside Komodeck. */
async function spend({ devnet }: Console, name: string): Promise<void> {
	const call = <T>(method: string, ...params: unknown[]) =>
		devnet.rpc<T>('ALPHA', method, ...params);
	const all = await call<{ txid: string; vout: number; amount: number }[]>('listunspent');
	const { txid, vout, amount } = all.find((one) => `${one.txid}:${one.vout}` === name)!;
	const to = { [await call<string>('getnewaddress')]: Number((amount - 0.001).toFixed(8)) };
	const raw = await call<string>('createrawtransaction', [{ txid, vout }], to);
	const { hex } = await call<{ hex: string }>('signrawtransaction', raw);
	await call('sendrawtransaction', hex);
}

test('a ticked output that is gone when its form comes back stays ticked until it is given up', async ({
	page,
	console
}) => {
	await signIn(page);
	for (const [path, name] of [
		['/wallets/ALPHA/send', 'utxos'],
		['/migrations/new/custom?source=ALPHA', 'outputs']
	] as const) {
		await page.goto(path);
		await page.locator('main summary').first().click();
		const boxes = page.locator(`input[name="${name}"]`);
		const first = await boxes.first().inputValue();
		const second = await boxes.nth(1).inputValue();
		await boxes.first().check();
		await boxes.nth(1).check();
		await page.getByRole('navigation').getByRole('link', { name: 'Transfers' }).first().click();
		await page.waitForURL(/\/transfers$/);
		await spend(console, first);
		await page.goBack();
		await expect(page.locator('main')).toContainText(`${first} is not among these UTXOs any more.`);
		const gone = page.getByRole('checkbox', { name: first });
		await expect(gone).toBeChecked();
		await expect(page.locator(`input[value="${second}"]`)).toBeChecked();
		await boxes.nth(1).check();
		await expect(gone).toBeChecked();
		await gone.click();
		await expect(gone).toHaveCount(0);
		await expect(page.locator(`input[name="${name}"]:checked`)).toHaveCount(2);
	}
});

test('a chosen output that is gone when the form of a split comes back stays chosen, and another is not split', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/wallets/ALPHA/split');
	const select = page.getByLabel('UTXO', { exact: true });
	const utxo = (await select.locator('option').nth(1).getAttribute('value'))!;
	const [txid, vout] = utxo.split(':');
	const lock = (unlock: boolean) =>
		console.devnet.rpc('ALPHA', 'lockunspent', unlock, [{ txid, vout: Number(vout) }]);
	await select.selectOption(utxo);
	await page.getByRole('navigation').getByRole('link', { name: 'Transfers' }).first().click();
	await page.waitForURL(/\/transfers$/);
	await lock(false);
	try {
		await page.goBack();
		await expect(select).toHaveValue(utxo);
		await page.getByRole('button', { name: 'Review split' }).click();
		await expect(page.getByText('has no confirmed output').first()).toBeVisible();
		await expect(select).toHaveValue(utxo);
	} finally {
		await lock(true);
	}
});

test('outputs that were chosen on one chain are no choice on another', async ({ page }) => {
	await signIn(page);
	await page.goto('/migrations/new/custom?source=ALPHA');
	await page.locator('input[name="outputs"]').first().check();
	await page.getByLabel('From', { exact: true }).selectOption('BETA');
	await page.getByRole('button', { name: 'Show UTXOs' }).click();
	await expect(page).toHaveURL(/source=BETA/);
	await expect(page.locator('input[name="outputs"]').first()).toBeVisible();
	await expect(page.locator('input[name="outputs"]:checked')).toHaveCount(0);
	await expect(page.getByText('is not among these UTXOs any more')).toHaveCount(0);
});

test('all rows of a batch transfer come back, not only as many as a fresh form has', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens');
	const token = await page
		.locator('main a[href*="/token/"]', { hasText: 'LOYALTY' })
		.first()
		.getAttribute('href');
	await page.goto(`${token}/batch-transfer`);
	const lines = Array.from({ length: 12 }, (_, n) => `label ${n},${n + 1}`);
	await page.locator('[name="pasted"]').fill(lines.join('\n'));
	await page.getByRole('button', { name: 'Fill rows' }).click();
	await expect(page.locator('[name="recipient"]')).toHaveCount(lines.length);
	const last = page.locator('[name="amount"]').last();
	await last.fill('99');
	await leaveAndReturn(page);
	await expect(page.locator('[name="recipient"]')).toHaveCount(lines.length);
	await expect(page.locator('[name="recipient"]').last()).toHaveValue('label 11');
	await expect(last).toHaveValue('99');
	await expect(page.locator('main')).toContainText('165');
});

test('the form of a token comes back with what was typed, chosen and ticked', async ({ page }) => {
	await signIn(page);
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByRole('radio', { name: /^Non-fungible/ }).check();
	await page.locator('[name="name"]').fill('LIGHTHOUSE');
	await page.locator('textarea[name="description"]').fill('two lines\nof text');
	await leaveAndReturn(page);
	await expect(page.locator('[name="name"]')).toHaveValue('LIGHTHOUSE');
	await expect(page.locator('textarea[name="description"]')).toHaveValue('two lines\nof text');
	await expect(page.getByRole('radio', { name: /^Non-fungible/ })).toBeChecked();
});

test('a new entry of the address book comes back, also after a reload of another page', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/address-book');
	const form = page.locator('form[action="?/add"]');
	await form.locator('[name="label"]').fill('Lighthouse keeper');
	await form.locator('[name="kind"]').selectOption('address');
	await form.locator('[name="note"]').fill('a note');
	await page.goto('/transfers');
	await page.goBack();
	await expect(form.locator('[name="label"]')).toHaveValue('Lighthouse keeper');
	await expect(form.locator('[name="kind"]')).toHaveValue('address');
	await expect(form.locator('[name="note"]')).toHaveValue('a note');
});

test('a password comes back empty and is kept nowhere, nor is a recovery file', async ({
	page
}) => {
	const secret = 'a secret that is typed 4711';
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('Current password').fill(secret);
	await page.getByLabel('New password', { exact: true }).fill(secret);
	await page.getByLabel('API token name').fill('nightly job');
	await leaveAndReturn(page);
	await expect(page.getByLabel('API token name')).toHaveValue('nightly job');
	await expect(page.getByLabel('Current password')).toHaveValue('');
	await expect(page.getByLabel('New password', { exact: true })).toHaveValue('');
	await page.getByLabel('Current password').fill(secret);
	// Snapshots are stored when the site is left.
	await page.goto('/migrations/recover');
	expect(await keptBy(page)).toContain('nightly job');
	expect(await keptBy(page)).not.toContain(secret);

	await page.locator('[name="txid"]').fill('ab'.repeat(32));
	await page.locator('[name="recoveryFile"]').fill(secret);
	await leaveAndReturn(page);
	await expect(page.locator('[name="txid"]')).toHaveValue('ab'.repeat(32));
	await expect(page.locator('[name="recoveryFile"]')).toHaveValue('');
	await page.locator('[name="recoveryFile"]').fill(secret);
	await page.goto('/login');
	expect(await keptBy(page)).toContain('ab'.repeat(32));
	expect(await keptBy(page)).not.toContain(secret);
	expect(await keptBy(page)).not.toContain(ADMIN.password);
});

test('a call that reads comes back in the console, without the bytes that it was given', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/console/getblock');
	await page.getByLabel('hashOrHeight').fill('12');
	await leaveAndReturn(page);
	await expect(page.getByLabel('hashOrHeight')).toHaveValue('12');
	await page.goto('/console/decoderawtransaction');
	const bytes = page.locator('form textarea').first();
	await bytes.fill('0400008085202f89');
	await leaveAndReturn(page);
	await expect(bytes).toHaveValue('');
	expect(await keptBy(page)).not.toContain('0400008085202f89');
});

test('a form that comes back without some of what was typed or chosen names it', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/address-book');
	const form = page.locator('form[action="?/add"]');
	const notice = form.getByRole('status').filter({ hasText: 'Not all of your input came back' });
	await form.locator('[name="label"]').fill('Lighthouse keeper');
	await form.locator('[name="note"]').fill('n'.repeat(30_000));
	await form.locator('[name="kind"]').evaluate((select: HTMLSelectElement) => {
		select.add(new Option('DELTA', 'DELTA'));
		select.value = 'DELTA';
		select.dispatchEvent(new Event('change', { bubbles: true }));
	});
	await leaveAndReturn(page);
	await expect(form.locator('[name="label"]')).toHaveValue('Lighthouse keeper');
	await expect(notice).toContainText('Check before you continue: Type, Note.');
	await expect(form.locator('[name="note"]')).toHaveValue('');
	await form.getByRole('button').first().click();
	await expect(notice).toHaveCount(0);

	await page.goto('/chains/ALPHA/tokens');
	const link = page.locator('main a[href*="/token/"]', { hasText: 'LOYALTY' }).first();
	await page.goto(`${await link.getAttribute('href')}/batch-transfer`);
	const lines = Array.from({ length: 400 }, (_, n) => `${'02'.repeat(33)},${n + 1}`).join('\n');
	await page.locator('[name="pasted"]').fill(lines);
	await leaveAndReturn(page);
	await expect(page.locator('main')).toContainText('Check before you continue: Lines.');
});
