/** Pages of trading nodes without a configured one. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, signIn, test } from './support/console.ts';

test.use({ apart: 'no-kdf' });

test('the console of a method says that there is no trading node to call', async ({
	page,
	console
}) => {
	rmSync(join(console.devnet.dir, 'MM2.json'));
	await console.crashAndRestart();
	await signIn(page);
	await page.goto('/console/kdf/version');
	await expect(page.getByText('No trading node is configured.')).toBeVisible();
	await expect(page.getByRole('combobox', { name: 'Trading node' })).toHaveCount(0);
	await expect(page.getByRole('button', { name: 'Call', exact: true })).toHaveCount(0);
});
