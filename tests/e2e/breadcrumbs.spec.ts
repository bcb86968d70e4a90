/** Breadcrumbs: every page below the first level has them, and a phone shows one line of them. */
import { expect, test } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';
import { seededToken } from './support/tokens.ts';

test('pages below the first level lead back, level by level, also without scripts', async ({
	page,
	console
}) => {
	const { id, name } = await seededToken(console.devnet);
	const plain = new PlainBrowser(console.url);
	await plain.signIn();
	const TRAIL = 'nav[aria-label="Breadcrumbs"]';
	const trails: Readonly<Record<string, string[]>> = {
		[`/chains/ALPHA/token/${id}`]: ['ALPHA', 'Tokens', name],
		'/chains/ALPHA/tokens/new': ['ALPHA', 'Tokens', 'New token'],
		'/chains/ALPHA/blocks': ['ALPHA', 'Blocks'],
		'/migrations/new': ['Migrations', 'Migrate coins'],
		'/daemons/ALPHA': ['Daemons', 'ALPHA'],
		'/account/access': ['Account', 'My access'],
		'/console/getinfo': ['RPC console', 'getinfo'],
		'/admin/connect-daemons': ['Daemons', 'Connect daemons']
	};
	for (const [path, labels] of Object.entries(trails)) {
		const { $ } = await plain.open(path);
		const texts = (where: string): string[] =>
			$(`${TRAIL} ${where}`)
				.toArray()
				.map((one) => $(one).text().trim());
		expect(texts('li'), path).toHaveLength(labels.length);
		expect(texts(':is(a, [aria-current="page"])'), path).toEqual(labels);
		expect(texts('[aria-current="page"]'), path).toEqual([labels.at(-1)]);
	}
	for (const path of ['/', '/transfers', '/chains/ALPHA', '/chains/ALPHA/block/nothing']) {
		expect((await plain.open(path)).$(TRAIL), path).toHaveLength(0);
	}
	// axe checks the page of a token together with all others.
	await page.goto(`/chains/ALPHA/token/${id}`);
	const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
	await trail.getByRole('link', { name: 'Tokens' }).click();
	await expect(page).toHaveURL(/\/chains\/ALPHA\/tokens$/);
	await expect(trail.locator('[aria-current="page"]')).toHaveText('Tokens');

	const { $ } = await plain.open(`/chains/ALPHA/token/${id}`);
	const up = $(`${TRAIL} a`).filter((_, link) => $(link).text().trim() === 'ALPHA');
	expect(up.attr('href')).toBe('/chains/ALPHA');
});

test('a phone shows the page above alone, on one line', async ({ page, console }) => {
	const { id } = await seededToken(console.devnet);
	await page.setViewportSize({ width: 390, height: 800 });
	await page.goto(`/chains/ALPHA/token/${id}`);
	const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
	await expect(trail.getByRole('link')).toHaveText(['Tokens']);
	expect((await trail.boundingBox())!.height).toBeLessThan(28);
});
