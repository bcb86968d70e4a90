/** Lists with identical lines: duplicate keys must not break the page. */
import type { Page } from '@playwright/test';
import { ByteWriter } from '#lib/chain/bytes.ts';
import { parseHeader } from '#lib/chain/block.ts';
import { opReturn } from '#lib/chain/script.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { serializeTxOutProof } from '#lib/chain/txOutProof.ts';
import { expect, signIn, test, type Console } from './support/console.ts';

/** Expects that the page's scripts still work. */
async function expectAlive(page: Page): Promise<void> {
	await page.keyboard.press('Control+k');
	await expect(page.getByRole('dialog')).toBeVisible();
	await page.keyboard.press('Escape');
}

/** A transaction whose data, which anyone may write, names one transaction twice. */
async function vouchedTwice({ devnet: { rpc, control } }: Console): Promise<string> {
	const hash = await rpc<string>('ALPHA', 'getblockhash', 1);
	const header = parseHeader(await rpc<string>('ALPHA', 'getblockheader', hash, false));
	const [one, two, three] = [1, 2, 3].map((n) => new Uint8Array(32).fill(n));
	const proof = serializeTxOutProof({
		header,
		total: 4,
		hashes: [one!, two!, one!, three!],
		flags: Uint8Array.of(0x7f)
	});
	const to = await rpc<string>('ALPHA', 'getnewaddress');
	const bare = await rpc<string>('ALPHA', 'createrawtransaction', [], { [to]: 1 });
	const { hex } = await rpc<{ hex: string }>('ALPHA', 'fundrawtransaction', bare);
	const funded = parseTransaction(hex);
	const data = opReturn(new ByteWriter().varSlice(proof).finish());
	const withData = { ...funded, vout: [...funded.vout, { value: 0n, script: data }] };
	const signed = await rpc<{ hex: string }>(
		'ALPHA',
		'signrawtransaction',
		Buffer.from(serializeTransaction(withData)).toString('hex')
	);
	const txid = await rpc<string>('ALPHA', 'sendrawtransaction', signed.hex);
	await control.mine('ALPHA');
	return txid;
}

test('the page of an approval that names a burn twice shows both', async ({ page, console }) => {
	const txid = await vouchedTwice(console);
	await page.goto(`/chains/ALPHA/tx/${txid}`);
	const burns = page.getByRole('definition').filter({ hasText: '01010101' });
	await expect(burns).toHaveCount(2);
	await expectAlive(page);
});

test('an address that names a UTXO twice chooses it once', async ({ page }) => {
	await signIn(page);
	const utxo = `${'ab'.repeat(32)}:0`;
	await page.goto(`/wallets/ALPHA/send?utxo=${utxo}&utxo=${utxo}`);
	await expect(page.getByRole('checkbox', { name: utxo })).toHaveCount(1);
	await expectAlive(page);
});

test('an address that names no UTXO chooses none', async ({ page }) => {
	await signIn(page);
	await page.goto('/wallets/ALPHA/send?utxo=-1');
	await expect(page.getByText('is not among these UTXOs')).toHaveCount(0);
	await page.goto('/wallets/ALPHA/split?utxo=-1');
	const select = page.getByLabel('UTXO', { exact: true });
	await expect(select).toHaveValue('');
	await expect(select.getByRole('option', { name: 'not among these UTXOs' })).toHaveCount(0);
});
