/** The way from the first level of pages down to one: every page below has it, and a phone shows one line of it. */
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

test('pages below the first level lead back, level by level, also without scripts', async ({
	page,
	browser,
	console
}) => {
	const { id, name } = await seededToken(console.devnet);
	await signIn(page);
	const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
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
		await page.goto(path);
		await expect(trail.getByRole('listitem'), path).toHaveCount(labels.length);
		await expect(trail.locator('a, [aria-current="page"]'), path).toHaveText(labels);
		await expect(trail.locator('[aria-current="page"]'), path).toHaveText(labels.at(-1)!);
	}
	for (const path of ['/', '/transfers', '/chains/ALPHA', '/chains/ALPHA/block/nothing']) {
		await page.goto(path);
		await expect(trail, path).toHaveCount(0);
	}
	await page.goto(`/chains/ALPHA/token/${id}`);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await trail.getByRole('link', { name: 'Tokens' }).click();
	await expect(page).toHaveURL(/\/chains\/ALPHA\/tokens$/);
	await expect(trail.locator('[aria-current="page"]')).toHaveText('Tokens');

	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: console.url });
	const plain = await context.newPage();
	await plain.goto(`/chains/ALPHA/token/${id}`);
	await plain
		.getByRole('navigation', { name: 'Breadcrumbs' })
		.getByText('ALPHA', { exact: true })
		.click();
	await expect(plain).toHaveURL(/\/chains\/ALPHA$/);
	await context.close();
});

test('a phone shows the page above alone, on one line', async ({ page, console }) => {
	const { id } = await seededToken(console.devnet);
	await page.setViewportSize({ width: 390, height: 800 });
	await page.goto(`/chains/ALPHA/token/${id}`);
	const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
	await expect(trail.getByRole('link')).toHaveText(['Tokens']);
	expect((await trail.boundingBox())!.height).toBeLessThan(28);
});
