/** The console: a member finds a method, calls it, reads the response, and is asked before a change. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay, unfold } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

const main = (page: Page) => page.getByRole('main');
const tree = (page: Page) => page.getByTestId('tree');

/** Opens a method for the daemon of ALPHA. */
const open = (page: Page, method: string, query = '') =>
	page.goto(`/console/${method}?daemon=ALPHA${query}`);

test('a method is found, filled by its example, called, and read as tree and as raw text', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/console');
	await page.getByLabel('Name, purpose or parameter').fill('hash of the block');
	await page.getByRole('button', { name: 'Find' }).click();
	await main(page)
		.getByRole('link', { name: /^getblockhash / })
		.click();
	await page.getByRole('link', { name: 'Use example' }).click();
	await expect(page.getByRole('textbox', { name: 'height' })).toHaveValue('13');
	await page.getByRole('textbox', { name: 'height' }).fill('1');
	await page.getByLabel('Daemon').first().selectOption('ALPHA');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	const hash = await console.devnet.rpc<string>('ALPHA', 'getblockhash', 1);
	await expect(tree(page)).toContainText(hash);
	await expect(page.getByTestId('time')).toContainText(/\d ms$/);
	await page.getByText('Raw text').click();
	await expect(page.getByRole('region', { name: 'Raw text' })).toContainText(`{"result":"${hash}"`);
	await expect(page.getByRole('region', { name: 'the curl command' })).toContainText(
		`"method":"getblockhash","params":[1]`
	);
	await expect(page.getByRole('textbox', { name: 'height' })).toHaveValue('1');
});

test('the curl line works as it stands once a token is put in', async ({ page, request }) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill('curl');
	await page.getByRole('button', { name: 'Create API token' }).click();
	const token = await page.getByTestId('new-token').innerText();
	await open(page, 'getblock', '&p.hashOrHeight=1');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(page.getByTestId('time')).toBeVisible();
	const line = await page.getByRole('region', { name: 'the curl command' }).innerText();
	const [, body] = /--data-binary '([^']*)'/.exec(line) ?? [];
	const [, url] = /'(http[^']*)'$/.exec(line.trim()) ?? [];
	expect(line).toContain('Authorization: Bearer YOUR_TOKEN');
	const answer = await request.post(url!, {
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		data: body!
	});
	expect(await answer.json()).toMatchObject({ error: null, id: 'curl', result: { height: 1 } });
});

test('wrong input is named at its field, nothing typed is lost, and as written it is forwarded', async ({
	page
}) => {
	await signIn(page);
	await open(page, 'tokeninfo');
	const tokenid = page.getByRole('textbox', { name: 'tokenid' });
	await tokenid.fill('not a token');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(tokenid).toHaveAttribute('aria-invalid', 'true');
	await expect(tokenid).toHaveAccessibleDescription(/64 hex digits/);
	await expect(tokenid).toHaveValue('not a token');
	await expect(page.getByText('Nothing was sent.')).toBeVisible();
	await page.getByText('Raw JSON parameters').click();
	const written = page.getByRole('textbox', { name: 'Parameter array' });
	await written.fill('["not a token"');
	await page.getByRole('button', { name: 'Raw call' }).click();
	await expect(written).toHaveAccessibleDescription(/This is not valid JSON/);
	await expect(written).toHaveValue('["not a token"');
	// The other form was not sent: the notice is at the faulty field, and its own field is not marked.
	const notice = page.getByText('Nothing was sent.');
	await expect(notice).toHaveCount(1);
	await expect(page.locator('form').filter({ has: written })).toContainText('Nothing was sent.');
	await expect(tokenid).not.toHaveAttribute('aria-invalid', 'true');
	await written.fill('["not a token"]');
	await page.getByRole('button', { name: 'Raw call' }).click();
	await expect(page.getByRole('alert').first()).toBeVisible();
	await expect(page.getByText('Raw text')).toBeVisible();
	await expect(written).toHaveValue('["not a token"]');
});

test('each way to write the parameters keeps what is typed and chosen when the other one is sent', async ({
	page
}) => {
	await signIn(page);
	await open(page, 'getblockhash');
	const height = page.getByRole('textbox', { name: 'height' });
	const written = page.getByRole('textbox', { name: 'Parameter array' });
	await height.fill('1');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(tree(page)).toBeVisible();
	await page.getByText('Raw JSON parameters').click();
	await page.getByLabel('Daemon').last().selectOption('BETA');
	await written.fill('[2]');
	await page.getByRole('button', { name: 'Raw call' }).click();
	await expect(page.getByRole('region', { name: 'the curl command' })).toContainText('[2]');
	await expect(height).toHaveValue('1');
	await expect(page.getByLabel('Daemon').first()).toHaveValue('ALPHA');
	await height.fill('3');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(page.getByRole('region', { name: 'the curl command' })).toContainText('[3]');
	await page.getByText('Raw JSON parameters').click();
	await expect(written).toHaveValue('[2]');
	await expect(page.getByLabel('Daemon').last()).toHaveValue('BETA');
});

test('what changes something is shown first: a transaction is decoded here before it is sent', async ({
	page,
	console
}) => {
	test.setTimeout(240_000);
	const { devnet } = console;
	await signIn(page);
	await open(page, 'tokencreate');
	await page.getByRole('textbox', { name: 'name' }).fill('BYHAND');
	await page.getByRole('textbox', { name: 'supply' }).fill('0.00000100');
	await page.getByRole('button', { name: 'Review call' }).click();
	await expect(page.getByText('["BYHAND","0.00000100"]')).toBeVisible();
	await expect(main(page)).toContainText(devnet.chains.get('ALPHA')!.pubkey);
	await page.getByRole('button', { name: 'Call tokencreate' }).click();
	const hex = /[0-9a-f]{200,}/.exec(await tree(page).innerText())![0];

	await open(page, 'sendrawtransaction');
	const field = page.getByRole('textbox', { name: 'hexstring' });
	await field.fill(`${hex.slice(0, 100)}`);
	await page.getByRole('button', { name: 'Review call' }).click();
	await expect(field).toHaveAttribute('aria-invalid', 'true');
	await field.fill(hex);
	await page.getByRole('button', { name: 'Review call' }).click();
	await expect(page.getByText('Sending a transaction is irreversible.')).toBeVisible();
	await expect(main(page)).toContainText('Creates the token BYHAND.');
	const before = await devnet.rpc<string[]>('ALPHA', 'getrawmempool');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.setViewportSize({ width: 1280, height: 860 });
	await page.getByRole('button', { name: 'Back to form' }).click();
	await expect(field).toHaveValue(hex);
	await page.getByRole('button', { name: 'Review call' }).click();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(tree(page)).toContainText(/[0-9a-f]{64}/);
	const txid = (await tree(page).innerText()).trim();
	expect(before).not.toContain(txid);
	expect(await devnet.rpc('ALPHA', 'getrawmempool')).toContain(txid);
	await devnet.control.mine('ALPHA');
});

test('it works without JavaScript, on a telephone and on a desk, and keeps a list of calls', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const page = await context.newPage();
	await signIn(page);
	for (const [width, height] of [
		[360, '1'],
		[1440, '2']
	] as const) {
		await page.setViewportSize({ width, height: 900 });
		await open(page, 'getblock');
		await page.getByRole('textbox', { name: 'hashOrHeight' }).fill(height);
		await page.getByLabel('verbosity').selectOption('1');
		await page.getByRole('button', { name: 'Call', exact: true }).click();
		await expect(tree(page)).toContainText(
			await console.devnet.rpc<string>('ALPHA', 'getblockhash', Number(height))
		);
		await expect(page.getByRole('textbox', { name: 'hashOrHeight' })).toHaveValue(height);
	}
	await page.goto('/console');
	const calls = page.getByRole('region', { name: 'History' });
	await expect(calls).toContainText('["2",1]');
	await calls.getByRole('link', { name: 'getblock' }).first().click();
	await expect(page.getByRole('textbox', { name: 'hashOrHeight' })).toHaveValue('2');
	await expect(page.getByLabel('verbosity')).toHaveValue('1');
	await page.goto('/console');
	await page.getByRole('button', { name: 'Clear history' }).click();
	await expect(page.getByText('No calls yet')).toBeVisible();
	await context.close();
});

test('a visitor has no console, and the pages are as accessible as the others', async ({
	page,
	request
}) => {
	test.setTimeout(240_000);
	const closed = await request.get('/console', { maxRedirects: 0 });
	expect([302, 303, 401]).toContain(closed.status());
	await signIn(page);
	await page.goto('/console');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await open(page, 'getinfo');
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(tree(page)).toContainText('ALPHA');
	await unfold(page);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await open(page, 'signrawtransaction');
	await unfold(page);
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('the description of the RPC API is served with a mark, and known ones are not sent again', async ({
	page
}) => {
	interface Description {
		methods: unknown[];
		servers: { url: string }[];
	}
	const { request } = page;
	const open = (await (await request.get('/api/openrpc.json')).json()) as Description;
	expect(open.methods.length).toBeGreaterThan(100);
	expect(open.servers).toEqual([]);
	await signIn(page);
	const answer = await request.get('/api/openrpc.json');
	const document = (await answer.json()) as Description;
	expect(document.methods).toEqual(open.methods);
	expect(document.servers.map(({ url }) => url)).toContain('/api/rpc/ALPHA');
	const again = await request.get('/api/openrpc.json', {
		headers: { 'if-none-match': answer.headers()['etag']! }
	});
	expect(again.status()).toBe(304);
});

test('a method of the trading node is found, called and asked about, and a PIN stays nowhere', async ({
	page,
	request
}) => {
	await signIn(page);
	await page.goto('/console?q=active+coins');
	await main(page)
		.getByRole('link', { name: /^get_enabled_coins Tickers/ })
		.click();
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(tree(page)).toContainText('coins');
	await expect(page.getByTestId('time')).toContainText(/\d ms$/);
	await page.getByText('Raw text').click();
	await expect(page.getByRole('region', { name: 'Raw text' })).toContainText('"mmrpc":"2.0"');
	const line = await page.getByRole('region', { name: 'the curl command' }).innerText();
	const [, body] = /--data-binary '([^']*)'/.exec(line) ?? [];
	const [, url] = /'(http[^']*)'$/.exec(line.trim()) ?? [];
	await page.goto('/account');
	await page.getByLabel('API token name').fill('curl of the node');
	await page.getByRole('button', { name: 'Create API token' }).click();
	const token = await page.getByTestId('new-token').innerText();
	const answer = await request.post(url!, {
		headers: { authorization: `Bearer ${token}` },
		data: body!
	});
	expect(await answer.json()).toMatchObject({ mmrpc: '2.0', result: { coins: [] } });

	// Errors are shown at their field; a call that changes something is shown again for confirmation.
	await page.goto('/console/kdf/disable_coin');
	await page.getByRole('button', { name: 'Review call' }).click();
	const coin = page.getByRole('textbox', { name: 'coin' });
	await expect(coin).toHaveAccessibleDescription(/This parameter is required/);
	await coin.fill('KMD');
	await page.getByRole('button', { name: 'Review call' }).click();
	await expect(page.getByText('Nothing has been called yet.')).toBeVisible();
	await page.getByRole('button', { name: 'Call disable_coin' }).click();
	await expect(page.getByRole('alert').first()).toContainText('No such coin: KMD');
	expect(await complaintsEveryWay(page)).toEqual([]);

	const canary = '918273645918273645918';
	await page.goto('/console/kdf/task%3A%3Aenable_utxo%3A%3Auser_action?example');
	await expect(page.getByText('Secrets are sent to the trading node only')).toBeVisible();
	await page
		.getByRole('textbox', { name: 'user_action' })
		.fill(`{"action_type":"TrezorPin","pin":"${canary}"}`);
	await page.getByRole('button', { name: 'Call', exact: true }).click();
	await expect(page.getByRole('alert').first()).toContainText("No such task '0'");
	expect(await page.content()).not.toContain(canary);
	await page.goto('/console');
	const row = page.getByRole('table', { name: 'Calls, newest first' }).getByRole('row').nth(1);
	await expect(row).toContainText('user_action');
	await expect(row).toContainText('not saved');
	expect(await page.content()).not.toContain(canary);
});

test('the answer to a call is announced, and seen on a telephone where it stands above the form', async ({
	page
}) => {
	await page.setViewportSize({ width: 360, height: 640 });
	await signIn(page);
	await page.goto('/console/getblock');
	await page.getByLabel('hashOrHeight').fill('12');
	await page.getByLabel('verbosity').selectOption({ index: 1 });
	const button = page.getByRole('button', { name: 'Call', exact: true });
	for (const place of ['KMD', 'ALPHA']) {
		await page.getByLabel('Daemon').first().selectOption(place);
		await button.click();
		const said = new RegExp(`^Answer of ${place}: [\\d\\s]+ bytes in`);
		await expect(page.getByRole('status').filter({ hasText: said })).toHaveCount(1);
		await expect(page.getByRole('heading', { name: `Answer of ${place}` })).toBeInViewport();
		await expect(button).toBeFocused();
	}
});
