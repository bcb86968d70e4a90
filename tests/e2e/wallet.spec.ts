/** The wallet of a daemon: its balance, receiving and sending, and the rights to see and use it. */
import type { Browser, Page } from '@playwright/test';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { addAccount } from '#lib/server/access/accounts/accounts.ts';
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { withAuth } from '../../src/cli/withAuth.ts';
import { complaints, unfold } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';

test.use({ apart: 'coins' });
test.describe.configure({ mode: 'serial' });

/** Addresses that belong to no wallet here. */
const TO = ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', 'R9vME8mUyeranLhysQr1Yzpqj5taHW4Ubu'] as const;
const OLGA = { name: 'olga', password: 'a long enough password' };

/** Grants olga these wallets, and sets how many coins she may send within a day; null: no limit. */
async function olgaMay(
	{ dataDir }: Console,
	daemons: readonly string[],
	coins: bigint | null
): Promise<void> {
	await withAuth({ KOMODECK_DATA: dataDir }, async ({ audit }, db) => {
		const wallets = createWallets(db, audit);
		const known = await wallets.userOf(OLGA.name);
		const id =
			known?.id ??
			(await db.transaction().execute(async (trx) => {
				const added = await addAccount(trx, { ...OLGA, role: 'operator' });
				await audit.append({ actor: 'a test', action: 'account.added', target: added.name }, trx);
				return added.id;
			}));
		await wallets.set(null, id, { every: false, daemons });
		const most = { count: null, amount: coins };
		await createLimits(db, audit).set(null, { account: id, chain: '*', kind: 'coin-send', most });
	});
}

async function asOlga(browser: Browser, { url }: Console): Promise<Page> {
	const page = await (await browser.newContext({ baseURL: url })).newPage();
	await signIn(page, OLGA);
	return page;
}

const main = (page: Page) => page.getByRole('main');
/** A card by its heading. */
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function typePayment(page: Page, recipient: string, amount: string): Promise<void> {
	await page.goto('/wallets/ALPHA/send');
	await page.getByLabel('Recipient', { exact: true }).fill(recipient);
	await page.getByLabel('Amount', { exact: true }).fill(amount);
}

test('a wallet that takes its daemon long to list is not called empty, and is consolidated', async ({
	page,
	console
}) => {
	await signIn(page);
	const slow = { method: 'listunspent', ms: 2_000 };
	await console.devnet.control.fault('BETA', 'latency', slow);
	try {
		await page.goto('/wallets/BETA/send');
		await expect(main(page).getByText('has not answered in time')).toBeVisible();
		await expect(main(page).getByText('Available: not reported by the daemon')).toBeVisible();
		await page.goto('/wallets/BETA/consolidate');
		await expect(main(page).getByText('Wallet unavailable')).toBeHidden();
		await main(page).getByRole('button', { name: 'Review consolidation' }).click();
		await page.waitForURL(/\/transactions\/[\w-]+$/);
		await expect(main(page).getByRole('heading', { level: 1 })).toContainText(/onsolidat/);
		// The outputs that the review locks cannot be shown now, but the daemon builds all the same.
		await page.goto('/chains/BETA/tokens/new');
		await expect(main(page).getByText('not reported by the daemon')).toBeVisible();
		await expect(main(page).getByLabel('Name', { exact: true })).toBeVisible();
	} finally {
		await console.devnet.control.fault('BETA', 'none');
	}
});

test('a wallet with too many outputs to list shows its balance, where it receives, and how to make them fewer', async ({
	page,
	console
}) => {
	await signIn(page);
	const own = addressOfPubkey(console.devnet.chains.get('GAMMA')!.pubkey);
	const { balance } = await console.devnet.rpc<{ balance: number }>('GAMMA', 'getwalletinfo');
	expect(balance).toBeGreaterThan(0);
	await console.devnet.control.fault('GAMMA', 'flood', { method: 'listunspent' });
	try {
		await page.goto('/wallets/GAMMA');
		await expect(card(page, 'Receive')).toContainText(own);
		await expect(page.locator('[data-balance="told"]')).toContainText(/[1-9]/);
		await expect(page.locator('[data-balance="available"]')).toBeHidden();
		await expect(main(page).getByText('No UTXOs')).toBeHidden();
		expect(await complaints(page)).toEqual([]);
		await page.goto('/wallets');
		const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'GAMMA' }) });
		await expect(row.first()).not.toContainText('Not available');
		await page.goto('/wallets/GAMMA');
		await main(page).getByRole('link', { name: 'Consolidate UTXOs' }).last().click();
		await page.waitForURL('/wallets/GAMMA/consolidate');
	} finally {
		await console.devnet.control.fault('GAMMA', 'none');
	}
});

test('the list of wallets says which balance is only the last known one', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/wallets');
	await expect(main(page).getByText('last known data')).toHaveCount(0);
	await console.devnet.control.fault('GAMMA', 'down');
	try {
		await expect(async () => {
			await page.goto('/wallets');
			await expect(main(page).getByText(/GAMMA .*Showing the last known data/)).toHaveCount(1);
		}).toPass();
		const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'GAMMA' }) });
		await expect(row.first()).toContainText(/\d\.\d{8}/);
	} finally {
		await console.devnet.control.fault('GAMMA', 'none');
	}
});

test('a chosen output that was locked meanwhile stays chosen without scripts, until it is given up', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({ baseURL: console.url, javaScriptEnabled: false });
	const page = await context.newPage();
	await signIn(page);
	const own = addressOfPubkey(console.devnet.chains.get('ALPHA')!.pubkey);
	await typePayment(page, own, 'much');
	await page.getByText('Coin control: choose UTXOs').first().click();
	const box = page.locator('input[name="utxos"]').first();
	const name = await box.inputValue();
	await box.check();
	// Another member's review locks it.
	const review = await page.request.post('/wallets/ALPHA/send', {
		headers: { origin: console.url, accept: 'text/html' },
		form: { recipient: own, amount: '0.001', more: '', rate: '', utxos: name },
		maxRedirects: 0
	});
	expect(review.status()).toBe(303);
	const send = page.getByRole('button', { name: 'Review payment' });
	await send.click();
	const kept = page.locator(`input[name="utxos"][value="${name}"]`);
	await expect(main(page)).toContainText(`${name} is not among these UTXOs any more.`);
	await expect(kept).toBeChecked();
	await page.getByLabel('Amount', { exact: true }).fill('0.002');
	await send.click();
	// No other output is spent instead.
	await expect(page).toHaveURL(/\/wallets\/ALPHA\/send$/);
	await expect(kept).toBeChecked();
	await kept.uncheck();
	await send.click();
	await expect(page).toHaveURL(/\/transactions\/[^/]+$/);
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
	await page.goto(review.headers()['location']!);
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
	await context.close();
});

test('the page of a wallet shows its balance, its address as a QR code and its UTXOs, from the chain’s own tab', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/chains/ALPHA');
	await page.getByRole('navigation', { name: 'Pages of ALPHA' }).getByText('Wallet').click();
	await expect(page).toHaveURL(/\/wallets\/ALPHA$/);
	const own = addressOfPubkey(console.devnet.chains.get('ALPHA')!.pubkey);
	await expect(page.locator('[data-receive]')).toContainText(own);
	await expect(page.getByRole('img', { name: `QR code of the address ${own}` })).toBeVisible();
	const unspent = await console.devnet.rpc<{ amount: number }[]>('ALPHA', 'listunspent', 1);
	const total = unspent.reduce((sum, { amount }) => sum + amount * 1e8, 0) / 1e8;
	const shown = await page.locator('[data-balance="confirmed"]').innerText();
	expect(Number(shown.replace(/[^\d.]/g, ''))).toBeCloseTo(total, 8);
	await expect(card(page, 'UTXOs')).toContainText(`${unspent.length} UTXOs`);
	await expect(main(page)).not.toContainText(/private key/i);
	expect(await complaints(page)).toEqual([]);
	for (const lack of [{ hasPubkey: false }, { hasKey: false }]) {
		await console.devnet.control.wallet('GAMMA', lack);
		try {
			await page.goto('/wallets/GAMMA');
			await expect(card(page, 'Balance')).toContainText('without a public key of this wallet');
			await expect(main(page)).not.toContainText(/up to date|address above/);
		} finally {
			await console.devnet.control.wallet('GAMMA', { hasPubkey: true, hasKey: true });
		}
	}
	await page.goto('/wallets/ALPHA');

	const [file] = await Promise.all([
		page.waitForEvent('download'),
		card(page, 'UTXOs').getByRole('link', { name: 'CSV' }).click()
	]);
	expect(file.suggestedFilename()).toBe('ALPHA-utxos.csv');
});

test('a payment that is made again keeps the UTXOs that were chosen for it, and its fee rate', async ({
	page
}) => {
	await signIn(page);
	await typePayment(page, TO[0], '0.001');
	await page.getByLabel('Fee rate').fill('0.0002');
	await unfold(page);
	// By default the wallet would spend another one.
	const box = page.getByRole('checkbox', { name: /^Spend output/ }).last();
	const name = await box.inputValue();
	await box.check();
	await page.getByRole('button', { name: 'Review payment' }).click();
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	const id = page.url().split('/').at(-1)!;
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
	await page.goto(`/transactions/${id}`);
	await page.locator('a[href*="again="]').click();
	await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.00100000');
	await expect(page.getByLabel('Fee rate')).toHaveValue('0.00020000');
	await expect(page.locator(`input[name="utxos"][value="${name}"]`)).toBeChecked();
	await expect(page.getByText('1 UTXO selected')).toBeVisible();
});

test('coins go to several recipients out of the UTXOs that were chosen, once the signed transaction was reviewed', async ({
	page,
	console
}) => {
	await signIn(page);
	await typePayment(page, TO[0], '1.25');
	await page.getByLabel('More recipients').fill(`${TO[1]}, 0.5`);
	await unfold(page);
	const boxes = page.getByRole('checkbox', { name: /^Spend output/ });
	await boxes.nth(0).check();
	await boxes.nth(1).check();
	await expect(page.getByText('2 UTXOs selected')).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('button', { name: 'Review payment' }).click();
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	expect(await console.devnet.rpc('ALPHA', 'getrawmempool')).toEqual([]);
	await expect(page.getByRole('region', { name: 'Inputs of the transaction' })).toContainText(
		/Coins/
	);
	const outputs = page.getByRole('region', { name: 'Outputs of the transaction' });
	await expect(outputs).toContainText('1.25000000');
	await expect(outputs).toContainText('Change, back to this wallet');
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();
	await console.devnet.control.mine('ALPHA');
	await expect(page.getByText('Confirmed', { exact: true }).first()).toBeVisible();
	const [txid] = await console.devnet
		.rpc<string[]>('ALPHA', 'getaddresstxids', { addresses: [TO[1]] })
		.then((all) => all.slice(-1));
	expect(page.url()).toContain('/transactions/');
	await expect(main(page)).toContainText(txid!);
});

test('a wallet is closed to who may not use it, and tells who may which review locks its coins', async ({
	page,
	browser,
	console
}) => {
	await olgaMay(console, ['BETA'], null);
	await signIn(page);
	await typePayment(page, TO[0], '0.75');
	await page.getByRole('button', { name: 'Review payment' }).click();
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();

	const olga = await asOlga(browser, console);
	for (const path of ['', '/send', '/split', '/utxos.csv']) {
		const answer = await olga.request.get(`/wallets/ALPHA${path}`);
		expect([path, answer.status()]).toEqual([path, 403]);
	}
	const form = { recipient: TO[0], amount: '1', more: '', rate: '' };
	const headers = { origin: console.url };
	expect((await olga.request.post('/wallets/ALPHA/send', { form, headers })).status()).toBe(403);
	await olga.goto('/wallets');
	await expect(main(olga)).toContainText('BETA');
	await expect(main(olga)).not.toContainText('ALPHA');

	await olgaMay(console, ['ALPHA'], 100_000_000n);
	await olga.goto('/wallets/ALPHA');
	const locks = card(olga, 'Locked by reviews');
	await expect(locks).toContainText('ada');
	await expect(locks).toContainText('1');
	await expect(olga.locator('[data-balance="locked"]')).not.toContainText(/^0\.0+\s/);
	await expect(olga.locator('[data-utxo][data-state="locked"]')).toHaveCount(1);
	expect(await complaints(olga)).toEqual([]);

	// Her limit is one coin a day, and the form says so before anything is built.
	await typePayment(olga, TO[0], '2');
	await olga.getByRole('button', { name: 'Review payment' }).click();
	await expect(olga.getByLabel('Amount', { exact: true })).toHaveAttribute('aria-invalid', 'true');
	await expect(main(olga)).toContainText('of 1 ALPHA are used');
	await typePayment(olga, TO[0], '0.5');
	await olga.getByRole('button', { name: 'Review payment' }).click();
	await expect(olga.getByText('Nothing has been sent yet')).toBeVisible();
	await olga.getByRole('button', { name: 'Discard' }).click();
	await page.getByRole('button', { name: 'Discard' }).click();
	await expect(page).toHaveURL(/\/transactions$/);
	await olga.context().close();
});

test('nothing of a wallet goes out while sending is frozen', async ({ page, console }) => {
	await signIn(page);
	await typePayment(page, TO[0], '0.25');
	await page.getByRole('button', { name: 'Review payment' }).click();
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
	const review = page.url();
	const freeze = async (action: 'turnOn' | 'turnOff'): Promise<void> => {
		const form = { switch: 'freeze', reason: 'a look' };
		const headers = { origin: console.url };
		await page.request.post(`/admin/safety?/${action}`, { form, headers });
	};
	await freeze('turnOn');
	try {
		await page.goto(review);
		await page.getByRole('button', { name: 'Send transaction' }).click();
		await expect(page.getByText('Request failed', { exact: true })).toBeVisible();
		expect(await console.devnet.rpc('ALPHA', 'getrawmempool')).toEqual([]);
	} finally {
		await freeze('turnOff');
	}
	await page.goto(review);
	await page.getByRole('button', { name: 'Discard' }).click();
});

test('one UTXO is split into equal ones and several are consolidated, each after a review, without scripts', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const context = await browser.newContext({
		javaScriptEnabled: false,
		storageState: await page.context().storageState(),
		baseURL: console.url
	});
	const plain = await context.newPage();
	await plain.goto('/wallets/ALPHA');
	await plain.getByRole('button', { name: 'Consolidate' }).click();
	await expect(plain.getByRole('heading', { name: 'UTXO consolidation' })).toBeVisible();
	await plain.getByRole('button', { name: 'Send transaction' }).click();
	await console.devnet.control.mine('ALPHA');

	// One review has locked everything: a second draft is refused because of the locks.
	await plain.goto('/wallets/ALPHA/send');
	await plain.getByLabel('Recipient', { exact: true }).fill(TO[0]);
	await plain.getByLabel('Amount', { exact: true }).fill('max');
	await plain.getByRole('button', { name: 'Review payment' }).click();
	await expect(plain.getByText('Nothing has been sent yet')).toBeVisible();
	await plain.goto('/wallets/ALPHA/split');
	await plain.getByRole('button', { name: 'Review split' }).click();
	await expect(main(plain)).toContainText('locked for transactions that were reviewed');
	await plain.goBack();
	await plain.goto('/transactions');
	await main(plain).getByRole('link', { name: 'Payment' }).first().click();
	await plain.getByRole('button', { name: 'Discard' }).click();

	await plain.goto('/wallets/ALPHA/split');
	await plain.getByLabel('Number of parts').fill('1');
	await plain.getByRole('button', { name: 'Review split' }).click();
	await expect(plain.getByLabel('Number of parts')).toHaveAttribute('aria-invalid', 'true');
	await plain.getByLabel('Number of parts').fill('4');
	await plain.getByRole('button', { name: 'Review split' }).click();
	await expect(main(plain)).toContainText('4 equal UTXOs');
	await plain.getByRole('button', { name: 'Send transaction' }).click();
	await console.devnet.control.mine('ALPHA');
	await plain.goto('/wallets/ALPHA?sort=-amount');
	const amounts = await plain.locator('[data-utxo] td:last-child').allInnerTexts();
	expect(new Set(amounts.slice(1, 4)).size).toBe(1);

	// The page of a chain redirects to that of the wallet.
	await plain.goto('/chains/ALPHA/consolidate');
	await expect(plain).toHaveURL(/\/wallets\/ALPHA\/consolidate$/);
	await plain.goto('/transactions?kind=split');
	await expect(main(plain).getByRole('row')).toHaveCount(2);
	await expect(main(plain).getByRole('row').last()).toContainText('UTXO split');
	await context.close();
});

test('the team’s transactions are narrowed by type, state and member, and a file holds what is shown', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/transactions');
	await page.getByLabel('State').selectOption('Discarded');
	await page.getByLabel('Created by').fill('ada');
	await page.getByRole('button', { name: 'Filter' }).click();
	await expect(page).toHaveURL(/state=discarded&by=ada/);
	const shown = (await main(page).getByRole('row').count()) - 1;
	expect(shown).toBeGreaterThan(0);
	await expect(main(page).getByText('Discarded', { exact: true }).last()).toBeVisible();
	const [file] = await Promise.all([
		page.waitForEvent('download'),
		main(page).getByRole('link', { name: 'CSV' }).click()
	]);
	expect(file.suggestedFilename()).toBe('transactions.csv');
	const rows = (await (
		await page.request.get('/transactions/transactions.json?state=discarded&by=ada')
	).json()) as { state: string; by: string; hex?: string }[];
	expect(rows).toHaveLength(shown);
	expect(rows.every(({ state, by }) => state === 'discarded' && by === 'ada')).toBe(true);
	expect(rows.some(({ hex }) => hex !== undefined)).toBe(false);
	await page.goto('/transactions?by=nobody');
	await expect(main(page)).toContainText('No transactions match');
	expect(await complaints(page)).toEqual([]);
});

test('coin control says what the selected UTXOs lack for the payment, and what comes back', async ({
	page
}) => {
	await signIn(page);
	await typePayment(page, TO[0], '1');
	await page.locator('summary', { hasText: 'Coin control' }).click();
	await page
		.getByRole('checkbox', { name: /Spend output/ })
		.first()
		.check();
	await expect(page.getByRole('status').filter({ hasText: 'selected' })).toContainText(
		'change before the fee'
	);
	await page.getByLabel('Amount', { exact: true }).fill('99999999');
	await expect(page.getByRole('status').filter({ hasText: 'selected' })).toContainText(
		'less than the payment'
	);
});

test('what is unfolded stays so under who unticks its last box or empties its field', async ({
	page
}) => {
	await signIn(page);
	await typePayment(page, TO[0], '1');
	await page.locator('summary', { hasText: 'Coin control' }).click();
	const box = page.getByRole('checkbox', { name: /Spend output/ }).first();
	await box.focus();
	for (const isTicked of [true, false]) {
		await page.keyboard.press('Space');
		await expect(box).toBeChecked({ checked: isTicked });
		await expect(box).toBeFocused();
	}

	await page.goto('/migrations/new/custom?source=ALPHA&destination=BETA');
	await page.locator('summary', { hasText: 'Raw' }).click();
	const raw = page.locator('[name="raw"]');
	await raw.fill('00');
	await raw.fill('');
	await expect(raw).toBeFocused();
	await page.keyboard.type('0400');
	await expect(raw).toHaveValue('0400');
});

test('the history tells the balance after each transaction, by direction and as a file', async ({
	page,
	console
}) => {
	await signIn(page);
	const own = addressOfPubkey(console.devnet.chains.get('ALPHA')!.pubkey);
	const { balance } = await console.devnet.rpc<{ balance: number }>('ALPHA', 'getaddressbalance', {
		addresses: [own]
	});
	const file = '/wallets/ALPHA/history.json?direction=out';
	const rows = async () =>
		(await (await page.request.get(file)).json()) as { change: string; balance: string }[];
	// The index reads the newest block a moment after the daemon has it.
	await expect.poll(async () => Math.round(Number((await rows())[0]?.balance) * 1e8)).toBe(balance);
	await page.goto('/wallets/ALPHA/history?direction=out');
	const newest = page.locator('[data-txid]').first();
	await expect(newest).toContainText((await rows())[0]!.balance.slice(-8));
	expect((await rows()).every(({ change }) => change.startsWith('-'))).toBe(true);
	expect(await complaints(page)).toEqual([]);
	const [csv] = await Promise.all([
		page.waitForEvent('download'),
		main(page).getByRole('link', { name: 'CSV' }).click()
	]);
	expect(csv.suggestedFilename()).toBe('ALPHA-history.csv');
	await page.goto('/wallets/ALPHA/history?source=daemon');
	await expect(main(page)).toContainText('As reported by the daemon');
	// "Nothing of this kind" differs from "nothing at all".
	await page.goto('/wallets/ALPHA/history?direction=in&kind=shielded');
	await expect(page.locator('[data-txid]')).toHaveCount(0);
	await expect(main(page)).toContainText('No transactions match these filters');
	await expect(main(page)).not.toContainText('Nothing here was received or sent yet');
});

test('a file that is not given any more leads to the login, and no page is saved in its place', async ({
	page
}) => {
	const saved: string[] = [];
	page.on('download', (download) => saved.push(download.suggestedFilename()));
	for (const [path, file] of [
		['/wallets/ALPHA/history', '/wallets/ALPHA/history.csv'],
		['/address-book', '/address-book/address-book.csv']
	] as const) {
		await signIn(page);
		await page.goto(path);
		const link = main(page).locator(`a[href="${file}"]`);
		await link.hover();
		await page.context().clearCookies();
		await link.evaluate((one: HTMLElement) => one.click());
		await expect(page).toHaveURL(`/login?next=${encodeURIComponent(file)}`);
		expect(saved).toEqual([]);
	}
});

test('interest of KMD is computed from the UTXOs, agrees with the daemon, and a review says where it would be lost', async ({
	page,
	console
}) => {
	const { rpc, control } = console.devnet;
	// The daemon's own payments have a lock time, and earn interest an hour later.
	await rpc('KMD', 'sendtoaddress', await rpc('KMD', 'getnewaddress'), 100);
	await control.mine('KMD');
	await control.clock(2 * 3600);
	await control.mine('KMD');
	const { interest } = await rpc<{ interest: number }>('KMD', 'getinfo');
	expect(interest).toBeGreaterThan(0);
	await signIn(page);
	await page.goto('/wallets/KMD');
	const amount = async (of: string): Promise<number> =>
		Number((await page.locator(`[data-interest="${of}"]`).innerText()).replace(/[^\d.]/g, ''));
	expect(await amount('told')).toBeCloseTo(interest, 8);
	await expect(page.getByRole('button', { name: 'Review claim' })).toBeVisible();
	expect(await amount('counted')).toBeCloseTo(interest, 8);
	await expect(main(page)).not.toContainText('The two amounts differ');
	expect(await complaints(page)).toEqual([]);

	await page.goto('/wallets/KMD/send');
	await page.getByLabel('Recipient', { exact: true }).fill(TO[0]);
	await page.getByLabel('Amount', { exact: true }).fill('max');
	await page.getByRole('button', { name: 'Review payment' }).click();
	await expect(main(page)).toContainText('of interest, which this transaction does not claim');
	await page.getByRole('button', { name: 'Discard' }).click();

	// A separate transaction claims it, which is reviewed like every other.
	await page.goto('/wallets/KMD');
	await page.getByRole('button', { name: 'Review claim' }).click();
	await expect(main(page)).toContainText(/Claims \d[\d.\u202f ]* KMD of interest on/);
	await expect(page.getByRole('term').filter({ hasText: 'Credited' })).toBeVisible();
	expect(await complaints(page)).toEqual([]);
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(main(page)).toContainText('Pending');
	await control.mine('KMD');
	await expect(async () => {
		await page.reload();
		await expect(main(page)).toContainText('Confirmed in block', { timeout: 1_000 });
	}).toPass();
	await page.getByRole('link', { name: 'View transaction' }).click();
	await expect(main(page)).toContainText('Interest claimed');
	await page.goto('/wallets/ALPHA');
	await expect(page.locator('[data-interest]')).toHaveCount(0);
});
