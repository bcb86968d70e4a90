/** A faulty daemon: no page waits for it, each page says so, and everything else works. */
import { DAEMON_FAULTS, LATE_MS } from '../support/daemonFaults.ts';
import { complaints } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';

/**
 * A page that waited for the daemon would take as long as the daemon. The bench compares pages with their goal.
 */
const NOT_WAITED_MS = LATE_MS / 4;

/** Elements that report a faulty daemon: a notice, or the state on its chain's card. */
const MARKS = [
	'main [data-kind="wait"]',
	'main [data-kind="fail"]',
	'main [data-chain="ALPHA"] [data-state="wait"]',
	'main [data-chain="ALPHA"] [data-state="bad"]'
].join(', ');

/** The index needs a while until it looks again. */
test.use({ apart: 'faults' });

// The reports are in the HTML: a browser without scripts reads the pages.
for (const { kind, ms } of DAEMON_FAULTS) {
	test(`ALPHA under the fault "${kind}" is marked on each page and comes back`, async ({
		console
	}) => {
		const { control, rpc } = console.devnet;
		const [tokenid] = await rpc<string[]>('ALPHA', 'tokenlist');
		const browser = new PlainBrowser(console.url);
		await browser.signIn();
		const pages = [
			'/',
			'/chains/ALPHA',
			'/chains/ALPHA/tokens',
			`/chains/ALPHA/token/${tokenid}`,
			'/chains/ALPHA/tokens/new'
		];
		const marksOn = async (path: string): Promise<number> => {
			const { status, $ } = await browser.open(path);
			expect(status, path).toBe(200);
			return $(MARKS).length;
		};
		await expect(async () => {
			for (const path of pages) expect(await marksOn(path), path).toBe(0);
		}).toPass({ timeout: 30_000 });
		await control.fault('ALPHA', kind, ms === undefined ? {} : { ms });
		try {
			for (const path of pages) {
				const began = performance.now();
				await browser.open(path);
				expect(performance.now() - began, path).toBeLessThan(NOT_WAITED_MS);
				await expect.poll(() => marksOn(path), path).toBeGreaterThan(0);
			}
			const need =
				kind === 'down' || kind === 'truncate'
					? 'ALPHA is offline'
					: 'Current data of ALPHA could not be read';
			await expect.poll(async () => (await browser.open('/')).$('#needs').text()).toContain(need);
			const overview = await browser.open('/');
			for (const chain of ['KMD', 'BETA', 'GAMMA', 'SELF']) {
				expect(overview.$(`[data-chain="${chain}"] [data-state="good"]`), chain).toHaveLength(1);
			}
			expect((await browser.open('/chains/BETA/tokens')).$('main [role="alert"]')).toHaveLength(0);
		} finally {
			await control.fault('ALPHA', 'none');
		}
		await expect(async () => {
			const { $ } = await browser.open('/');
			expect($('[data-chain="ALPHA"] [data-state="good"]')).toHaveLength(1);
		}).toPass({ timeout: 30_000 });
	});
}

test('a browser that runs scripts shows the mark of a daemon in trouble, takes it away afterwards, and axe finds nothing', async ({
	page,
	console
}) => {
	const { control } = console.devnet;
	await signIn(page);
	await control.fault('ALPHA', 'down');
	try {
		for (const path of ['/', '/chains/ALPHA/tokens']) {
			await page.goto(path);
			await expect(page.locator(MARKS).first(), path).toBeVisible();
			expect(await complaints(page), path).toEqual([]);
		}
	} finally {
		await control.fault('ALPHA', 'none');
	}
	await expect(async () => {
		await page.goto('/');
		const well = page.locator('[data-chain="ALPHA"] [data-state="good"]');
		await expect(well).toBeVisible({ timeout: 500 });
	}).toPass({ timeout: 30_000 });
});
