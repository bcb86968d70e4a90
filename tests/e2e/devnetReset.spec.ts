/** The reset of the embedded devnet, on a separate one, because it removes the data of other tests. */
import { expect, signIn, submit, test } from './support/console.ts';

test.use({ apart: 'reset' });

test('an admin resets devnet after a tick, and the same wallet begins on a new chain that the index follows', async ({
	page,
	console
}) => {
	const { control, rpc } = console.devnet;
	const to = await rpc<string>('ALPHA', 'getnewaddress');
	const txid = await rpc<string>('ALPHA', 'sendtoaddress', to, 1.5);
	await control.mine('ALPHA', 300);
	const { pubkey } = await rpc<{ pubkey: string }>('ALPHA', 'getinfo');
	await signIn(page);
	await expect(async () => {
		const found = await page.request.get(`/api/search?q=${txid}`);
		expect(await found.text()).toContain(`/tx/${txid}`);
	}).toPass({ timeout: 30_000 });

	await page.goto('/devnet');
	const button = page.getByRole('button', { name: 'Reset devnet' });
	await submit(button);
	const tick = page.getByLabel('Reset all chains');
	await expect(tick).toHaveAccessibleDescription(/^Tick the box to reset devnet/);
	await expect(tick).toBeFocused();
	expect(await rpc<number>('ALPHA', 'getblockcount')).toBeGreaterThan(300);

	await tick.check();
	await submit(button);
	await expect.poll(() => rpc<number>('ALPHA', 'getblockcount')).toBeLessThan(300);
	expect(await rpc<{ pubkey: string }>('ALPHA', 'getinfo')).toMatchObject({ pubkey });
	await expect(async () => {
		await page.goto('/');
		const card = page.locator('main [data-chain="ALPHA"]');
		await expect(card.locator('[data-state="good"]')).toBeVisible({ timeout: 500 });
		const found = await page.request.get(`/api/search?q=${txid}`);
		expect(await found.text()).not.toContain(`/tx/${txid}`);
	}).toPass({ timeout: 60_000 });
});
