/** What the copy buttons put on the clipboard. */
import { expect, test } from './support/console.ts';

test('a copy button copies on a page without TLS as well, and keeps the focus', async ({
	page,
	console
}) => {
	const txid = await console.devnet.rpc<string>('ALPHA', 'getbestblockhash');
	// As browsers have it on addresses that are not secure.
	await page.addInitScript(() =>
		Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
	);
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
