/**
 * A coin on the trading node: activation, also with a hardware wallet and its PIN, a signed message, and the
 * verification of the signature by the recipient of a link.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import bitcoinMessage from 'bitcoinjs-message';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { signMessage } from '#lib/chain/message.ts';
import { complaintsEveryWay } from './support/axe.ts';
import {
	addMember,
	expect,
	signIn,
	submit,
	test,
	type Console,
	type Profile
} from './support/console.ts';
import { picture } from './support/picture.ts';

const MESSAGE = 'Komodeck runs node 7 — grüße\nsecond line';
/** Positions of the pad's buttons, as members see them. */
const PLACES: Readonly<Record<string, string>> = {
	7: 'top left',
	8: 'top middle',
	9: 'top right',
	4: 'middle left',
	5: 'center',
	6: 'middle right',
	1: 'bottom left',
	2: 'bottom middle',
	3: 'bottom right'
};

async function signedIn(
	browser: Browser,
	console: Console,
	person?: { name: string; password: string }
) {
	const context = await browser.newContext({ baseURL: console.url });
	const page = await context.newPage();
	await signIn(page, person);
	return page;
}

async function press(page: Page, positions: string): Promise<void> {
	for (const key of positions) {
		await page.getByRole('button', { name: PLACES[key]!, exact: true }).click();
	}
	await page.getByRole('button', { name: 'Send to the device' }).click();
}

test('a coin is found, activated and signs a message that anybody verifies by a link', async ({
	page,
	console,
	browser
}) => {
	test.setTimeout(240_000);
	await signIn(page);
	await page.goto('/');
	await page
		.getByRole('navigation', { name: 'Chains and tools' })
		.getByRole('link', { name: 'Coins' })
		.click();
	await page.getByRole('searchbox', { name: 'Ticker or name' }).fill('komodo');
	await page.getByRole('button', { name: 'Filter' }).click();
	const coins = page.getByRole('table', { name: 'Coins of the trading node' });
	await expect(coins.getByRole('row', { name: /^KMD / })).toContainText('Inactive');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await coins.getByRole('link', { name: 'KMD' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('KMD');
	expect(await complaintsEveryWay(page)).toEqual([]);

	// Servers are tested on request; other settings are collapsed.
	await expect(page.getByRole('textbox', { name: 'Max. connections' })).toBeHidden();
	await page.getByRole('button', { name: 'Test servers' }).click();
	await expect(page.getByRole('checkbox', { name: /\(TCP\)$/ })).toHaveAccessibleDescription(
		/^Online, \d+ ms, block \d/
	);

	await console.devnet.control.kdfTasks({ hold: true });
	await page.getByRole('button', { name: 'Activate KMD' }).click();
	await expect(page.getByRole('main')).toContainText('In progress');
	const servers = page.getByRole('table', { name: 'Server test results' });
	await expect(servers.getByRole('row')).toHaveCount(3);
	await expect(servers).toContainText('Online');
	// The task continues without the browser's page and without the console.
	const task = page.url();
	await console.crashAndRestart();
	await page.goto(task);
	await expect(page.getByRole('main')).toContainText('Activating the coin');
	await console.devnet.control.kdfTasks({ hold: false });
	await expect(page.getByText('KMD is active', { exact: true })).toBeVisible();
	const balances = page.getByRole('table', { name: 'Balances at the activation' });
	await expect(balances).toContainText(' KMD');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.goto('/kdf?state=active');
	await expect(page.getByRole('row', { name: /^KMD / })).toContainText(/\d\s+KMD\s*Active/);
	await page.goto('/kdf/KMD');
	await expect(page.getByText('No history kept')).toBeVisible();

	// A link to an inactive coin is not shown as another coin.
	await page.goto('/kdf/sign?coin=LTC');
	await expect(page.getByRole('combobox', { name: 'Coin' })).toHaveValue('');
	await page.goto('/kdf');
	await page.getByRole('link', { name: 'Sign a message' }).click();
	await page.getByRole('textbox', { name: 'Message' }).fill(MESSAGE);
	await page.getByRole('button', { name: 'Continue' }).click();
	const main = page.getByRole('main');
	await expect(main).toContainText('This trading node has one key for all coins.');
	const address = await page.locator('input[name="address"]').inputValue();
	expect(address).toMatch(/^R/);
	await page.getByRole('button', { name: 'Sign message' }).click();
	await expect(page.getByText('Message signed')).toBeVisible();
	await expect(page.getByRole('img', { name: 'Signature as QR code' })).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await picture(page, 'signed-message', 'phone');
	const signature = await page.getByRole('region', { name: 'the signature' }).innerText();
	expect(bitcoinMessage.verify(MESSAGE, address, signature, '\u0017Komodo Signed Message:\n')).toBe(
		true
	);

	// Typing a message for the next signature does not change the displayed one.
	await page.getByRole('textbox', { name: 'Message' }).fill('the next message');
	const signed = page.getByRole('definition').filter({ hasText: 'Komodeck runs node 7' });
	await expect(signed).toHaveCount(1);
	await expect(page.getByRole('definition').filter({ hasText: 'the next message' })).toHaveCount(0);

	const link = await page.getByRole('region', { name: 'the link' }).innerText();
	const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
	await visitor.goto(link);
	await expect(visitor.getByText('Valid signature')).toBeVisible();
	await visitor.getByRole('textbox', { name: 'Message' }).fill('Komodeck runs node 8');
	await visitor.getByRole('button', { name: 'Verify' }).click();
	await expect(visitor.getByText('Invalid signature')).toBeVisible();
	await visitor.getByRole('textbox', { name: 'Signature' }).fill('no signature');
	await visitor.getByRole('button', { name: 'Verify' }).click();
	await expect(visitor.getByRole('textbox', { name: 'Signature' })).toHaveAccessibleDescription(
		/base64 text of 88 characters/
	);
	await visitor.context().close();
});

test('a message that is longer than those that are signed here is verified whole', async ({
	page,
	browser,
	console
}) => {
	const key = new Uint8Array(32).fill(7);
	const message = 'Nothing of it is left out. '.repeat(100);
	const query = new URLSearchParams({
		coin: 'KMD',
		address: addressOfPubkey(bytesToHex(publicKeyOf(key))),
		message,
		signature: signMessage('Komodo Signed Message:\n', message, key)
	});
	const verified = await (await page.request.get(`/kdf/verify?${query}`)).text();
	expect(verified).toContain('Valid signature');
	expect(verified).toContain(message);

	// The typed text may be longer than an address can be, but no address contains it.
	const long = 'Nothing of it is left out. '.repeat(1_500);
	const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
	for (const by of [page, visitor]) {
		await by.goto(new URL('/kdf/verify', console.url).href);
		await by.getByLabel('Coin').selectOption('KMD');
		await by.getByRole('textbox', { name: 'Address' }).fill(query.get('address')!);
		await by.getByRole('textbox', { name: 'Message' }).fill(long);
		const made = signMessage('Komodo Signed Message:\n', long, key);
		await by.getByRole('textbox', { name: 'Signature' }).fill(made);
		await by.getByRole('button', { name: 'Verify' }).click();
		await expect(by.getByText('Valid signature')).toBeVisible();
		await expect(by.getByRole('textbox', { name: 'Message' })).toHaveValue(long);
		expect(new URL(by.url()).search).toBe('');
		await expect(by.getByRole('link', { name: 'Link to this result' })).toHaveCount(0);
		await by.getByRole('textbox', { name: 'Message' }).fill('Another text');
		await by.getByRole('button', { name: 'Verify' }).click();
		await expect(by.getByText('Invalid signature')).toBeVisible();
		await by.getByRole('link', { name: 'Link to this result' }).click();
		await expect(by).toHaveURL(/message=Another\+text/);
		await expect(by.getByText('Invalid signature')).toBeVisible();
	}
	await visitor.context().close();
});

test('what only an admin may begin is begun again by no operator', async ({
	page,
	console,
	browser,
	profile
}) => {
	await signIn(page);
	const post = (by: Page, path: string, form: Record<string, string>) =>
		by.request.post(path, { form, headers: { accept: 'text/html', origin: console.url } });
	// A server that is in no list.
	const begun = await post(page, '/kdf/GAMMA?/activate', {
		free_servers: '127.0.0.1:9',
		required_confirmations: '1',
		address_format: 'standard'
	});
	const { pathname: task } = new URL(begun.url());
	expect(task).toMatch(/^\/kdf\/tasks\//);
	await page.goto(task);
	await expect(page.getByRole('main')).toContainText('Failed');
	const person = await addMember(console, { name: `otto-${profile}`, role: 'operator' });
	const operator = await signedIn(browser, console, person);
	const refused = await post(operator, `${task}?/repeat`, {});
	expect(refused.status()).toBe(403);
	expect(await refused.text()).toContain('are for admins');
	expect(new URL((await post(page, `${task}?/repeat`, {})).url()).pathname).not.toBe(task);
	await operator.context().close();
});

test('whoever may not activate is sent no address of a server, in which a key may stand', async ({
	page,
	console,
	browser,
	profile
}) => {
	const coins = JSON.parse(
		readFileSync(join(console.devnet.dir, 'coins_config.json'), 'utf8')
	) as Record<string, { electrum?: { url: string }[]; nodes?: { url: string }[] }>;
	await signIn(page);
	const person = await addMember(console, { name: `vera-${profile}`, role: 'viewer' });
	const viewer = await signedIn(browser, console, person);
	for (const [ticker, { url }] of [
		['GAMMA', coins['GAMMA']!.electrum![0]!],
		['ETH', coins['ETH']!.nodes![0]!]
	] as const) {
		const textFor = async (by: Page) => (await by.request.get(`/kdf/${ticker}`)).text();
		expect(await textFor(page)).toContain(url);
		const shown = await textFor(viewer);
		expect(shown).toContain(ticker);
		expect(shown).not.toContain(url);
	}
	// Nor on the page of an activation, whose servers an admin may have entered.
	const named = 'electrum.team.invalid:50001';
	const begun = await page.request.post('/kdf/GAMMA?/activate', {
		form: { free_servers: named, required_confirmations: '1', address_format: 'standard' },
		headers: { accept: 'text/html', origin: console.url }
	});
	const { pathname } = new URL(begun.url());
	await page.goto(pathname);
	await expect(page.getByRole('table', { name: 'Server test results' })).toContainText(named);
	await viewer.goto(pathname);
	await expect(viewer.getByRole('table', { name: 'Server test results' })).toContainText(
		'Server 1'
	);
	expect(await viewer.content()).not.toContain('team.invalid');
	await page.request.post(`${pathname}?/cancel`, {
		form: {},
		headers: { accept: 'text/html', origin: console.url }
	});
	await viewer.context().close();
});

test('an active coin shows what it holds and who may do what, also when it was activated elsewhere', async ({
	page,
	console,
	browser,
	profile
}) => {
	test.setTimeout(240_000);
	const { node, control } = console.devnet;
	const elsewhere = await fetch(node.url, {
		method: 'POST',
		body: JSON.stringify({
			userpass: node.password,
			method: 'electrum',
			coin: 'ALPHA',
			servers: node.coins['ALPHA']!.electrum,
			mm2: 1,
			tx_history: true
		})
	});
	const { address, balance } = (await elsewhere.json()) as { address: string; balance: string };
	await signIn(page);
	await page.goto('/kdf/ALPHA');
	const main = page.getByRole('main');
	await expect(main).toContainText(`${balance} ALPHA`);
	await expect(main).toContainText(address);
	await expect(page.getByRole('img', { name: 'Address for ALPHA as QR code' })).toBeVisible();
	await expect(page.getByRole('table', { name: 'Transactions of ALPHA' })).toContainText('+');
	await expect(main).toContainText('Activated elsewhere: the node does not report it.');
	await expect(page.getByRole('button', { name: 'Activate ALPHA' })).toBeHidden();
	expect(await complaintsEveryWay(page)).toEqual([]);
	const none = await page.request.get('/kdf/BETA/addresses.csv');
	expect([none.status(), await none.text()]).toEqual([
		404,
		expect.stringMatching(/BETA is not active/)
	]);
	const file = await (await page.request.get('/kdf/ALPHA/addresses.csv')).text();
	expect(file).toBe(
		`address,chain,path,ticker,spendable,unspendable\r\n${address},,,ALPHA,${balance},0\r\n`
	);

	await page.getByText('Change what swaps wait for').click();
	const confirmations = page.getByRole('textbox', { name: 'Required confirmations' }).first();
	await confirmations.fill('many');
	await page.getByRole('button', { name: 'Change', exact: true }).click();
	await expect(confirmations).toHaveAccessibleDescription(/whole number/);
	await confirmations.fill('7');
	await page.getByRole('button', { name: 'Change', exact: true }).click();
	await expect(page.getByText('Swaps of ALPHA now wait for 7 confirmations')).toBeVisible();

	// Another member sees the same and cannot change it.
	const person = await addMember(console, { name: `olga-${profile}`, role: 'operator' });
	const olga = await signedIn(browser, console, person);
	await olga.goto('/kdf/ALPHA');
	await expect(olga.getByRole('main')).toContainText(`${balance} ALPHA`);
	await expect(olga.getByRole('button', { name: 'Disable ALPHA' })).toHaveCount(0);
	for (const act of ['disable', 'swaps']) {
		const answer = await olga.request.post(`/kdf/ALPHA?/${act}`, {
			headers: { origin: console.url },
			form: { confirmations: '1' }
		});
		expect(answer.status(), act).toBe(403);
	}

	// Her limit for signatures stops the second one.
	await page.goto('/admin/policies/limits');
	await page.getByRole('combobox', { name: 'Member' }).selectOption({ label: person.name });
	await page.getByRole('combobox', { name: 'Type' }).selectOption('sign');
	await page.getByRole('textbox', { name: /^Max. transactions/ }).fill('1');
	await submit(page.getByRole('button', { name: 'Set limit' }));
	// A request that never reached the node does not count.
	for (const said of ['is offline', 'Message signed', 'Nothing was signed.']) {
		await olga.goto('/kdf/ALPHA');
		await olga.getByRole('link', { name: 'Sign a message' }).click();
		await olga.getByRole('textbox', { name: 'Message' }).fill('hello');
		await olga.getByRole('button', { name: 'Continue' }).click();
		const sign = olga.getByRole('button', { name: 'Sign message' });
		await expect(sign).toBeVisible();
		if (said === 'is offline') await control.kdfFault('down');
		await sign.click();
		await expect(olga.getByRole('main')).toContainText(said);
		await control.kdfFault('none');
	}
	await olga.context().close();

	// In read-only mode nothing can be disabled.
	const card = page.locator('#read-only');
	await page.goto('/admin/safety');
	await card.getByRole('textbox').fill('an incident');
	await submit(card.getByRole('button'));
	const disable = async (): Promise<void> => {
		await page.goto('/kdf/ALPHA');
		await page.getByText('Disable', { exact: true }).click();
		await page.getByRole('button', { name: 'Disable ALPHA' }).click();
	};
	await disable();
	await expect(page.getByRole('alert')).toContainText('was made read-only by ada');
	await page.goto('/admin/safety');
	await submit(card.getByRole('button', { name: /^(Unfreeze|Turn off)/ }));

	// The list shows balances and filters by them; a slow server delays no page.
	await page.goto('/kdf?balance=some');
	const coins = page.getByRole('table', { name: 'Coins of the trading node' });
	await expect(coins.getByRole('row', { name: /^ALPHA / })).toContainText(`${balance} ALPHA`);
	await control.electrum('ALPHA', { latency: 20_000 });
	await disable();
	await expect(page.getByText('ALPHA is not active any more.')).toBeVisible();
	await control.electrum('ALPHA', { latency: 0 });
	await page.goto('/kdf?balance=some');
	await expect(coins.getByRole('row', { name: /^ALPHA / })).toHaveCount(0);
});

test('a shielded coin is read through both kinds of servers, from where it is told, and shows how far it is', async ({
	page,
	console
}) => {
	const { control } = console.devnet;
	await signIn(page);
	await page.goto('/kdf/ZOMBIE');
	const main = page.getByRole('main');
	expect(await complaintsEveryWay(page)).toEqual([]);
	const light = page.getByRole('checkbox', { name: /^http:\/\/127\.0\.0\.1/ });
	await page.getByRole('button', { name: 'Test servers' }).click();
	await expect(light).toHaveAccessibleDescription(/Online, .* block/);
	await light.uncheck();
	const date = page.getByLabel('Date', { exact: true });
	await expect(date).toBeHidden();
	await page.getByRole('combobox', { name: 'Read the chain from' }).selectOption('date');
	await page.getByRole('button', { name: 'Activate ZOMBIE' }).click();
	await expect(date).toHaveAccessibleDescription(/Enter the date/);
	await expect(main).toContainText('Choose at least one lightwalletd server');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await light.check();
	await date.fill('2024-01-01');

	await control.kdfTasks({ paceMs: 1_000 });
	await page.getByRole('button', { name: 'Activate ZOMBIE' }).click();
	await expect(page.getByRole('progressbar', { name: 'Blocks read' })).toBeVisible();
	await expect(main).toContainText(/(Reading blocks|Building the wallet): block \d+ of \d+/);
	await control.kdfTasks({ paceMs: 60 });
	await expect(page.getByText('ZOMBIE is active', { exact: true })).toBeVisible();
	await expect(main).toContainText('Read from block');
	await expect(page.getByRole('table', { name: 'Server test results' })).toContainText('gRPC');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('link', { name: 'Open ZOMBIE' }).click();
	await expect(main).toContainText(/zs1[0-9a-z]+/);
	await expect(main).toContainText('0 ZOMBIE');
	await expect(page.getByRole('img', { name: 'Address for ZOMBIE as QR code' })).toBeVisible();
	await page.getByText('Activate again with other settings').click();
	await expect(date).toHaveValue('2024-01-01');

	// Without the proving keys on the node's disk the page says what to do.
	await page.getByText('Disable', { exact: true }).click();
	await page.getByRole('button', { name: 'Disable ZOMBIE' }).click();
	await expect(page.getByText('ZOMBIE is not active any more.')).toBeVisible();
	await control.zcashParams(false);
	await page.goto('/kdf/ZOMBIE');
	await page.getByRole('button', { name: 'Activate ZOMBIE' }).click();
	await expect(page.getByRole('alert')).toContainText('Run fetch-params');
	await control.zcashParams(true);
});

/** Makes the node ask for the PIN: a released one when the device is set up, the document's with a coin. */
async function askForPin(page: Page, { devnet }: Console, profile: Profile): Promise<void> {
	if (profile === 'fast') {
		await page.goto('/kdf/BETA?method=task%3A%3Aenable_utxo');
		await page.getByText('Advanced', { exact: true }).click();
		await page.getByRole('combobox', { name: 'Sign with' }).selectOption('hardware');
		await page.getByRole('button', { name: 'Activate BETA' }).click();
		await page.getByRole('button', { name: 'Connect hardware wallet' }).click();
		return;
	}
	await page.goto('/kdf/BCH');
	await page.getByText('Advanced', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Sign with' }).selectOption('hardware');
	await page.getByRole('button', { name: 'Activate BCH' }).click();
	await expect(page.getByRole('main')).toContainText('Waiting for the hardware wallet: plug it in');
	await devnet.control.device({ plugged: true });
}

test('one person gives the PIN while another sees who does, and nothing of it stays', async ({
	console,
	browser,
	profile
}) => {
	test.setTimeout(240_000);
	const ada = await signedIn(browser, console);
	const ben = await signedIn(
		browser,
		console,
		await addMember(console, { name: 'ben', role: 'operator' })
	);
	// Settings for admins are neither offered to an operator nor accepted from one.
	await ben.goto('/kdf/GAMMA');
	await expect(ben.getByRole('button', { name: 'Activate GAMMA' })).toBeVisible();
	await expect(ben.getByRole('textbox', { name: 'More servers' })).toHaveCount(0);
	for (const act of ['/kdf/KMD?/disable', '/kdf/KMD?/import', '/kdf?/confirm']) {
		const answer = await ben.request.post(act, {
			headers: { origin: console.url },
			form: { force: 'yes' }
		});
		expect(answer.status(), act).toBe(403);
	}
	expect((await ben.request.get('/kdf/servers')).status()).toBe(403);
	await askForPin(ada, console, profile);
	const pad = ada.getByRole('button', { name: 'Enter PIN' });
	await expect(pad).toBeVisible();
	await ben.goto(ada.url());
	await pad.click();
	await expect(ada.getByRole('group', { name: 'Positions on the device' })).toBeVisible();
	await expect(ada.getByRole('main')).toContainText(/Time left: [49] min \d\d s/);
	await expect(ben.getByRole('main')).toContainText('ada is entering the PIN.');
	await expect(ben.getByRole('group', { name: 'Positions on the device' })).toHaveCount(0);
	expect(await complaintsEveryWay(ada)).toEqual([]);
	await picture(ada, 'pin-pad', 'phone');

	// A wrong PIN that is long enough to be found in other data; typed with the keyboard, like numeric keys.
	const canary = '918273645918273645918273645';
	await ada.locator('h1').click();
	for (const key of canary) await ada.keyboard.press(key);
	const answered = ada.waitForResponse((answer) => answer.request().method() === 'POST');
	await ada.getByRole('button', { name: 'Send to the device' }).click();
	const answer = await answered;
	expect(await answer.text()).not.toContain(canary);
	await expect(
		ada.getByText('The device rejected the PIN.', { exact: false }).first()
	).toBeVisible();
	await expect(ada.getByRole('group', { name: 'Positions on the device' })).toHaveCount(0);
	await expect(ben.getByRole('main')).toContainText('Failed');
	expect(await ada.content()).not.toContain(canary);
	expect(await complaintsEveryWay(ada)).toEqual([]);

	await ada.getByRole('button', { name: 'Start again' }).click();
	await ada.getByRole('button', { name: 'Enter PIN' }).click();
	await expect(ada.getByRole('main')).toContainText('Attempt 2.');
	const { device } = await console.devnet.control.node();
	await press(ada, device.positions ?? '');
	const done = profile === 'fast' ? 'Hardware wallet connected' : 'BCH is active';
	await expect(ada.getByText(done, { exact: true })).toBeVisible();
	// The device was connected for a coin, and the page leads back to it.
	if (profile === 'fast') {
		await ada.getByRole('button', { name: 'Activate BETA' }).click();
		await expect(ada.getByRole('heading', { level: 1 })).toHaveText('Activation of BETA');
	}
	const kept = readdirSync(console.dataDir, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
	expect(kept.length).toBeGreaterThan(0);
	expect(kept.some((text) => text.includes(canary))).toBe(false);
	await ada.context().close();
	await ben.context().close();
});

test('in a wallet of many addresses accounts are shown, and either form of a path names the address that signs', async ({
	page,
	console
}) => {
	await console.devnet.control.restartNode({ hd: true });
	await signIn(page);
	await page.goto('/kdf/KMD?method=task%3A%3Aenable_utxo');
	await page.getByRole('button', { name: 'Activate KMD' }).click();
	await expect(page.getByText('KMD is active', { exact: true })).toBeVisible();
	const accounts = page.getByRole('table', { name: 'Accounts of the wallet' });
	await expect(accounts.getByRole('row')).toHaveCount(2);
	await expect(accounts).toContainText("m/44'/141'/0'");
	await expect(page.getByRole('table', { name: 'Balances at the activation' })).toContainText(
		"m/44'/141'/0'/0/0"
	);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('link', { name: 'Open KMD' }).click();
	const addresses = page.getByRole('table', { name: 'Addresses of the account' });
	await expect(addresses).toContainText("m/44'/141'/0'/0/0");
	await expect(addresses).toContainText('External');
	await expect(page.getByRole('img', { name: 'Address for KMD as QR code' })).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	const csv = await page.request.get('/kdf/KMD/addresses.csv?account=0');
	expect(csv.headers()['content-disposition']).toContain('"KMD-addresses-0.csv"');
	expect(await csv.text()).toContain(",External,m/44'/141'/0'/0/0,KMD,");
	await page.goto('/kdf/KMD?account=7');
	await expect(page.getByRole('main')).toContainText('does not have an account with this number');

	const path = page.getByRole('textbox', { name: 'Path of the address' });
	const number = page.getByRole('textbox', { name: 'Address index' });
	const show = page.getByRole('button', { name: 'Continue' });
	const begin = async (): Promise<void> => {
		await page.goto('/kdf/sign?coin=KMD');
		await page.getByRole('textbox', { name: 'Message' }).fill(MESSAGE);
		// Collapsed, unless a path was entered before.
		await page.locator('details:has([name="path"])').evaluate((fold: HTMLDetailsElement) => {
			fold.open = true;
		});
	};
	const signer = page.locator('input[name="address"]');
	await begin();
	// Path and number contradict each other; then the path is one of another coin.
	await path.fill("m/44'/141'/0'/0/1");
	await number.fill('2');
	await show.click();
	await expect(path).toHaveAccessibleDescription(/name m\/44'\/141'\/0'\/0\/2/);
	await expect(path).toHaveValue("m/44'/141'/0'/0/1");
	await number.fill('');
	await show.click();
	const address = await signer.inputValue();
	expect(address).toMatch(/^R/);
	await begin();
	await page.getByRole('textbox', { name: 'Account' }).fill('0');
	await number.fill('1');
	await show.click();
	await expect(page.getByRole('main')).toContainText("m/44'/141'/0'/0/1");
	expect(await signer.inputValue()).toBe(address);
	await page.getByRole('button', { name: 'Sign message' }).click();
	await expect(page.getByText('Message signed')).toBeVisible();
	const signature = await page.getByRole('region', { name: 'the signature' }).innerText();
	expect(bitcoinMessage.verify(MESSAGE, address, signature, '\u0017Komodo Signed Message:\n')).toBe(
		true
	);
	await page.getByRole('link', { name: 'Verify', exact: true }).click();
	await expect(page.getByText('Valid signature')).toBeVisible();

	// An address that the wallet does not list is listed first; its account is created for it, too.
	await begin();
	await path.fill("m/44'/141'/4'/1/1");
	await show.click();
	const main = page.getByRole('main');
	await expect(main).toContainText('the wallet has no account 4 yet');
	await expect(main).toContainText('This adds 2 addresses to account 4');
	expect(await signer.inputValue()).toBe('');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('button', { name: 'List address' }).click();
	await expect(page.getByRole('button', { name: 'Sign message', exact: true })).toBeVisible();
	const listed = await signer.inputValue();
	expect(listed).toMatch(/^R/);
	await page.getByRole('button', { name: 'Sign message', exact: true }).click();
	await expect(page.getByText('Message signed')).toBeVisible();
	const other = await page.getByRole('region', { name: 'the signature' }).innerText();
	expect(bitcoinMessage.verify(MESSAGE, listed, other, '\u0017Komodo Signed Message:\n')).toBe(
		true
	);
	// A path that is too far away is shown as unknown.
	await begin();
	await path.fill("m/44'/141'/0'/0/5000");
	await show.click();
	await expect(main).toContainText('Not known before signing');
	await expect(page.getByRole('button', { name: 'List address' })).toHaveCount(0);
});

/** Other test files expect the node as it was started. */
test.afterAll(async ({ console }) => {
	await console.devnet.control.restartNode({ hd: false });
});
