/** What the copy buttons put on the clipboard. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/console.ts';

/** Removes the clipboard API, which browsers lack on insecure addresses. */
const withoutClipboard = (page: Page): Promise<unknown> =>
	page.addInitScript(() =>
		Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
	);

test('a copy button copies on a page without TLS as well, and keeps the focus', async ({
	page,
	console
}) => {
	const txid = await console.devnet.rpc<string>('ALPHA', 'getbestblockhash');
	await withoutClipboard(page);
	await page.goto(`/chains/ALPHA/block/${txid}`);
	const button = page
		.getByRole('main')
		.getByRole('button', { name: /^Copy / })
		.first();
	await button.click();
	await expect(page.getByRole('main').getByRole('button', { name: /^Copied / })).toBeFocused();
	const search = page.getByRole('combobox', { name: /^Search for / });
	await search.focus();
	await page.keyboard.press('ControlOrMeta+V');
	await expect(search).toHaveValue(txid);
});

test('what a browser lets no page copy is selected, and the page says so', async ({
	page,
	console
}) => {
	const txid = await console.devnet.rpc<string>('ALPHA', 'getbestblockhash');
	await withoutClipboard(page);
	await page.addInitScript(() => (document.execCommand = () => false));
	const selected = (): Promise<string> => page.evaluate(() => String(getSelection()));
	const copy = page
		.getByRole('main')
		.getByRole('button', { name: /^Copy / })
		.first();
	await page.goto(`/chains/ALPHA/block/${txid}`);
	await copy.click();
	await expect(page.getByRole('alert')).toHaveText(/^Could not copy the .+ is selected: /);
	expect(await selected()).toBe(txid);
	await expect(copy).toBeFocused();
});
