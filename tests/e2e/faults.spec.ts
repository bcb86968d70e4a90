/** One daemon in trouble: pages answer within a second, say so in words, and the rest is unharmed. */
import type { FaultKind } from '../support/devnet.ts';
import { complaints } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

/**
 * A page may wait 750 ms for daemons. The rest of this is for a machine that runs the network, the server
 * and a browser on two cores.
 */
const WITHIN_MS = 1_800;

const faults: readonly { kind: FaultKind; ms?: number }[] = [
	{ kind: 'down' },
	{ kind: 'warm-up' },
	{ kind: 'latency', ms: 6_000 },
	{ kind: 'work-queue-full' },
	{ kind: 'truncate' },
	{ kind: 'wrong-password' }
];

for (const { kind, ms } of faults) {
	test(`ALPHA under the fault "${kind}" is marked on each page and comes back`, async ({
		page,
		console
	}) => {
		const { control, rpc } = console.devnet;
		const [tokenid] = await rpc<string[]>('ALPHA', 'tokenlist');
		await signIn(page);
		const pages = ['/', '/ALPHA', '/ALPHA/tokens', `/ALPHA/token/${tokenid}`, '/ALPHA/tokens/new'];
		await control.fault('ALPHA', kind, ms === undefined ? {} : { ms });
		try {
			for (const path of pages) {
				const began = performance.now();
				const answer = await page.request.get(path);
				const took = performance.now() - began;
				expect(answer.status(), path).toBe(200);
				expect(took, `${path} took ${took.toFixed(0)} ms`).toBeLessThan(WITHIN_MS);
				await page.goto(path);
				const marks = page
					.locator('main')
					.getByText(
						/does not answer|did not answer|not answered|is starting|still starting|is busy|more work|refuses|broke off|not known|no answer now/i
					);
				await expect(marks.first(), path).toBeVisible();
				if (path === '/' || path === '/ALPHA/tokens') {
					expect(await complaints(page), path).toEqual([]);
				}
			}
			await page.goto('/');
			for (const chain of ['KMD', 'BETA', 'GAMMA', 'SELF']) {
				await expect(page.locator(`tr[data-chain="${chain}"]`)).toContainText('well');
			}
			await page.goto('/BETA/tokens');
			await expect(page.locator('main').getByRole('alert')).toHaveCount(0);
		} finally {
			await control.fault('ALPHA', 'none');
		}
		await expect(async () => {
			await page.goto('/');
			await expect(page.locator('tr[data-chain="ALPHA"]')).toContainText('well', { timeout: 500 });
		}).toPass({ timeout: 30_000 });
	});
}
