/** The page of an address: its transactions, its UTXOs, and its balance over time. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, test, type Console } from './support/console.ts';

async function pay({ devnet, url }: Console, address: string, amount: number): Promise<void> {
	await devnet.rpc('ALPHA', 'sendtoaddress', address, amount);
	const { height } = await devnet.control.mine('ALPHA');
	await expect
		.poll(async () => {
			const answer = await fetch(`${url}/api/v1/chains/ALPHA/blocks?limit=1`);
			return ((await answer.json()) as { rows: { height: number }[] }).rows[0]?.height;
		})
		.toBeGreaterThanOrEqual(height);
}

test('an address tells its totals, net amounts and balance over time, in tabs that work without scripts', async ({
	browser,
	console
}) => {
	const address = addressOfPubkey(
		`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`
	);
	await pay(console, address, 1.5);
	await pay(console, address, 2);
	const context = await browser.newContext({ baseURL: console.url, javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto(`/chains/ALPHA/address/${address}`);
	const fact = (name: string) =>
		page
			.locator('main')
			.getByRole('term')
			.filter({ hasText: name })
			.locator('xpath=following-sibling::dd[1]');
	await expect(fact('Total received')).toHaveText(/3\.50000000/);
	await expect(fact('Total sent')).toHaveText(/0\.00000000/);
	await expect(page.locator('[data-net]')).toHaveText([/\+2\.0/, /\+1\.5/]);
	await expect(page.locator('main tbody time').first()).toBeVisible();
	const chart = page.locator('[data-chart="balance"]');
	await expect(chart.getByRole('img')).toBeVisible();
	await chart.getByText('Show as table').click();
	await expect(chart.locator('tbody td')).toHaveText(['3.5 ALPHA', '1.5 ALPHA']);

	await page.getByRole('link', { name: 'UTXOs' }).click();
	await expect(page.locator('#utxos tbody tr')).toHaveCount(2);
	await page.getByRole('link', { name: 'Tokens', exact: true }).last().click();
	await expect(page.locator('#tokens')).toContainText('No tokens on ALPHA');
	await expect(page.locator('#tokens')).not.toContainText('were transferred or burned');
	await context.close();

	const list = await fetch(
		`${console.url}/api/v1/chains/ALPHA/address-transactions.csv?address=${address}`
	);
	expect((await list.text()).split('\r\n')[0]).toContain('net amount');
});

test('a key leads to its tokens, where nothing keeps somebody out', async ({ page, console }) => {
	const { pubkey } = console.devnet.chains.get('ALPHA')!;
	await page.goto(`/chains/ALPHA/address/${pubkey}`);
	await expect(page).toHaveURL(/tab=tokens/);
	await expect(page.locator('#tokens')).toContainText('ALPHAGOLD');
	expect(await complaintsEveryWay(page)).toEqual([]);
	// The key in the page's address is kept on the way through its parts.
	await page.getByRole('link', { name: 'UTXOs' }).click();
	await page.getByRole('link', { name: 'Load all UTXOs from the daemon' }).click();
	await expect(page).toHaveURL(new RegExp(`key=${pubkey}.*source=daemon`));
});

test('an address is told by the index while its daemon is down', async ({ page, console }) => {
	const address = addressOfPubkey(console.devnet.chains.get('ALPHA')!.pubkey);
	await console.devnet.control.fault('ALPHA', 'down');
	try {
		for (const tab of ['transactions', 'tokens', 'utxos']) {
			await page.goto(`/chains/ALPHA/address/${address}?tab=${tab}`);
			expect(await page.locator('main tbody tr').count(), tab).toBeGreaterThan(0);
		}
	} finally {
		await console.devnet.control.fault('ALPHA', 'none');
	}
});
