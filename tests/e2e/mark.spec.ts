/** The product's logo, wherever it is requested from outside a page. */
import { expect, test } from './support/console.ts';

test('a visitor is served each icon of the page, the manifest with its icons, and the picture of a link preview', async ({
	page,
	console
}) => {
	await page.goto('/');
	const linked = await page
		.locator('head link[rel="icon"], head link[rel="apple-touch-icon"], head link[rel="manifest"]')
		.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
	expect(linked).toHaveLength(4);
	const preview = await page.locator('meta[property="og:image"]').getAttribute('content');
	expect(preview).toBe(`${console.url}/social.png`);
	const manifest = (await (await fetch(`${console.url}/manifest.webmanifest`)).json()) as {
		icons: { src: string; type: string }[];
	};
	const icons = manifest.icons.map(({ src }) => src);
	for (const path of [...linked, ...icons, preview!]) {
		const answer = await fetch(new URL(path, console.url));
		expect(answer.status, path).toBe(200);
		expect(answer.headers.get('content-type'), path).toMatch(
			/^(image\/|application\/manifest\+json)/
		);
	}
});
