/** Self-import: two transactions, one confirmation, and exact amounts. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, submit, test, type Console } from './support/console.ts';

const AMOUNT = '1.15';

/** An address of a stranger: the issuing wallet must hold no key but that of ac_pubkey. */
const recipientOf = ({ devnet }: Console): Promise<string> => devnet.rpc('ALPHA', 'getnewaddress');

const held = async ({ devnet }: Console, address: string): Promise<number> =>
	(await devnet.rpc<{ balance: number }>('SELF', 'getaddressbalance', { addresses: [address] }))
		.balance;

/** Discards unsent reviews of earlier tests, which lock outputs of the issuing wallet. */
async function discardReviews(page: Page): Promise<void> {
	await page.goto('/chains/SELF/self-import');
	const links = page.getByRole('table', { name: 'Self-imports, newest first' }).getByRole('link');
	const found = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
	for (const href of found.filter((one) => /\/self-import\/[^/]+$/.test(one))) {
		await page.goto(href);
		const discard = page.getByRole('button', { name: 'Discard' });
		if ((await discard.count()) > 0) await submit(discard);
	}
}

async function review(page: Page, address: string, amount = AMOUNT): Promise<void> {
	await page.goto('/chains/SELF/self-import');
	await page.getByRole('textbox', { name: 'Recipient' }).fill(address);
	await page.getByRole('textbox', { name: 'Amount to create' }).fill(amount);
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
}

/** Mines, and reloads the page, until it shows the expected text. */
async function mineUntil(page: Page, { devnet }: Console, words: string): Promise<void> {
	await expect(async () => {
		await devnet.control.mine('SELF');
		await page.reload();
		await expect(page.getByRole('main')).toContainText(words, { timeout: 500 });
	}).toPass({ timeout: 40_000, intervals: [1_000] });
}

test('the issuer finds the form on the chain, reviews both transactions, and the coins arrive', async ({
	page,
	console
}) => {
	await signIn(page);
	await discardReviews(page);
	await page.goto('/chains/SELF');
	await page
		.getByRole('navigation', { name: 'Pages of SELF' })
		.getByRole('link', { name: 'Self-import' })
		.click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Self-import on SELF');
	await expect(page.getByRole('main')).toContainText('0.0002');
	expect(await complaintsEveryWay(page)).toEqual([]);

	const address = await recipientOf(console);
	await review(page, address);
	const outputs = page.getByRole('table', { name: 'Outputs of the import' });
	await expect(outputs).toContainText('1.15');
	await expect(page.getByRole('table', { name: 'Inputs of the source' })).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	expect(await console.devnet.rpc('SELF', 'getrawmempool')).toEqual([]);

	await page.getByRole('button', { name: 'Create coins' }).click();
	await expect(page.getByText('Source pending')).toBeVisible();
	expect(await console.devnet.rpc<string[]>('SELF', 'getrawmempool')).toHaveLength(1);
	await mineUntil(page, console, 'Coins created');
	// The amount, and the ten thousand satoshi that the source pays.
	expect(await held(console, address)).toBe(115_010_000);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.goto('/chains/SELF/self-import');
	await expect(page.getByRole('table', { name: 'Self-imports, newest first' })).toContainText(
		'Confirmed'
	);
});

test('a crash between the two transactions loses nothing', async ({ page, console }) => {
	await signIn(page);
	const address = await recipientOf(console);
	await review(page, address, '0.00000001');
	await page.getByRole('button', { name: 'Create coins' }).click();
	await expect(page.getByText('Source pending')).toBeVisible();
	await console.crashAndRestart();
	await page.reload();
	await expect(page.getByText('Source pending')).toBeVisible();
	await mineUntil(page, console, 'Coins created');
	expect(await held(console, address)).toBe(10_001);
});

/** Spends all coins of the issuing wallet back to itself: earlier reviews can then no longer be confirmed. */
async function spendAll({ devnet }: Console): Promise<string> {
	interface Unspent {
		txid: string;
		vout: number;
		amount: number;
		address: string;
	}
	const unspent = await devnet.rpc<Unspent[]>('SELF', 'listunspent');
	const satoshi = unspent.reduce((sum, { amount }) => sum + Math.round(amount * 1e8), 0) - 100_000;
	const raw = await devnet.rpc<string>(
		'SELF',
		'createrawtransaction',
		unspent.map(({ txid, vout }) => ({ txid, vout })),
		{ [unspent[0]!.address]: (satoshi / 1e8).toFixed(8) }
	);
	const { hex } = await devnet.rpc<{ hex: string }>('SELF', 'signrawtransaction', raw);
	return devnet.rpc('SELF', 'sendrawtransaction', hex);
}

test('a source that was rejected is watched as long as a block could take it, and only then made anew', async ({
	page,
	console
}) => {
	await signIn(page);
	await discardReviews(page);
	await review(page, await recipientOf(console), '0.5');
	await spendAll(console);
	await page.getByRole('button', { name: 'Create coins' }).click();
	const main = page.getByRole('main');
	await expect(main).toContainText('No funds were moved so far');
	await expect(main).toContainText('Do not create a new transaction instead');
	await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
	await expect(main.getByRole('link', { name: 'Start again' })).toHaveCount(0);
	expect(await complaintsEveryWay(page)).toEqual([]);
	// The transaction that spends its inputs has to be final: deep in the chain, and notarized.
	await mineUntil(page, console, 'No funds were moved so far');
	await console.devnet.control.mine('SELF', 12);
	await console.devnet.control.notarize('SELF');
	await mineUntil(page, console, 'It cannot be confirmed any more');
	await expect(main.getByRole('link', { name: 'Start again' })).toBeVisible();
	await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0);
});

test('elsewhere the page gives the reason and no form', async ({ page }) => {
	await signIn(page);
	await page.goto('/chains/ALPHA/self-import');
	await expect(page.getByRole('main')).toContainText('was not started with ac_import');
	await expect(page.locator('main form')).toHaveCount(0);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.goto('/chains/ALPHA');
	await expect(page.getByRole('link', { name: 'Self-import' })).toHaveCount(0);
});

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('the form keeps what was typed, and the coins are created', async ({ page, console }) => {
		await signIn(page);
		const address = await recipientOf(console);
		await page.goto('/chains/SELF/self-import');
		await page.getByRole('textbox', { name: 'Recipient' }).fill('nobody');
		await page.getByRole('textbox', { name: 'Amount to create' }).fill('2');
		await page.getByRole('button', { name: 'Review' }).click();
		const recipient = page.getByRole('textbox', { name: 'Recipient' });
		await expect(recipient).toHaveAttribute('aria-invalid', 'true');
		await expect(recipient).toHaveValue('nobody');
		await recipient.fill(address);
		await page.getByRole('button', { name: 'Review' }).click();
		await page.getByRole('button', { name: 'Create coins' }).click();
		await mineUntil(page, console, 'Coins created');
		expect(await held(console, address)).toBe(200_010_000);
	});
});
