/** Pages for visitors, with and without JavaScript. */
import type { Locator, Page } from '@playwright/test';
import { beyondWindow } from './support/axe.ts';
import { expect, test, type Console } from './support/console.ts';
import { PlainBrowser, type PlainPage } from './support/plainBrowser.ts';
import { seededToken } from './support/tokens.ts';

interface VerboseTx {
	txid: string;
	vin: { coinbase?: string; is_import?: string }[];
	vout: { target?: string; scriptPubKey: { asm: string } }[];
}

/** Transactions of each kind in the network's history, found through the daemons themselves. */
async function findExamples({ devnet }: Console) {
	const found = new Map<string, string>();
	const addresses: string[] = [];
	for (const chain of ['ALPHA', 'BETA']) {
		const tip = await devnet.rpc<number>(chain, 'getblockcount');
		for (let height = 1; height <= tip; height++) {
			const block = await devnet.rpc<{ tx: string[] }>(chain, 'getblock', String(height), 1);
			for (const txid of block.tx) {
				const tx = await devnet.rpc<VerboseTx>(chain, 'getrawtransaction', txid, 1);
				const asm = tx.vout.map((out) => out.scriptPubKey.asm).join(' ');
				const at = `/chains/${chain}/tx/${txid}`;
				if (tx.vin[0]?.coinbase) found.set('block reward', at);
				else if (tx.vin[0]?.is_import) found.set('import', at);
				else if (tx.vout.at(-1)?.target) found.set('burn', at);
				else if (asm.includes('OP_RETURN f263')) found.set('creation', at);
				else if (asm.includes('OP_RETURN f274')) found.set('transfer', at);
			}
		}
		addresses.push(await devnet.rpc<string>(chain, 'getnewaddress'));
	}
	const { id: tokenid } = await seededToken(devnet);
	return { found, tokenid, address: addresses[0]! };
}

const searched = new WeakMap<Console, ReturnType<typeof findExamples>>();

/** The same, searched once, because blocks do not change. */
function examples(console: Console): ReturnType<typeof findExamples> {
	const found = searched.get(console) ?? findExamples(console);
	searched.set(console, found);
	return found;
}

const main = (page: Page) => page.getByRole('main');

/** An address of ALPHA's wallet that holds coins. */
async function walletAddress({ devnet }: Console): Promise<string> {
	const { pubkey } = devnet.chains.get('ALPHA')!;
	const facts = await devnet.rpc<{ myaddress: string }>('ALPHA', 'tokenaddress', pubkey);
	return facts.myaddress;
}

test('the overview shows every chain with its height and its wallet', async ({ page }) => {
	await page.goto('/');
	await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
	for (const chain of ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'SELF']) {
		const card = page.locator(`article[data-chain="${chain}"]`);
		await expect(card.locator('[data-state="good"]')).toBeVisible();
		await expect(card.getByRole('definition').first()).toHaveText(/\d/);
	}
	await expect(page.getByText('Devnet: test coins without value')).toBeVisible();
});

test('a chain leads to its blocks, a block to its transactions', async ({ page, console }) => {
	const height = await console.devnet.rpc<number>('ALPHA', 'getblockcount');
	await page.goto('/chains/ALPHA');
	await expect(main(page)).toContainText('777');
	await page.goto('/chains/ALPHA/blocks');
	await expect(main(page)).toContainText(String(height));
	await page.goto(`/chains/ALPHA/block/${height}`);
	const hash = await console.devnet.rpc<string>('ALPHA', 'getblockhash', height);
	await expect(main(page)).toContainText(hash);
	await page.goto(`/chains/ALPHA/block/${hash}`);
	await expect(main(page)).toContainText(String(height));
});

test('a transaction of each kind says what it is', async ({ page, console }) => {
	const { found } = await examples(console);
	expect([...found.keys()].sort()).toEqual([
		'block reward',
		'burn',
		'creation',
		'import',
		'transfer'
	]);
	for (const [kind, path] of found) {
		await page.goto(path);
		await expect(main(page), path).toContainText(new RegExp(kind, 'i'));
		await expect(main(page), path).toContainText(path.slice(-64));
	}
});

test('an address shows what it holds', async ({ page, console }) => {
	const address = await walletAddress(console);
	await page.goto(`/chains/ALPHA/address/${address}`);
	await expect(main(page)).toContainText(address);
	await expect(main(page)).toContainText(/\d\.\d{8}/);
});

/** The same pages in a browser without scripts. */
const plainly = async (
	{ url }: Console,
	path: string
): Promise<{ $: PlainPage['$']; main: string }> => {
	const { $, status } = await new PlainBrowser(url).open(path);
	expect(status, path).toBe(200);
	const main = $('main');
	main.find('script, style, [hidden]').remove();
	return { $, main: main.text().replaceAll(/\s+/g, ' ') };
};

test('the overview shows every chain with its height and its wallet, without JavaScript', async ({
	console
}) => {
	const { $ } = await plainly(console, '/');
	expect($('h1').text().trim()).toBe('Overview');
	for (const chain of ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'SELF']) {
		const card = $(`article[data-chain="${chain}"]`);
		expect(card.find('[data-state="good"]').length, chain).toBe(1);
		expect(card.find('dd').first().text(), chain).toMatch(/\d/);
	}
	expect($('body').text()).toContain('Devnet: test coins without value');
});

test('a chain, its blocks and a block are read without JavaScript', async ({ console }) => {
	const height = await console.devnet.rpc<number>('ALPHA', 'getblockcount');
	const hash = await console.devnet.rpc<string>('ALPHA', 'getblockhash', height);
	expect((await plainly(console, '/chains/ALPHA')).main).toContain('777');
	expect((await plainly(console, '/chains/ALPHA/blocks')).main).toContain(String(height));
	expect((await plainly(console, `/chains/ALPHA/block/${height}`)).main).toContain(hash);
	expect((await plainly(console, `/chains/ALPHA/block/${hash}`)).main).toContain(String(height));
});

test('a transaction of each kind says what it is, without JavaScript', async ({ console }) => {
	const { found } = await examples(console);
	for (const [kind, path] of found) {
		const { main } = await plainly(console, path);
		expect(main, path).toMatch(new RegExp(kind, 'i'));
		expect(main, path).toContain(path.slice(-64));
	}
});

test('an address shows what it holds, without JavaScript', async ({ console }) => {
	const address = await walletAddress(console);
	const { main } = await plainly(console, `/chains/ALPHA/address/${address}`);
	expect(main).toContain(address);
	expect(main).toMatch(/\d\.\d{8}/);
});

for (const javaScriptEnabled of [true, false]) {
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('the token list and a token show all facts', async ({ page, console }) => {
			const { tokenid } = await examples(console);
			const info = await console.devnet.rpc<{ name: string; owner: string; description: string }>(
				'ALPHA',
				'tokeninfo',
				tokenid
			);
			await page.goto('/chains/ALPHA/tokens');
			await page.getByRole('link', { name: info.name, exact: true }).first().click();
			await expect(page.getByRole('heading', { level: 1 })).toHaveText(info.name);
			await expect(main(page)).toContainText(info.owner);
			await expect(main(page)).toContainText(info.description);
		});

		test('the balance and addresses of any key are looked up, and a wrong key is named', async ({
			page,
			console
		}) => {
			const { tokenid } = await examples(console);
			const owner = console.devnet.chains.get('ALPHA')!.pubkey;
			await page.goto(`/chains/ALPHA/token/${tokenid}`);
			await page.getByRole('textbox', { name: 'Public key' }).fill(owner);
			await page.getByRole('button', { name: 'Check' }).click();
			const facts = await console.devnet.rpc<Record<string, string>>(
				'ALPHA',
				'tokenaddress',
				owner
			);
			for (const name of ['TokensCCAddress', 'PubkeyCCaddress(Tokens)', 'myaddress']) {
				await expect(main(page)).toContainText(facts[name]!);
			}
			await page.getByRole('textbox', { name: 'Public key' }).fill('02abc');
			await page.getByRole('button', { name: 'Check' }).click();
			await expect(page.getByRole('textbox', { name: 'Public key' })).toHaveValue('02abc');
			await expect(page.getByRole('textbox', { name: 'Public key' })).toHaveAttribute(
				'aria-invalid',
				'true'
			);
		});

		test('a pasted transaction is explained, and broken hex gets the place where it ends to make sense', async ({
			page,
			console
		}) => {
			const { found } = await examples(console);
			const txid = found.get('burn')!.slice(-64);
			const hex = await console.devnet.rpc<string>('ALPHA', 'getrawtransaction', txid);
			await page.goto('/decode');
			const field = page.getByRole('textbox', { name: /hex/i });
			await field.fill(hex);
			await page.getByRole('button', { name: /decode|explain/i }).click();
			await expect(main(page)).toContainText(txid);
			await expect(main(page)).toContainText('BETA');
			await field.fill(hex.slice(0, 101));
			await page.getByRole('button', { name: /decode|explain/i }).click();
			await expect(main(page)).toContainText(/odd/i);
			await field.fill(`${hex.slice(0, 40)}xy${hex.slice(42)}`);
			await page.getByRole('button', { name: /decode|explain/i }).click();
			await expect(main(page)).toContainText(/41/);
		});

		test('the search box finds blocks, transactions, tokens and chains', async ({
			page,
			console
		}) => {
			const { found, tokenid } = await examples(console);
			const search = async (text: string): Promise<void> => {
				await page.goto('/');
				await page.locator('#search').fill(text);
				await page.locator('#search').press('Enter');
				await page.waitForURL((url) => url.pathname !== '/');
			};
			await search(found.get('import')!.slice(-64));
			await expect(page).toHaveURL(new RegExp('/chains/BETA/tx/'));
			await search(tokenid);
			await expect(page).toHaveURL(new RegExp(tokenid));
			await search('GAMMA');
			await expect(page).toHaveURL(/\/chains\/GAMMA$/);
			await search('nothing is called like this');
			await expect(main(page)).toContainText(/nothing|no /i);
		});
	});
}

test('an unknown chain, transaction or page is a page that says so', async ({ page }) => {
	for (const path of [
		'/chains/NOSUCH',
		`/chains/ALPHA/tx/${'ab'.repeat(32)}`,
		'/chains/ALPHA/nonsense',
		'/chains/ALPHA/block/999999'
	]) {
		const answer = await page.goto(path);
		expect(answer!.status(), path).toBe(404);
		await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
	}
});

test('the filter of a list says what the list shows, also after going back and forward', async ({
	page
}) => {
	await page.goto('/chains/ALPHA/transactions');
	const kind = page.getByLabel('Kind');
	const block = page.getByRole('main').locator('[name="block"]');
	const filter = page.getByRole('button', { name: 'Filter' });
	await kind.selectOption({ index: 1 });
	const first = await kind.inputValue();
	await block.fill('3');
	await filter.click();
	await expect(page).toHaveURL(new RegExp(`kind=${first}`));
	await kind.selectOption({ index: 2 });
	const second = await kind.inputValue();
	await block.fill('4');
	await filter.click();
	await expect(page).toHaveURL(new RegExp(`kind=${second}`));
	const shown = async (wanted: string, height: string): Promise<void> => {
		await expect(kind).toHaveValue(wanted);
		await expect(block).toHaveValue(height);
	};
	for (const [step, wanted, height] of [
		['goBack', first, '3'],
		['goBack', '', ''],
		['goForward', first, '3'],
		['goForward', second, '4']
	] as const) {
		await page[step]();
		await shown(wanted, height);
	}

	// A choice that was not submitted is restored only on its own list's page.
	await page.goto('/chains/KMD/blocks');
	const order = page.getByRole('main').locator('[name="sort"]');
	const from = page.getByRole('main').locator('[name="from"]');
	await order.selectOption('height');
	await from.fill('4');
	await page.getByRole('link', { name: 'Next' }).click();
	await expect(page).toHaveURL(/cursor=/);
	await expect(order).toHaveValue('-height');
	await expect(from).toHaveValue('');
});

test('the state of a chain and the tab that is shown are seen in the colors of the system, too', async ({
	page
}) => {
	await page.emulateMedia({ forcedColors: 'active' });
	await page.goto('/chains/ALPHA');
	const colorOf = (of: Locator, name: string): Promise<string> =>
		of.evaluate((element, asked) => getComputedStyle(element).getPropertyValue(asked), name);
	const canvas = await colorOf(page.locator('body'), 'background-color');
	const dot = page.locator('nav [data-state="good"] > span').first();
	expect(await colorOf(dot, 'background-color')).not.toBe(canvas);
	const tabs = page.getByRole('main').getByRole('navigation').first().getByRole('link');
	const lines = await Promise.all(
		(await tabs.all()).map((tab) => colorOf(tab, 'border-bottom-color'))
	);
	const current = await tabs.evaluateAll((all) =>
		all.findIndex((tab) => tab.getAttribute('aria-current') === 'page')
	);
	expect(lines.filter((line) => line === lines[current])).toHaveLength(1);

	await page.goto('/chains/ALPHA/notarizations');
	const legend = page.locator('figcaption [aria-hidden]');
	await expect(legend).toHaveCount(2);
	for (const color of await legend.all()) {
		expect(await colorOf(color, 'background-color')).not.toBe(canvas);
	}
	// What is drawn follows the colors of the system, not the theme that was chosen for others.
	const axis = page.locator('figure svg text').first();
	const seen = await colorOf(axis, 'fill');
	const { origin } = new URL(page.url());
	await page.request.post('/theme', { headers: { origin }, form: { theme: 'dark', to: '/' } });
	await page.reload();
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
	expect(await colorOf(axis, 'fill')).toBe(seen);
});

test('the skip link is the first thing that the keyboard reaches', async ({ page }) => {
	await page.goto('/');
	await page.keyboard.press('Tab');
	const skip = page.getByRole('link', { name: 'Skip to main content' });
	await expect(skip).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/#/);
});

test('no page scrolls sideways at 360, 768 and 1440 pixels', async ({ page, console }) => {
	const { found, tokenid } = await examples(console);
	const paths = [
		'/',
		'/chains/ALPHA',
		'/chains/ALPHA/blocks',
		'/chains/ALPHA/tokens',
		`/chains/ALPHA/token/${tokenid}`,
		...found.values(),
		'/transfers',
		'/routes',
		'/reconciliation',
		'/chains/ALPHA/transfers',
		'/chains/ALPHA/notarizations',
		'/chains/ALPHA/mempool',
		'/decode',
		'/help',
		'/help/rpc-api',
		'/help/errors',
		'/login'
	];
	for (const path of paths) {
		await page.goto(path);
		for (const width of [360, 768, 1440]) {
			await page.setViewportSize({ width, height: 900 });
			expect(await beyondWindow(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
		}
	}
});
