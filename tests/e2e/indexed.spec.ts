/** Browsing while a daemon is offline or slow: pages show the index's data without waiting. */
import { complaints } from './support/axe.ts';
import { expect, test, type Console } from './support/console.ts';

/** A page that waits for a daemon always takes 750 ms; a busy machine is slow only sometimes. */
const WITHIN_MS = 700;
const TRIES = 3;

interface Rows<T> {
	rows: T[];
}

async function listOf<T>({ url }: Console, path: string): Promise<T[]> {
	const answer = await fetch(`${url}/api/v1/chains/ALPHA/${path}`);
	return ((await answer.json()) as Rows<T>).rows;
}

/** Pages of ALPHA that need only the index, each with a text that it must show. */
async function pagesOf(console: Console): Promise<[path: string, text: string][]> {
	const tip = await console.devnet.rpc<number>('ALPHA', 'getblockcount');
	await expect
		.poll(async () => (await listOf<{ height: number }>(console, 'blocks?limit=1'))[0]?.height)
		.toBe(tip);
	const [block] = await listOf<{ height: number; hash: string }>(console, 'blocks?limit=1');
	const [token] = await listOf<{ tokenid: string; owner: string; name: string }>(
		console,
		'tokens?limit=1'
	);
	const [address] = await listOf<{ address: string }>(console, 'addresses?limit=1');
	return [
		['/chains/ALPHA/blocks', String(tip)],
		[`/chains/ALPHA/block/${tip}`, block!.hash],
		[`/chains/ALPHA/block/${block!.hash}`, block!.hash],
		[`/chains/ALPHA/tx/${token!.tokenid}`, token!.name],
		[`/chains/ALPHA/address/${address!.address}`, 'Balance'],
		[`/chains/ALPHA/address/${token!.owner}`, token!.owner],
		['/chains/ALPHA/addresses', address!.address],
		['/chains/ALPHA/transfers', 'Transfers'],
		['/chains/ALPHA/notarizations', 'Notarizations']
	];
}

for (const fault of ['down', 'latency'] as const) {
	test(`pages of the index are whole and quick while the daemon is ${fault === 'down' ? 'down' : 'slow'}`, async ({
		page,
		console
	}) => {
		await console.devnet.control.auto(false);
		const pages = await pagesOf(console);
		// The first request of a page compiles it, which is not measured.
		for (const [path] of pages) await (await fetch(`${console.url}${path}`)).text();
		await console.devnet.control.fault('ALPHA', fault, fault === 'latency' ? { ms: 6_000 } : {});
		try {
			for (const [path, text] of pages) {
				const times: number[] = [];
				for (let tries = 0; tries < TRIES; tries++) {
					const began = performance.now();
					const answer = await fetch(`${console.url}${path}`);
					const html = await answer.text();
					times.push(performance.now() - began);
					expect(answer.status, path).toBe(200);
					expect(html, path).toContain(text);
				}
				expect(Math.min(...times), path).toBeLessThan(WITHIN_MS);
			}
			// Parts that only the daemon has are reported as missing, and the rest of the page is shown.
			const [, , , [tx]] = pages as [unknown, unknown, unknown, [string, string]];
			await page.goto(`${tx}?bytes=yes`);
			await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Creates token /);
			await expect(
				page
					.getByRole('main')
					.getByText(/answer|offline/)
					.first()
			).toBeVisible();
			// Complete pages are checked with all others; missing parts look the same for each fault.
			if (fault === 'down') expect(await complaints(page)).toEqual([]);
		} finally {
			await console.devnet.control.fault('ALPHA', 'none');
			await console.devnet.control.auto(true);
		}
	});
}

test('a list goes on and back by its links, without scripts too', async ({ browser, console }) => {
	const context = await browser.newContext({ javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto(`${console.url}/chains/ALPHA/blocks?sort=height`);
	const first = page.getByRole('main').getByRole('link', { name: '0', exact: true });
	await expect(first).toBeVisible();
	await page.getByRole('link', { name: 'Next page' }).click();
	await expect(first).toHaveCount(0);
	await expect(page).toHaveURL(/sort=height/);
	await page.getByRole('link', { name: 'Previous page' }).click();
	await expect(first).toBeVisible();
	await expect(page.getByRole('link', { name: 'Previous page' })).toHaveCount(0);
	await context.close();
});
