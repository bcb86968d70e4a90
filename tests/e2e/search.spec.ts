/** The search box with its suggestions, and the command palette. */
import type { Page } from '@playwright/test';
import { complaints } from './support/axe.ts';
import { countClicks } from './support/clicks.ts';
import { expect, signIn, test, type Console } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

/** A token of the network's history, once it is indexed. */
async function someToken({ url, devnet }: Console): Promise<{ id: string; name: string }> {
	const { id, name } = await seededToken(devnet);
	await expect
		.poll(async () => (await fetch(`${url}/api/search?q=${id}`)).text())
		.toContain(`/chains/ALPHA/token/${id}`);
	return { id, name };
}

const box = (page: Page) => page.getByRole('combobox', { name: /^Search for a block/ });

test('suggestions are walked with the keyboard alone', async ({ page, console }) => {
	const { id, name } = await someToken(console);
	await page.goto('/');
	await box(page).fill(name);
	const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
	await expect(options.first()).toContainText(name);
	await expect(box(page)).toHaveAttribute('aria-expanded', 'true');
	await box(page).press('ArrowDown');
	await expect(options.first()).toHaveAttribute('aria-selected', 'true');
	const marked = await options.first().getAttribute('id');
	await expect(box(page)).toHaveAttribute('aria-activedescendant', marked!);
	expect(await complaints(page)).toEqual([]);
	await box(page).press('ArrowUp');
	await expect(box(page)).not.toHaveAttribute('aria-activedescendant', /./);
	await box(page).press('Escape');
	await expect(options).toHaveCount(0);
	await expect(box(page)).toHaveValue(name);
	await box(page).press('ArrowDown');
	await box(page).press('Enter');
	await page.waitForURL(`**/chains/ALPHA/token/${id}`);
});

test('a name is found with a typing error in it, and a hash by its first digits', async ({
	page,
	console
}) => {
	const { id, name } = await someToken(console);
	const word = name.split(/\s+/).find((part) => /^\p{L}{4,}$/u.test(part));
	await page.goto('/');
	const options = page.getByRole('option');
	for (const text of [...(word ? [word.slice(0, 1) + word.slice(2)] : []), id.slice(0, 8)]) {
		await box(page).fill(text);
		await expect(options.filter({ hasText: name }).first()).toBeVisible();
	}
});

test('a text that is typed on gets the answer to what was typed last', async ({
	page,
	console
}) => {
	const { name } = await someToken(console);
	await page.goto('/');
	await box(page).pressSequentially(`${name} and then something that no token is called`);
	await expect(page.getByRole('option')).toHaveCount(0);
	await page.goto(`/search?q=${'x'.repeat(10_000)}`);
	await expect(page.getByText('No results for')).toBeVisible();
});

test('suggestions for an earlier text are not shown for a later one, nor below an empty field', async ({
	page,
	console
}) => {
	const { id, name } = await someToken(console);
	const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
	await page.goto('/');
	await box(page).fill(name);
	await options.first().click();
	await page.waitForURL(`**/chains/ALPHA/token/${id}`);
	await expect(box(page)).toHaveValue('');
	await box(page).focus();
	await expect(options).toHaveCount(0);

	await box(page).fill(name);
	await expect(options.first()).toBeVisible();
	// The answer to the rest of the text does not arrive.
	await page.route('**/api/search?*later*', () => undefined);
	await box(page).pressSequentially(' later');
	await expect(options).toHaveCount(0);
	await box(page).press('ArrowDown');
	await box(page).press('Enter');
	await page.waitForURL('**/search?q=*later');
	await box(page).blur();
	await box(page).focus();
	await expect(options).toHaveCount(0);
});

test('the palette goes to pages, finds things and offers what the role may do', async ({
	page,
	console
}) => {
	const { id, name } = await someToken(console);
	const errors: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') errors.push(message.text());
	});
	const scripts: string[] = [];
	page.on('response', (response) => {
		if (response.url().endsWith('.js')) scripts.push(response.url());
	});
	await page.goto('/');
	await expect(box(page)).toBeVisible();
	const before = scripts.length;
	const input = page.getByRole('combobox', { name: /^Search or type/ });
	const options = page.getByRole('dialog').getByRole('option');
	await page.keyboard.press('Control+k');
	await expect(input).toBeFocused();
	expect(scripts.length).toBeGreaterThan(before);
	// The page's content security policy blocks nothing that it needs.
	expect(errors).toEqual([]);
	expect(await complaints(page)).toEqual([]);
	// The last one of a scrolling list becomes visible.
	await input.press('ArrowUp');
	await expect(options.last()).toBeInViewport({ ratio: 1 });
	await input.fill('create a token');
	// A visitor can only search for these words.
	await expect(options).toHaveCount(1);
	await input.fill('beta blocks');
	await input.press('Enter');
	await page.waitForURL('**/chains/BETA/blocks');

	await page.keyboard.press('Control+k');
	await input.fill(name);
	await expect(options.first()).toContainText(name);
	await input.press('Enter');
	await page.waitForURL(`**/chains/ALPHA/token/${id}`);

	await page.keyboard.press('Control+k');
	await input.press('Escape');
	await expect(page.getByRole('dialog')).toHaveCount(0);

	await signIn(page);
	await page.goto('/');
	await expect(box(page)).toBeVisible();
	await page.keyboard.press('Control+k');
	await input.fill('token alpha create');
	await input.press('Enter');
	await page.waitForURL('**/chains/ALPHA/tokens/new');
	await page.keyboard.press('Control+k');
	await input.fill('dark');
	await input.press('Enter');
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('on a Mac Cmd K opens the palette, and Ctrl K is left to the text field', async ({
	browser,
	console
}) => {
	const context = await browser.newContext({
		baseURL: console.url,
		userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Safari/537.36'
	});
	const page = await context.newPage();
	await page.goto('/');
	const button = page.getByRole('button', { name: 'Open the command palette' });
	await expect(button).toHaveText('⌘K');
	const search = page.getByRole('combobox', { name: /^Search / });
	await search.fill('typed');
	await search.press('Control+k');
	await expect(page.getByRole('dialog')).toHaveCount(0);
	await search.press('Meta+k');
	await expect(page.getByRole('dialog')).toBeVisible();
	await context.close();
});

test('a mistyped name of a chain, a verb and a recent page are found in the palette', async ({
	page
}) => {
	await page.goto('/chains/BETA/blocks');
	await expect(box(page)).toBeVisible();
	await page.goto('/routes');
	await expect(box(page)).toBeVisible();
	const input = page.getByRole('combobox', { name: /^Search or type/ });
	await page.keyboard.press('Control+k');
	const recent = page.getByRole('dialog').getByRole('group', { name: 'Recent pages' });
	await expect(recent.getByRole('option').first()).toContainText('BETA');
	await input.fill('alpah');
	await input.press('Enter');
	await page.waitForURL('**/chains/ALPHA');
	await page.keyboard.press('Control+k');
	await input.fill('mempool');
	await input.press('Enter');
	await page.waitForURL('**/chains/ALPHA/mempool');
	await signIn(page);
	await page.goto('/');
	await expect(box(page)).toBeVisible();
	await page.keyboard.press('Control+k');
	await input.fill('invite');
	await input.press('Enter');
	await page.waitForURL(/\/(admin\/members|confirm)/);
	await page.goto('/');
	await expect(box(page)).toBeVisible();
	await page.keyboard.press('Control+k');
	await input.fill('logout');
	await input.press('Enter');
	await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
});

test('a token and a chain are found by a mistyped name with two clicks at most', async ({
	page,
	console
}) => {
	const { id, name } = await someToken(console);
	const clicks = await countClicks(page);
	await page.goto('/');
	await box(page).click();
	await box(page).fill(name.slice(0, 1) + name.slice(2));
	await page.getByRole('option').filter({ hasText: name }).first().click();
	await page.waitForURL(`**/chains/ALPHA/token/${id}`);
	expect(clicks()).toBeLessThanOrEqual(2);

	const before = clicks();
	await page.getByRole('button', { name: 'Open the command palette' }).click();
	await page.getByRole('combobox', { name: /^Search or type/ }).fill('gama');
	await page.getByRole('dialog').getByRole('option').first().click();
	await page.waitForURL('**/chains/GAMMA');
	expect(clicks() - before).toBeLessThanOrEqual(2);
});

test('a search that is sent again as it is asks again', async ({ page }) => {
	await page.goto('/search?q=abcdef');
	const asked = page.waitForRequest(/\/search\/__data\.json/);
	await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
	await asked;
	expect(new URL(page.url()).search).toBe('?q=abcdef');
});
