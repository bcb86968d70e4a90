/** The page of a token: the content of an NFT is shown by the type of its bytes, and holders' shares add up. */
import { bytesToHex } from '#lib/chain/bytes.ts';
import { BURN_PUBKEY } from '#lib/chain/cryptocondition.ts';
import { complaintsEveryWay, unfold } from './support/axe.ts';
import { expect, test, type Console } from './support/console.ts';

const PNG =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const utf8 = (text: string): string => Buffer.from(text).toString('hex');

async function send({ devnet, url }: Console, method: string, ...params: unknown[]) {
	const { hex } = await devnet.rpc<{ hex: string }>('ALPHA', method, ...params);
	const txid = await devnet.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	const { height } = await devnet.control.mine('ALPHA');
	await expect
		.poll(async () => {
			const answer = await fetch(`${url}/api/v1/chains/ALPHA/blocks?limit=1`);
			return ((await answer.json()) as { rows: { height: number }[] }).rows[0]?.height;
		})
		.toBeGreaterThanOrEqual(height);
	return txid;
}

const nft = (console: Console, data: string): Promise<string> =>
	send(console, 'tokencreate', 'PICTURE', '0.00000001', 'one of its kind', `f3${data}`);

test('the picture in the data of an NFT is shown, beside its JSON and without a supply chart', async ({
	page,
	console
}) => {
	const tokenid = await nft(
		console,
		utf8(`{"title":"Harbour","image":"data:image/png;base64,${PNG}"}`)
	);
	await page.goto(`/chains/ALPHA/token/${tokenid}`);
	const content = page.locator('[data-media="picture"]');
	const picture = content.getByRole('img');
	await expect(picture).toHaveAttribute('src', `data:image/png;base64,${PNG}`);
	expect(await picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1);
	await expect(content).toContainText('"title": "Harbour"');
	await expect(page.getByRole('img', { name: /Circulating supply/ })).toHaveCount(0);
	await expect(page.locator('[id="content"]')).toHaveCount(1);
	await unfold(page);
	expect(await complaintsEveryWay(page)).toEqual([]);
});

test('SVG and HTML in the data of an NFT are shown as text, and nothing of them runs', async ({
	page,
	console
}) => {
	const complaints: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') complaints.push(message.text());
	});
	const texts = [
		'<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"><script>document.title=1</script></svg>',
		`data:image/svg+xml;base64,${btoa('<svg onload="document.title=1"/>')}`,
		`data:image/png;base64,${btoa('<svg onload="document.title=1"/>')}`,
		'</pre><img src=x onerror="document.title=1"><script>document.title=1</script>'
	];
	for (const text of texts) {
		const tokenid = await nft(console, utf8(text));
		await page.goto(`/chains/ALPHA/token/${tokenid}`);
		const content = page.locator('[data-media="text"]');
		await expect(content).toContainText(text);
		await expect(content.locator('img, svg, script')).toHaveCount(0);
		await expect(page).toHaveTitle(/^PICTURE/);
	}
	expect(complaints).toEqual([]);
});

test('other data of an NFT is a hex dump', async ({ page, console }) => {
	const tokenid = await nft(console, '0001feff41');
	await page.goto(`/chains/ALPHA/token/${tokenid}`);
	await expect(page.locator('[data-media="hex"]')).toContainText(
		/0000 {2}00 01 fe ff 41 +\.\.\.\.A/
	);
});

test('shares of holders add up to 100 percent after units were burned, on the page and in the export', async ({
	page,
	console
}) => {
	const tokenid = await send(console, 'tokencreate', 'SHARED', '0.01000000', 'burned in part');
	const beta = console.devnet.chains.get('BETA')!.pubkey;
	await send(console, 'tokentransfer', tokenid, beta, '250000');
	await send(console, 'tokentransfer', tokenid, bytesToHex(BURN_PUBKEY), '15000');
	await page.goto(`/chains/ALPHA/token/${tokenid}`);
	const cells = page.locator('#holders tbody tr td:last-child');
	await expect(cells).toHaveText(['74.62 %', '25.38 %']);
	const answer = await fetch(`${console.url}/api/v1/chains/ALPHA/holders?tokenid=${tokenid}`);
	const { rows } = (await answer.json()) as { rows: { share: string }[] };
	expect(rows.map(({ share }) => share)).toEqual(['74.62', '25.38']);
});
