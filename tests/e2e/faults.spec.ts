/** One daemon in trouble: no page waits for it, each says so in words, and the rest is unharmed. */
import { DAEMON_FAULTS, LATE_MS } from '../support/daemonFaults.ts';
import { complaints } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

/** A page that waits for the daemon takes as long as the daemon does. The bench holds pages against their goal. */
const NOT_WAITED_MS = LATE_MS / 4;

/** What says on a page that a daemon is in trouble: a notice, or the state on its chain's card. */
const MARKS = [
	'main [data-kind="wait"]',
	'main [data-kind="fail"]',
	'main [data-chain="ALPHA"] [data-state="wait"]',
	'main [data-chain="ALPHA"] [data-state="bad"]'
].join(', ');

/** The index looks again after a while only. */
test.use({ apart: 'faults' });

for (const { kind, ms } of DAEMON_FAULTS) {
	test(`ALPHA under the fault "${kind}" is marked on each page and comes back`, async ({
		page,
		console
	}) => {
		const { control, rpc } = console.devnet;
		const [tokenid] = await rpc<string[]>('ALPHA', 'tokenlist');
		await signIn(page);
		const pages = [
			'/',
			'/chains/ALPHA',
			'/chains/ALPHA/tokens',
			`/chains/ALPHA/token/${tokenid}`,
			'/chains/ALPHA/tokens/new'
		];
		await expect(async () => {
			for (const path of pages) {
				await page.goto(path);
				await expect(page.locator(MARKS), path).toHaveCount(0, { timeout: 500 });
			}
		}).toPass({ timeout: 30_000 });
		await control.fault('ALPHA', kind, ms === undefined ? {} : { ms });
		try {
			for (const path of pages) {
				const began = performance.now();
				const answer = await page.request.get(path);
				const took = performance.now() - began;
				expect(answer.status(), path).toBe(200);
				expect(took, path).toBeLessThan(NOT_WAITED_MS);
				await page.goto(path);
				await expect(page.locator(MARKS).first(), path).toBeVisible();
				if (path === '/' || path === '/chains/ALPHA/tokens') {
					expect(await complaints(page), path).toEqual([]);
				}
			}
			await page.goto('/');
			for (const chain of ['KMD', 'BETA', 'GAMMA', 'SELF']) {
				await expect(page.locator(`[data-chain="${chain}"] [data-state="good"]`)).toBeVisible();
			}
			await page.goto('/chains/BETA/tokens');
			await expect(page.locator('main').getByRole('alert')).toHaveCount(0);
		} finally {
			await control.fault('ALPHA', 'none');
		}
		await expect(async () => {
			await page.goto('/');
			const well = page.locator('[data-chain="ALPHA"] [data-state="good"]');
			await expect(well).toBeVisible({ timeout: 500 });
		}).toPass({ timeout: 30_000 });
	});
}
