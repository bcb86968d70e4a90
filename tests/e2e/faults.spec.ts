/** One daemon in trouble: pages answer within a second, say so in words, and the rest is unharmed. */
import type { FaultKind } from '../support/devnet.ts';
import { complaints } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

/**
 * A page may wait 750 ms for daemons. The rest of this is for a machine that runs the network, the server
 * and a browser on two cores.
 */
const WITHIN_MS = 1_800;

/** What the server itself may take until the last byte of a page, with no browser at work beside it. */
const ANSWER_WITHIN_MS = 1_000;

/** Milliseconds until the whole page is here, over plain HTTP. */
async function timeOf(url: string, cookie: string): Promise<number> {
	const began = performance.now();
	const answer = await fetch(url, { headers: { cookie } });
	await answer.text();
	expect(answer.status, url).toBe(200);
	return performance.now() - began;
}

/** What says on a page that a daemon is in trouble: a notice, or the state on its chain's card. */
const MARKS = [
	'main [data-kind="wait"]',
	'main [data-kind="fail"]',
	'main [data-chain="ALPHA"] [data-state="wait"]',
	'main [data-chain="ALPHA"] [data-state="bad"]'
].join(', ');

const faults: readonly { kind: FaultKind; ms?: number }[] = [
	{ kind: 'down' },
	{ kind: 'warm-up' },
	// Longer than the test looks at pages: an answer that came meanwhile would be shown, and rightly so.
	{ kind: 'latency', ms: 30_000 },
	{ kind: 'work-queue-full' },
	{ kind: 'truncate' },
	{ kind: 'wrong-password' }
];

/** The index looks again after a while only. */
test.use({ apart: 'faults' });

for (const { kind, ms } of faults) {
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
		const cookie = (await page.context().cookies())
			.map(({ name, value }) => `${name}=${value}`)
			.join('; ');
		await expect(async () => {
			for (const path of pages) {
				await page.goto(path);
				await expect(page.locator(MARKS), path).toHaveCount(0, { timeout: 500 });
			}
		}).toPass({ timeout: 30_000 });
		// An empty page asks the server for nothing while it is timed.
		await page.goto('about:blank');
		await control.fault('ALPHA', kind, ms === undefined ? {} : { ms });
		try {
			const times: string[] = [];
			for (const path of pages) {
				const took = await timeOf(`${console.url}${path}`, cookie);
				times.push(`${path.slice(0, 16)} ${took.toFixed(0)} ms`);
				expect(took, `${path} under ${kind}`).toBeLessThan(ANSWER_WITHIN_MS);
			}
			process.stdout.write(`Answers under the fault "${kind}": ${times.join(', ')}\n`);
			for (const path of pages) {
				const began = performance.now();
				const answer = await page.request.get(path);
				const took = performance.now() - began;
				expect(answer.status(), path).toBe(200);
				expect(took, `${path} took ${took.toFixed(0)} ms`).toBeLessThan(WITHIN_MS);
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
