/** The help: pages for newcomers, and links from errors. */
import { ERRORS } from '#lib/messages/errors/index.ts';
import { expect, signIn, test } from './support/console.ts';

test('a visitor finds a topic of the help from the sidebar, without scripts, too', async ({
	page,
	browser,
	console
}) => {
	const plain = await browser.newContext({ baseURL: console.url, javaScriptEnabled: false });
	for (const reader of [page, await plain.newPage()]) {
		await reader.goto('/');
		await reader.getByRole('link', { name: 'Help', exact: true }).click();
		await expect(reader.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
		await reader.getByRole('link', { name: 'Migrate coins and tokens' }).click();
		await expect(reader.getByRole('heading', { level: 2, name: 'The steps' })).toBeVisible();
		await expect(reader).toHaveTitle(/^Migrate coins and tokens/);
	}
	await plain.close();
});

test('every link of the help leads to a page', async ({ page }) => {
	await signIn(page);
	const addresses = new Set<string>();
	const linksOf = async (path: string): Promise<string[]> => {
		await page.goto(path);
		const links = page.locator('main a[href^="/"]');
		return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
	};
	const topics = (await linksOf('/help')).filter((path) => path.startsWith('/help/'));
	expect(topics.length).toBeGreaterThan(8);
	for (const topic of topics) {
		for (const address of await linksOf(topic)) addresses.add(address);
	}
	for (const address of addresses) {
		const answer = await page.request.get(address);
		expect(answer.status(), address).toBe(200);
		const [, part] = address.split('#');
		if (part !== undefined) expect(await answer.text(), address).toContain(`id="${part}"`);
	}
});

/** Codes of rejected requests and of server errors, which have no area of their own. */
const REQUEST_CODES = [
	...['internal', 'duplicate', 'bad-request', 'unreadable-form', 'too-many-requests'],
	...['too-large', 'too-many-fields', 'long-name', 'broken', 'not-taken'].map(
		(fault) => `body-${fault}`
	),
	...['bad-idempotency-key', 'idempotency-key-reused', 'still-running'],
	...['locked', 'canceled', 'overloaded', 'full', 'gone', 'refused'].map(
		(kind) => `database-${kind}`
	),
	...['replaced', 'damaged', 'index-damaged', 'read-only', 'denied', 'schema'].map(
		(kind) => `database-${kind}`
	)
];

test('every code of an error has its place in the help, where what to do stands', async ({
	page
}) => {
	await page.goto('/help/errors');
	const there = await page.locator('main dl [id]').evaluateAll((all) => all.map(({ id }) => id));
	const codes = [...Object.keys(ERRORS), ...REQUEST_CODES];
	expect(codes.filter((code) => !there.includes(code))).toEqual([]);
	expect(new Set(there).size).toBe(there.length);
});

test('the code below an error leads to what the help says of it', async ({ page }) => {
	await page.goto('/nothing/here');
	await page.getByRole('link', { name: 'not-found' }).click();
	await expect(page).toHaveURL('/help/errors#not-found');
	await expect(page.locator(':target')).toContainText('There is nothing at this address.');
	await expect(page.locator(':target')).toBeInViewport();
});

test('a word of the field leads from a page to its sentence in the glossary', async ({ page }) => {
	await page.goto('/chains/ALPHA');
	await page.getByRole('link', { name: 'CCid', exact: true }).click();
	await expect(page).toHaveURL('/help/glossary#ccid');
	await expect(page.locator(':target')).toContainText('chains with the same CCid');
});
