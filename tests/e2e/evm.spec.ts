/**
 * An EVM platform: activation with tokens and NFTs, a signature by its address, and an invited remote signer.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyMessage } from 'viem';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';
import { picture } from './support/picture.ts';

const MESSAGE = 'Komodeck signs for 0x… — grüße';

/** The address of the network's EVM chain, from its coins file. */
function evmOrigin(dir: string): string {
	const coins = JSON.parse(readFileSync(join(dir, 'coins_config.json'), 'utf8')) as {
		ETH: { nodes: { url: string }[] };
	};
	return new URL(coins.ETH.nodes[0]!.url).origin;
}

test('a platform is activated with its tokens and NFTs, and its address signs', async ({
	page,
	console
}) => {
	test.setTimeout(240_000);
	await signIn(page);
	// A token waits for its platform, and says so.
	await page.goto('/kdf/USDC-ERC20');
	const token = page.getByRole('button', { name: 'Activate USDC-ERC20' });
	await expect(token).toBeDisabled();
	await expect(token).toHaveAccessibleDescription(/activate ETH first/);
	await page.getByRole('link', { name: 'Node URLs (legacy call)' }).click();
	await expect(token).toBeEnabled();
	await page.goto('/kdf/ETH');
	const main = page.getByRole('main');
	expect(await complaintsEveryWay(page)).toEqual([]);

	// A wrong contract is reported at its field, and all input is kept.
	await page.getByText('Advanced', { exact: true }).click();
	const swap = page.getByRole('textbox', { name: 'Swap contract' });
	const right = await swap.inputValue();
	await swap.fill(`0x${'0'.repeat(40)}`);
	await page.getByRole('textbox', { name: 'NFT indexer' }).fill('nft.example');
	await page.getByRole('button', { name: 'Activate ETH' }).click();
	await expect(swap).toHaveAccessibleDescription(/zero address/);
	const service = page.getByRole('textbox', { name: 'NFT indexer' });
	await expect(service).toHaveAccessibleDescription(/Enter a whole address/);
	await expect(service).toHaveValue('nft.example');

	await swap.fill(right);
	await service.fill(`${evmOrigin(console.devnet.dir)}/nft`);
	const box = (token: string) => page.getByRole('checkbox', { name: token });
	const own = page.getByRole('textbox', { name: 'Required confirmations of USDC-ERC20' });
	await expect(own).toBeHidden();
	for (const token of ['USDC-ERC20', 'USDT-ERC20']) await box(token).check();
	await own.fill('12');
	await page.getByRole('button', { name: 'Activate ETH' }).click();
	await expect(page.getByText('ETH is active', { exact: true })).toBeVisible();
	// With the key of the trading node on which it is active.
	const sign = page.getByRole('link', { name: 'Sign a message' });
	await expect(sign).toHaveAttribute('href', /^\/kdf\/sign\?coin=ETH&node=./);
	const balances = page.getByRole('table', { name: 'Balances at the activation' });
	await expect(balances).toContainText('0.5 ETH');
	await expect(balances).toContainText('12.5 USDC-ERC20');
	await expect(balances).toContainText('300 USDT-ERC20');
	const nfts = page.getByRole('list', { name: 'NFTs of this wallet' });
	await expect(nfts.getByRole('listitem')).toHaveCount(2);
	await expect(nfts).toContainText('ERC721');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await picture(page, 'platform', 'laptop');
	const file = await page.request.get(`${page.url().split('?')[0]}/addresses.csv`);
	expect(await file.text()).toMatch(/^address,chain,path,ticker,spendable,unspendable\r\n0x/); // What it was activated with is in the form when it is opened again.
	await page.getByRole('link', { name: 'Open ETH' }).click();
	await page.getByText('Activate again with other settings').click();
	for (const token of ['USDC-ERC20', 'USDT-ERC20']) await expect(box(token)).toBeChecked();
	await expect(own).toHaveValue('12');
	await expect(service).toHaveValue(`${evmOrigin(console.devnet.dir)}/nft`);
	// Its balances, with its tokens and NFTs.
	const tokens = page.getByRole('table', { name: 'Active tokens of ETH' });
	const usdc = tokens.getByRole('row', { name: /^USDC-ERC20/ });
	await expect(usdc).toContainText('12.5 USDC-ERC20');
	await expect(usdc.getByRole('cell', { name: '12', exact: true })).toBeVisible();
	await expect(tokens.getByRole('cell', { name: '3', exact: true })).toBeVisible();
	await expect(page.getByRole('img', { name: 'Address for ETH as QR code' })).toBeVisible();
	await expect(nfts.getByRole('listitem')).toHaveCount(2);
	expect(await complaintsEveryWay(page)).toEqual([]);

	// A token shows the same about itself, and changes on its page are shown from then on.
	await usdc.getByRole('link').click();
	const waits = page
		.getByText('Required confirmations', { exact: true })
		.first()
		.locator('xpath=..');
	await expect(waits).toContainText('12 Set when activated');
	await page.getByText('Change what swaps wait for').click();
	await page.getByRole('textbox', { name: 'Required confirmations' }).first().fill('7');
	await page.getByRole('button', { name: 'Change', exact: true }).click();
	await expect(page.getByText('Swaps of USDC-ERC20 now wait for 7 confirmations')).toBeVisible();
	await expect(waits).toContainText('7 Changed');

	await page.goto('/kdf/sign?coin=ETH');
	await page.getByRole('textbox', { name: 'Message' }).fill(MESSAGE);
	await page.getByRole('button', { name: 'Continue' }).click();
	const address = await page.locator('input[name="address"]').inputValue();
	expect(address).toMatch(/^0x/);
	await page.getByRole('button', { name: 'Sign message' }).click();
	await expect(page.getByText('Message signed')).toBeVisible();
	const signature = await page.getByRole('region', { name: 'the signature' }).innerText();
	const hex = signature.trim().startsWith('0x') ? signature.trim() : `0x${signature.trim()}`;
	expect(
		await verifyMessage({
			address: address as `0x${string}`,
			message: MESSAGE,
			signature: hex as `0x${string}`
		})
	).toBe(true);
	await expect(main).toContainText(/0x[0-9a-fA-F]{4}/);

	// If it is disabled while its tokens are active, the node still lists it as active.
	await page.goto('/kdf/ETH');
	await page.getByText('Disable', { exact: true }).click();
	await page.getByRole('button', { name: 'Disable ETH' }).click();
	await expect(page.getByText('ETH is passive now: its tokens are still active.')).toBeVisible();
	await expect(page.getByText('Passive, kept for its tokens')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Activate ETH' })).toBeVisible();
	await page.goto('/kdf?q=ETH');
	await expect(page.getByRole('row', { name: /^ETH / })).toContainText('Passive');
	await page.goto('/kdf?q=ETH&page=7');
	await expect(page.getByRole('row', { name: /^ETH / })).toBeVisible();
});

test('a remote signer is invited with a code to scan, and nobody but an admin sees how', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	// Two coins of one chain, as in a team's own coins file.
	const file = join(console.devnet.dir, 'coins_config.json');
	const coins = readFileSync(file, 'utf8');
	const all = JSON.parse(coins) as Record<string, object>;
	writeFileSync(file, JSON.stringify({ ...all, TWIN: { ...all['ETH'], coin: 'TWIN' } }));
	// The console looks for changed files every two seconds.
	await expect(async () => {
		await page.goto('/kdf/signers');
		await expect(page.getByLabel('TWIN, Ethereum')).toBeVisible({ timeout: 1_000 });
	}).toPass();
	writeFileSync(file, coins);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('button', { name: 'Create invitation' }).click();
	await expect(page.getByText('Choose at least one chain.')).toBeVisible();
	await page.getByLabel('ETH, Ethereum').check();
	await page.getByRole('button', { name: 'Create invitation' }).click();
	await expect(page.getByRole('region', { name: 'the invitation' })).toContainText('wc:');
	await expect(page.getByRole('img', { name: 'Invitation as QR code' })).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.goto('/kdf/signers');
	await expect(page.getByRole('region', { name: 'the invitation' })).toHaveCount(0);

	// A selected connection is not reported as ended because the node does not respond.
	const { topic } = await console.devnet.control.agree();
	await page.reload();
	// The name of each button says which connection it ends.
	await expect(
		page.getByRole('button', { name: new RegExp(`^Disconnect .*${topic.slice(0, 8)}`) })
	).toHaveText('Disconnect');
	await page.goto('/kdf/ETH?method=enable_eth_with_tokens');
	await page.getByText('Advanced', { exact: true }).click();
	await page.locator('select[name="key"]').selectOption('remote');
	await page.getByLabel('Connection to the remote signer').selectOption(topic);
	await console.devnet.control.kdfFault('down');
	await page.getByRole('button', { name: 'Activate ETH' }).click();
	const chosen = page.getByLabel('Connection to the remote signer');
	await expect(chosen).toHaveAccessibleDescription(/does not say whether this connection/);
	await expect(chosen).toHaveValue(topic);
	await page.goto('/kdf/signers');
	await expect(page.getByText('does not list them now')).toBeVisible();
	await expect(page.getByText('No remote signers')).toHaveCount(0);
	await console.devnet.control.kdfFault('none');

	const visitor = await browser.newContext({ baseURL: console.url });
	expect((await visitor.request.get('/kdf/signers')).status()).toBe(401);
	await visitor.close();
});
