/**
 * Chains with the longest possible names: they wrap, or are truncated where the whole name is shown elsewhere.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallChain } from '../support/smallChain.ts';
import { beyondWindow } from './support/axe.ts';
import { freePort } from '../support/freePort.ts';
import { expect, signIn, test as base } from './support/console.ts';

const NAMES = ['W'.repeat(64), 'LONGCHAINNAME'.repeat(4)] as const;
const BLOCKS = 3;
const WIDTHS = [320, 1280];

type SmallChain = ReturnType<typeof smallChain>;

const test = base.extend<object, { chains: readonly SmallChain[] }>({
	apart: ['long-names', { scope: 'worker' }],
	chains: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads from it that nothing is needed.
		async ({}, use) => {
			const chains: SmallChain[] = [];
			for (const name of NAMES) {
				const chain = smallChain({ name, ccid: 101, blocks: BLOCKS }, await freePort());
				await chain.daemon.http.open();
				chains.push(chain);
			}
			await use(chains);
			await Promise.all(chains.map(({ daemon }) => daemon.http.close()));
		},
		{ scope: 'worker' }
	],
	settings: [
		async ({ chains }, use) => {
			const folder = mkdtempSync(join(tmpdir(), 'komodeck-e2e-'));
			const config = join(folder, 'daemons.json');
			writeFileSync(config, JSON.stringify({ daemons: chains.map(({ entry }) => entry) }));
			await use({ KOMODECK_CONFIG: config });
			rmSync(folder, { recursive: true, force: true });
		},
		{ scope: 'worker' }
	]
});

test('a chain with a name of 64 letters breaks no page, and its state is seen beside it', async ({
	page
}) => {
	await signIn(page);
	const [name] = NAMES;
	const paths = [
		'/',
		...['', '/block/1', '/tokens/new', '/notarizations', '/transfers', '/imports', '/indexing'].map(
			(rest) => `/chains/${name}${rest}`
		),
		...['', '/send', '/split', '/consolidate', '/history'].map((rest) => `/wallets/${name}${rest}`),
		...['', '/token', '/custom'].map((way) => `/migrations/new${way}?source=${name}`),
		...[`/daemons/${name}`, '/admin/members', '/account', '/search?q=1']
	];
	for (const path of paths) {
		await page.goto(path);
		for (const width of WIDTHS) {
			await page.setViewportSize({ width, height: 800 });
			expect(await beyondWindow(page), `${path} at ${width}`).toBe(0);
		}
	}
	const link = page
		.getByRole('navigation', { name: 'Chains and tools' })
		.getByRole('link', { name });
	await expect(link.locator('[data-state]')).toBeInViewport({ ratio: 1 });
	expect(
		await link.evaluate((element) => {
			const dot = element.querySelector('[data-state]')!.getBoundingClientRect();
			return dot.right <= element.getBoundingClientRect().right;
		})
	).toBe(true);

	// Readers may set letters and words apart (WCAG 2.2, 1.4.12).
	await page.setViewportSize({ width: WIDTHS[0]!, height: 800 });
	await page.goto('/');
	await page.evaluate(() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }');
		document.adoptedStyleSheets = [sheet];
	});
	const facts = page.getByRole('article').locator('dd');
	await expect(facts.first()).toBeVisible();
	const cut = await facts.evaluateAll((all) =>
		all
			.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
			.map(({ textContent }) => textContent)
	);
	expect(cut).toEqual([]);
});
