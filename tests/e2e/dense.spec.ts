/** The densest pages, on a laptop in light colours and on a phone in dark ones. */
import { complaints } from './support/axe.ts';
import { expect, test, type Console } from './support/console.ts';
import { picture } from './support/picture.ts';
import { seededToken } from './support/tokens.ts';

const PAGES: readonly {
	name: string;
	path: (console: Console) => Promise<string> | string;
	/** What the page is about, in its picture. */
	drawing: string;
}[] = [
	{
		name: 'notarizations',
		path: () => '/KMD/notarizations?of=ALPHA',
		drawing: 'svg[role="img"], figure svg'
	},
	{ name: 'map', path: () => '/map', drawing: 'svg[role="img"], figure svg' },
	{
		name: 'token',
		path: async ({ devnet }) => `/ALPHA/token/${(await seededToken(devnet)).id}`,
		drawing: 'svg[role="img"], figure svg'
	}
];

for (const { name, path, drawing } of PAGES) {
	test(`the page of the ${name} is whole on a laptop and on a phone`, async ({
		browser,
		console
	}) => {
		const address = `${console.url}${await path(console)}`;
		for (const [size, colorScheme, width] of [
			['laptop', 'light', 1280],
			['phone', 'dark', 360]
		] as const) {
			const context = await browser.newContext({ colorScheme, viewport: { width, height: 780 } });
			const page = await context.newPage();
			await page.goto(address);
			await expect(page.locator(drawing).first()).toBeVisible();
			expect(await complaints(page)).toEqual([]);
			const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			expect(over, `${size} scrolls sideways`).toBeLessThanOrEqual(0);
			await picture(page, size === 'phone' ? `${name}-phone` : name, size);
			await context.close();
		}
	});
}
