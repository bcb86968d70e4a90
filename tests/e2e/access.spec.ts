/** What a screen reader and a strict browser would complain about: nothing. */
import type { Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

/** Errors that the browser writes to its console, refused styles and scripts among them. */
function listen(page: Page): string[] {
	const errors: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') errors.push(message.text());
	});
	page.on('pageerror', (error) => errors.push(error.message));
	return errors;
}

/** A run over every page, with axe on each, is long on a small machine. */
test.describe.configure({ timeout: 180_000 });

for (const colorScheme of ['light', 'dark'] as const) {
	test.describe(`in the ${colorScheme} theme`, () => {
		test.use({ colorScheme });

		test('axe finds nothing on the pages of a visitor', async ({ page, console }) => {
			const { rpc } = console.devnet;
			const [tokenid] = await rpc<string[]>('ALPHA', 'tokenlist');
			const height = await rpc<number>('ALPHA', 'getblockcount');
			const { tx } = await rpc<{ tx: string[] }>('ALPHA', 'getblock', String(height), 1);
			const { myaddress } = await rpc<{ myaddress: string }>('ALPHA', 'tokenaddress');
			const hex = await rpc<string>('ALPHA', 'getrawtransaction', tx[0]);
			const answer = await fetch(`${console.url}/api/v1/chains/ALPHA/notarizations?limit=1`);
			const { rows } = (await answer.json()) as { rows: { txid: string }[] };
			const notarization = rows[0]!.txid;
			const errors = listen(page);
			const paths = [
				'/',
				'/ALPHA',
				'/ALPHA/blocks',
				`/ALPHA/block/${height}`,
				`/ALPHA/tx/${tokenid}`,
				`/ALPHA/tx/${tx[0]}`,
				`/ALPHA/address/${myaddress}`,
				'/ALPHA/addresses',
				'/ALPHA/blocks?from=x',
				`/ALPHA/block/${height}?header=yes`,
				`/ALPHA/tx/${tokenid}?bytes=yes`,
				`/ALPHA/address/${myaddress}?unspent=yes`,
				'/ALPHA/tokens',
				`/ALPHA/token/${tokenid}`,
				`/ALPHA/token/${tokenid}?pubkey=${console.devnet.chains.get('ALPHA')!.pubkey}`,
				`/ALPHA/token/${tokenid}?pubkey=zz`,
				'/search?q=nothing',
				'/decode',
				`/decode?hex=${hex}`,
				'/decode?hex=zz',
				'/migrations',
				'/crossings',
				'/map',
				'/ledger',
				'/ALPHA/crossings',
				'/ALPHA/notarizations',
				'/KMD/notarizations',
				`/ALPHA/notarizations/${notarization}`,
				'/ALPHA/mempool',
				'/ALPHA/tokens?q=nothing',
				'/login'
			];
			for (const path of paths) {
				await page.goto(path);
				await page.evaluate(() => {
					for (const details of document.querySelectorAll('main details')) {
						details.setAttribute('open', '');
					}
				});
				expect(await complaints(page), path).toEqual([]);
			}
			expect(errors).toEqual([]);
		});

		test('axe finds nothing on pages that say no', async ({ page }) => {
			for (const path of ['/NOSUCH', '/ALPHA/nonsense', `/ALPHA/tx/${'ab'.repeat(32)}`]) {
				await page.goto(path);
				expect(await complaints(page), path).toEqual([]);
			}
		});

		test('axe finds nothing on the pages of an admin', async ({ page, console }) => {
			const [tokenid] = await console.devnet.rpc<string[]>('ALPHA', 'tokenlist');
			const errors = listen(page);
			await signIn(page);
			const paths = [
				'/',
				'/account',
				'/ALPHA/tokens',
				'/ALPHA/tokens/new',
				`/ALPHA/token/${tokenid}/transfer`,
				`/ALPHA/token/${tokenid}/burn`,
				`/ALPHA/token/${tokenid}/decimals`,
				'/ALPHA/merge',
				'/sends',
				'/migrations',
				'/migrations/new'
			];
			for (const path of paths) {
				const answer = await page.goto(path);
				expect(answer!.status(), path).toBe(200);
				expect(await complaints(page), path).toEqual([]);
			}
			expect(errors).toEqual([]);
		});
	});
}
