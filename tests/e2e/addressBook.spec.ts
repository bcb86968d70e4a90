/** The team's address book, wherever its entries are shown or entered; drafts; batch transfers. */
import type { Page } from '@playwright/test';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { complaints, complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, submit, sure, test } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

const keyOf = (n: number): string => bytesToHex(publicKeyOf(new Uint8Array(32).fill(n)));

async function addEntry(
	page: Page,
	entry: { label: string; kind: string; value: string; chain?: string; note?: string }
): Promise<void> {
	await page.goto('/address-book');
	const form = page.locator('form[action="?/add"]');
	await form.locator('[name="label"]').fill(entry.label);
	await form.locator('[name="kind"]').selectOption(entry.kind);
	await form.locator('[name="value"]').fill(entry.value);
	if (entry.chain !== undefined) await form.locator('[name="chain"]').selectOption(entry.chain);
	await form.locator('[name="note"]').fill(entry.note ?? '');
	await form.getByRole('button', { name: 'Add' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(entry.label);
}

test('a label stands beside its key, address and token wherever they are, for the team and for nobody else', async ({
	page,
	browser,
	console
}) => {
	const { pubkey } = console.devnet.chains.get('ALPHA')!;
	const token = await seededToken(console.devnet);
	await signIn(page);
	await page.goto('/address-book');
	await expect(page.getByText('Your address book is empty')).toBeVisible();
	await addEntry(page, {
		label: 'House wallet',
		kind: 'pubkey',
		value: pubkey,
		note: '<script>alert(1)</script>'
	});
	await expect(page.getByText('Token address', { exact: true })).toBeVisible();
	await expect(page.locator('dl').getByText('<script>alert(1)</script>')).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await addEntry(page, { label: 'The gold', kind: 'token', value: token.id, chain: 'ALPHA' });
	await page.goto('/address-book');
	expect(await complaintsEveryWay(page)).toEqual([]);

	const tag = (label: string) =>
		page
			.locator('main')
			.getByTitle(/address book/)
			.getByText(label);
	for (const path of [
		`/chains/ALPHA/address/${addressOfPubkey(pubkey)}`,
		`/chains/ALPHA/token/${token.id}`,
		'/chains/ALPHA/addresses',
		'/chains/ALPHA/tokens',
		'/chains/ALPHA'
	]) {
		await page.goto(path);
		await expect(tag('House wallet').first(), path).toBeVisible();
	}
	await page.goto(`/chains/ALPHA/token/${token.id}`);
	await expect(tag('The gold').first()).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);

	await page.goto('/search?q=house%20walet');
	const found = page.locator('main').getByRole('link', { name: /^label\s*House wallet$/ });
	await expect(found).toBeVisible();
	await page.goto('/');
	await page.getByRole('combobox', { name: /^Search for/ }).fill('the gol');
	await expect(page.getByRole('option', { name: /The gold/ })).toBeVisible();

	const visitor = await (await browser.newContext({ baseURL: console.url })).newPage();
	await visitor.goto(`/chains/ALPHA/token/${token.id}`);
	await expect(visitor.getByText('House wallet')).toHaveCount(0);
	expect((await visitor.goto('/address-book'))?.url()).toContain('/login');
	const suggested = await visitor.request.get('/api/search?q=house');
	expect(await suggested.text()).not.toContain('House wallet');
	await visitor.context().close();
});

test('a label of the most letters leaves the lists that show it within the narrowest phone', async ({
	page,
	console
}) => {
	await signIn(page);
	const { pubkey } = console.devnet.chains.get('BETA')!;
	await addEntry(page, { label: 'W'.repeat(60), kind: 'pubkey', value: pubkey });
	await page.setViewportSize({ width: 320, height: 800 });
	for (const path of ['/wallets', '/chains/BETA/addresses', '/chains/BETA/transactions']) {
		await page.goto(path);
		const list = page.getByRole('main').locator('.table-place').first();
		await expect(list).toBeVisible();
		expect(await list.evaluate((box) => box.scrollWidth - box.clientWidth), path).toBe(0);
	}
});

test('the focus goes to the content of the page to which a form leads', async ({ page }) => {
	await signIn(page);
	await page.goto('/address-book');
	const add = page.getByRole('region', { name: 'Add entry' });
	await add.getByLabel('Label').fill('Next page');
	await add.getByLabel('Type').selectOption('pubkey');
	await add.getByLabel('Public key, address').fill(keyOf(11));
	await add.getByRole('button', { name: 'Add entry' }).press('Enter');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Next page');
	await expect(page.getByRole('main')).toBeFocused();
});

test('the known recipients leave the error of their field in view, and open by a key', async ({
	page
}) => {
	await signIn(page);
	await addEntry(page, { label: 'Known', kind: 'pubkey', value: keyOf(9) });
	await page.goto('/wallets/ALPHA/send');
	const recipient = page.getByRole('combobox', { name: 'Recipient', exact: true });
	// The browser's own list stands there until that of the page is loaded.
	await expect(recipient).toHaveAttribute('aria-autocomplete', 'list');
	await page
		.getByRole('main')
		.getByRole('button', { name: /^Review/ })
		.click();
	await expect(recipient).toBeFocused();
	await expect(recipient).toHaveAttribute('aria-invalid', 'true');
	const known = page.getByRole('listbox', { name: 'Known recipients' });
	await expect(known).toBeHidden();
	await expect(async () => {
		await recipient.press('ArrowDown');
		await expect(known).toBeVisible({ timeout: 500 });
	}).toPass();
	expect(await complaints(page)).toEqual([]);
});

test('a whole known recipient that is typed closes the list of them', async ({ page }) => {
	await signIn(page);
	await addEntry(page, { label: 'Whole', kind: 'pubkey', value: keyOf(12) });
	await page.goto('/wallets/ALPHA/send');
	const recipient = page.getByRole('combobox', { name: 'Recipient', exact: true });
	await expect(recipient).toHaveAttribute('aria-autocomplete', 'list');
	const known = page.getByRole('listbox', { name: 'Known recipients' });
	await recipient.fill('Whole');
	await expect(known.getByRole('option')).toHaveCount(1);
	const value = (await known.getByRole('option').locator('span').textContent())!;
	await recipient.fill(value);
	await expect(known).toBeHidden();
});

test('the known recipients do not open once the focus went on to the next field', async ({
	page
}) => {
	await signIn(page);
	await addEntry(page, { label: 'Passed by', kind: 'pubkey', value: keyOf(10) });
	await page.goto('/wallets/ALPHA/send');
	const recipient = page.getByRole('combobox', { name: 'Recipient', exact: true });
	const known = page.getByRole('listbox', { name: 'Known recipients' });
	await expect(async () => {
		await recipient.blur();
		await recipient.focus();
		await expect(known).toBeVisible({ timeout: 500 });
	}).toPass();
	await recipient.press('Escape');
	await expect(known).toBeHidden();
	const amount = page.locator('[name="amount"]').first();
	await amount.focus();
	await recipient.evaluate(
		(field, next) => {
			field.focus();
			(next as HTMLElement).focus();
		},
		await amount.elementHandle()
	);
	await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
	await expect(known).toBeHidden();
});

test('an address where a key is needed leads to the key that the chain knows, and a label stands for one', async ({
	page,
	console
}) => {
	const { pubkey } = console.devnet.chains.get('ALPHA')!;
	const token = await seededToken(console.devnet);
	await signIn(page);
	await page.goto(`/chains/ALPHA/token/${token.id}/transfer`);
	await page.locator('[name="recipient"]').fill(addressOfPubkey(pubkey));
	await page.locator('[name="amount"]').fill('3');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByText('This is an address').first()).toBeVisible();
	await expect(page.getByText('was found in transaction')).toBeVisible();
	await page.getByRole('link', { name: 'Use this key' }).click();
	await expect(page.locator('[name="recipient"]')).toHaveValue(pubkey);
	await expect(page.locator('[name="amount"]')).toHaveValue('3');

	await addEntry(page, { label: 'Anna', kind: 'pubkey', value: keyOf(7) });
	await page.goto(`/chains/ALPHA/token/${token.id}/transfer`);
	await page.locator('[name="recipient"]').fill('anna');
	await page.locator('[name="amount"]').fill('3');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token transfer');
	await expect(
		page
			.locator('main')
			.getByTitle(/address book/)
			.getByText('Anna')
			.first()
	).toBeVisible();
	await page.getByRole('button', { name: 'Discard' }).click();
});

test('the book is imported, exported, changed and emptied again, without JavaScript', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const page = await context.newPage();
	await signIn(page);
	await page.goto('/address-book');
	await page
		.locator('[name="csv"]')
		.fill(`kind,value,label,note\npubkey,${keyOf(21)},Berta,first\npubkey,nonsense,Carl,\n`);
	await page.getByRole('button', { name: 'Import' }).click();
	await expect(page.getByText('1 entry added')).toBeVisible();
	await expect(page.getByText(/Line 3: A public key has 66 hex digits/)).toBeVisible();
	const file = await context.request.get('/address-book/address-book.csv');
	expect(file.headers()['content-disposition']).toContain('address-book.csv');
	expect(await file.text()).toContain(`pubkey,${keyOf(21)},,Berta,first,ada,`);
	await page.goto('/address-book?q=berta');
	await page.getByRole('link', { name: 'Berta' }).click();
	await page.locator('[name="label"]').fill('Berta B.');
	await page.getByRole('button', { name: 'Save' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Berta B.');
	await submit(page.getByRole('button', { name: 'Remove entry' }));
	await sure(page);
	await page.goto('/address-book?q=berta');
	await expect(page.getByText('No entries match')).toBeVisible();
	await context.close();
});

test('a token is duplicated, kept as a draft, opened again and reviewed with a warning of its name', async ({
	page,
	console
}) => {
	const token = await seededToken(console.devnet);
	await signIn(page);
	await page.goto(`/chains/ALPHA/token/${token.id}`);
	await page.getByRole('link', { name: 'Duplicate' }).click();
	await expect(page.locator('[name="name"]')).toHaveValue(token.name);
	await expect(page.getByText('has a token with this name already')).toBeVisible();
	await page.locator('[name="name"]').fill('ALPHAG0LD');
	await expect(page.getByText('whose names can be confused with this one')).toBeVisible();
	await page.locator('[name="supply"]').fill('not sure');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('button', { name: 'Save draft' }).click();
	await expect(page.getByText('Team draft', { exact: true })).toBeVisible();
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByRole('link', { name: 'ALPHAG0LD' }).click();
	await expect(page.locator('[name="supply"]')).toHaveValue('not sure');
	await page.locator('[name="supply"]').fill('1000');
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Token creation');
	await expect(page.getByText(/whose name looks like this one/)).toBeVisible();
	await submit(page.getByRole('button', { name: 'Discard' }));
	await page.goto('/chains/ALPHA/tokens/new');
	await page.getByRole('link', { name: 'ALPHAG0LD' }).click();
	await page.getByRole('button', { name: 'Remove draft' }).click();
	await expect(page.getByText('Team drafts')).toHaveCount(0);
});

test('one token goes to many recipients: pasted, checked at each row, confirmed, sent', async ({
	page,
	console
}) => {
	test.setTimeout(240_000);
	const token = await seededToken(console.devnet);
	await signIn(page);
	await page.goto(`/chains/ALPHA/token/${token.id}/batch-transfer`);
	await page
		.locator('[name="pasted"]')
		.fill(`recipient,amount\n${keyOf(31)},1\n${addressOfPubkey(keyOf(32))},2\n${keyOf(31)},x\n`);
	await page.getByRole('button', { name: 'Fill rows' }).click();
	await expect(page.locator('[name="recipient"]')).toHaveCount(3);
	await page.getByRole('button', { name: 'Review batch' }).click();
	await expect(page.getByText('2 rows cannot be sent')).toBeVisible();
	const second = page.getByRole('group', { name: 'Recipient 2' });
	await expect(second.locator('[name="recipient"]')).toHaveAccessibleDescription(
		/This is an address/
	);
	await expect(
		page.getByRole('group', { name: 'Recipient 3' }).locator('[name="amount"]')
	).toHaveAttribute('aria-invalid', 'true');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await second.locator('[name="recipient"]').fill(keyOf(32));
	await page.getByRole('group', { name: 'Recipient 3' }).locator('[name="amount"]').fill('3');
	await page.getByRole('button', { name: 'Review batch' }).click();
	await expect(page.getByText('Recipients in several rows')).toBeVisible();
	await page.getByRole('button', { name: 'Send 3 transfers' }).click();
	await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
	await expect
		.poll(
			async () => {
				await console.devnet.control.mine('ALPHA');
				return page.getByText('All transfers confirmed').isVisible();
			},
			{ timeout: 60_000, intervals: [1_000] }
		)
		.toBe(true);
	expect(await complaintsEveryWay(page)).toEqual([]);
	const held = async (n: number): Promise<number> =>
		(await console.devnet.rpc<{ balance: number }>('ALPHA', 'tokenbalance', token.id, keyOf(n)))
			.balance;
	expect([await held(31), await held(32)]).toEqual([4, 2]);
});
