/** Many chains: the sidebar has a filter, the overview one line for each chain. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallChain } from '../support/smallChain.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { freePort } from '../support/freePort.ts';
import { expect, signIn, test as base } from './support/console.ts';

const NAMES = [
	...['AMBER', 'BIRCH', 'COPPER', 'DELTA', 'EMBER', 'FJORD', 'GRAIN'],
	...['HARBOR', 'IVORY', 'JASPER', 'KELP', 'LINEN', 'MAPLE']
];
const BLOCKS = 3;
const DESK = { width: 1360, height: 900 };
const PHONE = { width: 360, height: 800 };

type SmallChain = ReturnType<typeof smallChain>;

const test = base.extend<object, { chains: ReadonlyMap<string, SmallChain> }>({
	apart: ['many-chains', { scope: 'worker' }],
	chains: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads from it that nothing is needed.
		async ({}, use) => {
			const chains = new Map<string, SmallChain>();
			for (const name of NAMES) {
				const chain = smallChain({ name, ccid: 101, blocks: BLOCKS }, await freePort());
				await chain.daemon.http.open();
				chains.set(name, chain);
			}
			await use(chains);
			await Promise.all([...chains.values()].map(({ daemon }) => daemon.http.close()));
		},
		{ scope: 'worker' }
	],
	settings: [
		async ({ chains }, use) => {
			const folder = mkdtempSync(join(tmpdir(), 'komodeck-e2e-'));
			const config = join(folder, 'daemons.json');
			const daemons = [...chains.values()].map(({ entry }) => entry);
			writeFileSync(config, JSON.stringify({ daemons }));
			await use({ KOMODECK_CONFIG: config });
			rmSync(folder, { recursive: true, force: true });
		},
		{ scope: 'worker' }
	]
});

test('the filter of the sidebar leaves the chains that are looked for, and is not there without JavaScript', async ({
	page,
	browser,
	console
}) => {
	await page.setViewportSize(DESK);
	await page.goto('/chains/MAPLE');
	const sidebar = page.getByRole('navigation', { name: 'Chains and tools' });
	const chains = sidebar.locator('a[href^="/chains/"]');
	await expect(chains).toHaveCount(NAMES.length);
	// The current chain is the last one of a scrolling list.
	await expect(sidebar.getByRole('link', { name: 'MAPLE' })).toBeInViewport({ ratio: 1 });
	const filter = sidebar.getByRole('searchbox', { name: 'Filter chains' });
	await expect(async () => {
		await filter.fill('mber');
		await expect(chains).toHaveText([/^AMBER/, /^EMBER/], { timeout: 500 });
	}).toPass();
	await filter.press('Tab');
	await expect(sidebar.getByRole('link', { name: 'AMBER' })).toBeFocused();
	await filter.fill('');
	await expect(chains).toHaveCount(NAMES.length);

	const context = await browser.newContext({
		baseURL: console.url,
		javaScriptEnabled: false,
		viewport: DESK
	});
	const plain = await context.newPage();
	await plain.goto('/');
	await expect(plain.getByRole('searchbox', { name: 'Filter chains' })).toBeHidden();
	await plain.locator('tr[data-chain="KELP"]').getByRole('link', { name: 'KELP' }).click();
	await expect(plain).toHaveURL('/chains/KELP');
	await context.close();
});

test('of many chains each has a line of its own, and those that need attention come first', async ({
	page,
	chains
}) => {
	await page.setViewportSize(DESK);
	await page.goto('/');
	const lines = page.getByRole('main').locator('tr[data-chain]');
	await expect(lines).toHaveCount(NAMES.length);
	await expect(page.locator('article[data-chain]')).toHaveCount(0);
	const grain = page.locator('tr[data-chain="GRAIN"]');
	await expect(grain).toContainText('Online');
	await expect(grain.getByRole('cell').nth(1)).toHaveText(String(BLOCKS));

	const { http } = chains.get('JASPER')!.daemon;
	await http.close();
	await expect(async () => {
		await page.reload();
		await expect(lines.first()).toContainText(/JASPER.*Offline.*Last response/s, { timeout: 500 });
	}).toPass();
	await http.open();
	await expect(async () => {
		await page.reload();
		const jasper = page.locator('tr[data-chain="JASPER"]');
		await expect(jasper).toContainText('Online', { timeout: 500 });
	}).toPass();
});

test('a member reads the lines with the balances on a desk and on a phone, where ten are shown at first', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/');
	const lines = page.getByRole('main').locator('tr[data-chain]');
	await expect(page.getByRole('columnheader', { name: 'Confirmed balance' })).toBeVisible();
	await page.setViewportSize(PHONE);
	await expect(lines.filter({ visible: true })).toHaveCount(10);
	await page.getByText('More: 3 of 13 rows').click();
	await expect(lines.filter({ visible: true })).toHaveCount(NAMES.length);
	expect(await complaintsEveryWay(page)).toEqual([]);
});
