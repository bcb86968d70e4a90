/** What a screen reader and a strict browser would complain about: nothing. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay, unfold } from './support/axe.ts';
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

/** A run over every page, each looked at three times, is long on a small machine. */
test.describe.configure({ timeout: 400_000 });

/** Looks at each page with everything unfolded, and answers what is wrong with it by its path. */
async function lookAtAll(
	page: Page,
	paths: readonly string[],
	status: number
): Promise<Record<string, string[]>> {
	const found: Record<string, string[]> = {};
	for (const path of paths) {
		const answer = await page.goto(path);
		expect(answer!.status(), path).toBe(status);
		await unfold(page);
		// What stands around the pages is looked at once.
		const told = await complaintsEveryWay(page, path === '/' ? 'html' : 'main');
		if (told.length > 0) found[path] = told;
	}
	return found;
}

test('axe finds nothing on the pages of a visitor, narrow and wide, light and dark', async ({
	page,
	console
}) => {
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
	const found = await lookAtAll(
		page,
		[
			'/',
			'/chains/ALPHA',
			'/chains/ALPHA/blocks',
			`/chains/ALPHA/block/${height}`,
			`/chains/ALPHA/tx/${tokenid}`,
			`/chains/ALPHA/tx/${tx[0]}`,
			`/chains/ALPHA/address/${myaddress}`,
			'/chains/ALPHA/addresses',
			'/chains/ALPHA/blocks?from=x',
			`/chains/ALPHA/block/${height}?header=yes`,
			`/chains/ALPHA/tx/${tokenid}?bytes=yes`,
			`/chains/ALPHA/address/${myaddress}?tab=tokens`,
			`/chains/ALPHA/address/${myaddress}?tab=utxos`,
			`/chains/ALPHA/address/${myaddress}?tab=utxos&source=daemon`,
			'/chains/ALPHA/tokens',
			`/chains/ALPHA/token/${tokenid}`,
			`/chains/ALPHA/token/${tokenid}?pubkey=${console.devnet.chains.get('ALPHA')!.pubkey}`,
			`/chains/ALPHA/token/${tokenid}?pubkey=zz`,
			'/search?q=nothing',
			'/decode',
			`/decode?hex=${hex}`,
			'/decode?hex=zz',
			'/transfers',
			'/routes',
			'/reconciliation',
			'/chains/ALPHA/transfers',
			'/chains/ALPHA/notarizations',
			'/chains/KMD/notarizations',
			`/chains/ALPHA/notarizations/${notarization}`,
			'/chains/ALPHA/mempool',
			'/chains/ALPHA/mom',
			'/chains/KMD/momom',
			'/chains/ALPHA/tokens?q=nothing',
			'/login'
		],
		200
	);
	expect(found).toEqual({});
	expect(errors).toEqual([]);
});

test('axe finds nothing on pages that say no', async ({ page }) => {
	const paths = ['/chains/NOSUCH', '/chains/ALPHA/nonsense', `/chains/ALPHA/tx/${'ab'.repeat(32)}`];
	expect(await lookAtAll(page, paths, 404)).toEqual({});
});

test('axe finds nothing on the pages of an admin, narrow and wide, light and dark', async ({
	page,
	console
}) => {
	const [tokenid] = await console.devnet.rpc<string[]>('ALPHA', 'tokenlist');
	const errors = listen(page);
	await signIn(page);
	const found = await lookAtAll(
		page,
		[
			'/',
			'/account',
			'/admin/members',
			'/admin/safety',
			'/chains/ALPHA/tokens',
			'/chains/ALPHA/tokens/new',
			`/chains/ALPHA/token/${tokenid}/transfer`,
			`/chains/ALPHA/token/${tokenid}/burn`,
			`/chains/ALPHA/token/${tokenid}/decimals`,
			'/chains/ALPHA/consolidate',
			'/chains/ALPHA/burns',
			'/chains/SELF/self-import',
			'/transactions',
			'/notary-approvals',
			'/console',
			'/daemons',
			'/migrations',
			'/migrations/new',
			'/migrations/new/custom',
			'/migrations/new/token'
		],
		200
	);
	expect(found).toEqual({});
	expect(errors).toEqual([]);
});
