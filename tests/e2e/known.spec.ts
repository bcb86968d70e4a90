/** Pages about blocks that a reorganization removed, and about chains whose daemon is offline. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { signIn as openProduct, type ProductClient } from '../support/productClient.ts';
import { ADMIN, expect, signIn, test, type Console } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

/** No page may wait for a daemon; the network keeps the machine busy. */
const WITHIN_MS = 2_000;

test.use({ apart: 'known' });

interface Page {
	status: number;
	location: string | null;
	text: string;
}

/** A page with the condition that it meets only while the block is part of its chain. */
type Naming = [path: string, says: (page: Page) => boolean];

/** Data of an ALPHA block, and Komodeck's rows about it. */
interface Held {
	/** The block with the import, and the block with all the rest. */
	import: { height: number; txid: string; migration: string };
	height: number;
	hash: string;
	token: string;
	send: string;
	creator: string;
	notarization: string;
	burn: { txid: string; migration: string };
}

const draft = async (product: ProductClient, fields: Record<string, string>): Promise<string> => {
	const outcome = await product.submit('/migrations/new', {
		policy: 'automatic',
		proof: 'notarizations',
		...fields
	});
	if (outcome.kind === 'refused') throw new Error(outcome.shown);
	await product.submit(`${outcome.location}?/confirm`, {});
	return outcome.location;
};

/** Mines a token, a burn, an import and a notarization in blocks of ALPHA that are not final. */
async function fill({ devnet, url }: Console, product: ProductClient): Promise<Held> {
	const { control, rpc } = devnet;
	const stateOf = async (page: string): Promise<unknown> => (await product.page(page))['state'];
	const [toAlpha, toBeta] = [
		await rpc<string>('ALPHA', 'getnewaddress'),
		await rpc<string>('BETA', 'getnewaddress')
	];
	const inward = await draft(product, {
		source: 'BETA',
		destination: 'ALPHA',
		address: toAlpha,
		amount: '1.15'
	});
	await expect(async () => {
		await control.notarize('BETA');
		await control.notarize('ALPHA');
		await expect.poll(() => stateOf(inward), { timeout: 500 }).toBe('done');
	}).toPass({ timeout: 120_000 });
	const { steps } = (await product.page(inward)) as {
		steps: { id: string; evidence?: { label: string; value: string }[] }[];
	};
	const arrival = steps.find(({ id }) => id === 'import-confirmed')!.evidence!;
	const factOf = (label: string): string => arrival.find((one) => one.label === label)!.value;

	const created = await product.submit('/chains/ALPHA/tokens/new', {
		kind: 'fungible',
		name: 'TAKENBACK',
		supply: '1000',
		decimals: '8',
		description: '',
		data: ''
	});
	if (created.kind === 'refused') throw new Error(created.shown);
	await product.submit(`${created.location}?/send`, {});
	const { send } = (await product.page(created.location)) as {
		send: { txid: string; pubkey: string };
	};
	const outward = await draft(product, {
		source: 'ALPHA',
		destination: 'BETA',
		address: toBeta,
		amount: '1.25'
	});
	await expect.poll(() => rpc<string[]>('ALPHA', 'getrawmempool')).toHaveLength(2);
	const { burnTxid } = {
		burnTxid: (await rpc<string[]>('ALPHA', 'getrawmempool')).find((txid) => txid !== send.txid)!
	};
	await control.notarizeKmd('ALPHA');
	const { backNotarization, height } = await control.backNotarize('ALPHA', true);
	const hash = await rpc<string>('ALPHA', 'getblockhash', height);
	const { tx } = await rpc<{ tx: string[] }>('ALPHA', 'getblock', hash);
	expect(tx).toEqual(expect.arrayContaining([send.txid, burnTxid, backNotarization]));
	await expect
		.poll(async () => (await fetch(`${url}/api/v1/chains/ALPHA/blocks/${hash}`)).status)
		.toBe(200);
	return {
		import: { height: Number(factOf('Block')), txid: factOf('Transaction'), migration: inward },
		height,
		hash,
		token: send.txid,
		send: created.location,
		creator: addressOfPubkey(send.pubkey),
		notarization: backNotarization!,
		burn: { txid: burnTxid, migration: outward }
	};
}

const has =
	(text: string) =>
	({ status, location, text: body }: Page): boolean =>
		status < 400 && (body.includes(text) || location?.includes(text) === true);

function pagesNaming(held: Held): Naming[] {
	const { height, hash, token, notarization, burn } = held;
	const inBlock = has(`/chains/ALPHA/block/${height}"`);
	const api = '/api/v1/chains/ALPHA';
	const there = ({ status }: Page): boolean => status === 200;
	return [
		['/chains/ALPHA', has(hash)],
		['/chains/ALPHA/blocks', has(hash)],
		[`/chains/ALPHA/block/${height}`, has(hash)],
		[
			`/chains/ALPHA/block/${hash}`,
			(page) => has(hash)(page) && !has('Orphaned by a reorganization')(page)
		],
		[`/search?q=${hash}`, has(`/chains/ALPHA/block/${hash}`)],
		[`/search?q=${token}`, has(`/chains/ALPHA/token/${token}`)],
		[`/api/search?q=${hash}`, has('/chains/ALPHA/block/')],
		[`/chains/ALPHA/tx/${token}`, inBlock],
		[`/chains/ALPHA/proof/${token}`, inBlock],
		[`/chains/ALPHA/token/${token}`, inBlock],
		[`/chains/ALPHA/token/${token}`, has('Backing')],
		[
			'/chains/ALPHA/tokens',
			({ text }) => new RegExp(`data-token="${token}"(?! data-waiting)`).test(text)
		],
		[`/chains/ALPHA/address/${held.creator}`, has(token)],
		['/chains/ALPHA/notarizations', has(notarization)],
		[`/chains/ALPHA/notarizations/${notarization}`, there],
		['/chains/ALPHA/transfers', has(burn.txid)],
		['/chains/BETA/transfers', has(held.import.txid)],
		['/transfers', has(held.import.txid)],
		['/reconciliation', has(burn.txid)],
		['/chains/ALPHA/imports', has(held.import.txid)],
		[`/chains/ALPHA/imports?block=${held.import.height}`, has(held.import.txid)],
		[held.send, inBlock],
		[burn.migration, inBlock],
		[held.import.migration, has(`/chains/ALPHA/block/${held.import.height}"`)],
		[`${api}/blocks/${hash}`, there],
		[`${api}/blocks`, has(hash)],
		[`${api}/tx/${token}`, there],
		[`${api}/tokens/${token}`, there],
		[`${api}/tokens`, has(token)],
		[`${api}/notarizations`, has(notarization)],
		[`${api}/imports`, has(held.import.txid)],
		['/api/v1/transfers', has(held.import.txid)]
	];
}

test('no page names a block that a reorganization took back', async ({ console }) => {
	test.setTimeout(240_000);
	const { control, rpc } = console.devnet;
	const product = await openProduct(console.url, ADMIN);
	const held = await fill(console, product);
	const pages = pagesNaming(held);
	const naming = async (): Promise<string[]> => {
		const found: string[] = [];
		for (const [path, says] of pages) if (says(await product.text(path))) found.push(path);
		return found;
	};
	await expect.poll(naming, { timeout: 15_000 }).toEqual(pages.map(([path]) => path));
	const tip = await rpc<number>('ALPHA', 'getblockcount');
	await control.reorg('ALPHA', tip - held.import.height + 1, true);
	await expect.poll(naming, { timeout: 30_000 }).toEqual([]);
});

test('the history of a wallet calls nothing pending that a reorganization left nowhere', async ({
	page,
	console
}) => {
	const { control, rpc } = console.devnet;
	const txid = await rpc<string>('ALPHA', 'sendtoaddress', await rpc('ALPHA', 'getnewaddress'), 2);
	await signIn(page);
	const row = page.getByRole('row').filter({ has: page.locator(`[href$="/tx/${txid}"]`) });
	const shown = async (words: string): Promise<void> => {
		await page.goto('/wallets/ALPHA/history?source=daemon');
		await expect(row).toContainText(words, { timeout: 1_000 });
	};
	await expect(() => shown('Pending')).toPass();
	await control.mine('ALPHA');
	await control.reorg('ALPHA', 1, true, true);
	await expect(() => shown('Neither confirmed nor in the mempool')).toPass();
});

test('a server that starts while a daemon is down shows what the index knows, and how old it is', async ({
	console
}) => {
	const { control, rpc } = console.devnet;
	const height = await rpc<number>('ALPHA', 'getblockcount');
	const hash = await rpc<string>('ALPHA', 'getblockhash', height);
	const { id: token, name } = await seededToken(console.devnet);
	const { owner } = await rpc<{ owner: string }>('ALPHA', 'tokeninfo', token);
	const { rows } = (await (
		await fetch(`${console.url}/api/v1/chains/ALPHA/notarizations?limit=1`)
	).json()) as { rows: { txid: string }[] };
	const notarization = rows[0]!.txid;
	await expect
		.poll(async () => (await fetch(`${console.url}/api/v1/chains/ALPHA/blocks/${hash}`)).status)
		.toBe(200);
	await control.fault('ALPHA', 'down');
	try {
		await console.crashAndRestart();
		const product = await openProduct(console.url, ADMIN);
		const pages: [path: string, known: string][] = [
			['/', 'Indexed <time'],
			['/chains/ALPHA', hash],
			['/chains/ALPHA/blocks', hash],
			[`/chains/ALPHA/block/${height}`, hash],
			[`/chains/ALPHA/block/${height}?header=yes`, hash],
			['/chains/ALPHA/tokens', name],
			[`/chains/ALPHA/token/${token}`, name],
			[`/chains/ALPHA/token/${token}?pubkey=${owner}`, 'Balance of this token'],
			[`/chains/ALPHA/tx/${token}`, name],
			[`/chains/ALPHA/tx/${token}?bytes=yes`, name],
			[`/chains/ALPHA/address/${addressOfPubkey(owner)}?tab=tokens`, token],
			['/chains/ALPHA/addresses', 'Addresses'],
			['/chains/ALPHA/mempool', 'Only the daemon knows its mempool'],
			['/chains/ALPHA/notarizations', notarization],
			[`/chains/ALPHA/notarizations/${notarization}`, notarization],
			['/chains/ALPHA/transfers', 'Transfers'],
			['/chains/ALPHA/imports', 'Imports'],
			['/transfers', 'Transfers'],
			['/reconciliation', 'CCid'],
			[`/search?q=${token}`, `/chains/ALPHA/token/${token}`],
			[`/search?q=${encodeURIComponent(name)}`, `/chains/ALPHA/token/${token}`]
		];
		for (const [path, known] of pages) {
			const began = performance.now();
			const { status, text } = await product.text(path);
			const took = performance.now() - began;
			expect(status, path).toBe(200);
			expect(text, path).toContain(known);
			expect(text, path).toContain('ALPHA has been offline');
			expect(text, path).toMatch(/(Read|Indexed)(<!--.*?-->|\s)*<time/);
			expect(took, path).toBeLessThan(WITHIN_MS);
		}
		const { text } = await product.text('/chains/ALPHA/burns');
		expect(text).toContain('Only the daemon knows the burns of its wallet');
	} finally {
		await control.fault('ALPHA', 'none');
	}
});
