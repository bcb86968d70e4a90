/** The pages of a transaction and of its block, for readers who do not know the chain. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, test, type Console } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

const main = (page: Page) => page.getByRole('main');

/** The newest transaction of a kind, from the public API. */
async function newest({ url }: Console, chain: string, kind: string): Promise<string> {
	let txid: string | undefined;
	await expect
		.poll(async () => {
			const answer = await fetch(`${url}/api/v1/chains/${chain}/transactions?kind=${kind}&limit=1`);
			const { rows } = (await answer.json()) as { rows?: { txid: string }[] };
			txid = rows?.[0]?.txid;
			return txid;
		})
		.toBeDefined();
	return txid!;
}

/** Each kind in devnet's history, with its headline. */
const KINDS: readonly [chain: string, kind: string, headline: RegExp][] = [
	['ALPHA', 'coinbase', /^Block reward of [\d.\u202f]+ ALPHA$/],
	['ALPHA', 'token-create', /^Creates token ./],
	['ALPHA', 'token-transfer', /^Transfers [\d.\u202f]+ \S.* to 0[23]\w{6}…\w{8}$/],
	['ALPHA', 'burn', /^Burns [\d.\u202f]+ ALPHA for \w+$/],
	['BETA', 'import', /^Imports [\d.\u202f]+ BETA from \w+$/],
	['KMD', 'notarization', /^Notarizes \w+ up to block [\d\u202f]+$/]
];

for (const javaScriptEnabled of [true, false]) {
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('a transaction says what it does, and shows what flows in and out', async ({
			page,
			console
		}) => {
			for (const [chain, kind, headline] of KINDS) {
				await page.goto(`/chains/${chain}/tx/${await newest(console, chain, kind)}`);
				await expect(page.getByRole('heading', { level: 1 })).toHaveText(headline);
				const outputs = page.getByRole('region', { name: /^Outputs \(\d+\)$/ });
				const count = Number(/\d+/.exec((await outputs.getByRole('heading').textContent())!)![0]);
				await expect(outputs.getByRole('listitem')).toHaveCount(Math.min(count, 20));
				await expect(page.getByRole('region', { name: /^Inputs \(\d+\)$/ })).toBeVisible();
			}
		});

		test('a block says who mined it, what for, and how long after the one before', async ({
			page,
			console
		}) => {
			const height = await console.devnet.rpc<number>('ALPHA', 'getblockcount');
			const { tx } = await console.devnet.rpc<{ tx: string[] }>(
				'ALPHA',
				'getblock',
				String(height - 1)
			);
			const { vout } = await console.devnet.rpc<{
				vout: { scriptPubKey: { addresses: string[] } }[];
			}>('ALPHA', 'getrawtransaction', tx[0]!, 1);
			await page.goto(`/chains/ALPHA/block/${height - 1}`);
			await expect(main(page)).toContainText(vout[0]!.scriptPubKey.addresses[0]!);
			for (const term of ['Mined by', 'Block reward', 'Fees', 'Interval']) {
				await expect(main(page).getByRole('term').filter({ hasText: term })).toBeVisible();
			}
			await expect(main(page)).toContainText(/ 1 \(\d+ blocks? deep; final once notarized\)/);
			await page.getByRole('link', { name: 'Previous block' }).click();
			await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Block /);
			await page.getByRole('link', { name: 'Next block' }).click();
			await expect(main(page)).toContainText(vout[0]!.scriptPubKey.addresses[0]!);
		});
	});
}

test('nothing of a transaction is clipped on a desk, and nothing keeps somebody out', async ({
	page,
	console
}) => {
	const { id } = await seededToken(console.devnet);
	const paths = [`/chains/ALPHA/tx/${id}`];
	for (const [chain, kind] of KINDS) {
		paths.push(`/chains/${chain}/tx/${await newest(console, chain, kind)}`);
	}
	for (const path of paths) {
		await page.goto(path);
		for (const width of [390, 1360, 1920]) {
			await page.setViewportSize({ width, height: 900 });
			const wide = await page.evaluate(() =>
				[document.documentElement, ...document.querySelectorAll('.table-place')].some(
					(place) => place.scrollWidth > place.clientWidth + 1
				)
			);
			expect(wide, `${path} at ${width}`).toBe(false);
		}
		expect(await complaintsEveryWay(page), path).toEqual([]);
	}
});

test('a transaction too long for a link is decoded byte by byte, too', async ({
	page,
	console
}) => {
	const { hex } = await console.devnet.rpc<{ hex: string }>(
		'ALPHA',
		'tokencreate',
		'LONGTALE',
		'0.00000010',
		'd'.repeat(4_000)
	);
	const txid = await console.devnet.rpc<string>('ALPHA', 'sendrawtransaction', hex);
	await console.devnet.control.mine('ALPHA');
	// Loading more data does not leave the current part of the flow.
	await page.goto(`/chains/ALPHA/tx/${txid}?page=1`);
	await page.getByRole('link', { name: 'Load bytes from the daemon' }).click();
	await expect(page).toHaveURL(/\?page=1&bytes=yes#bytes$/);
	await page.getByRole('button', { name: 'Decode byte by byte' }).click();
	await expect(page).toHaveURL(/\/decode$/);
	await expect(page.locator('[name="hex"]')).toHaveValue(hex);
	await expect(main(page)).toContainText('LONGTALE');
});
