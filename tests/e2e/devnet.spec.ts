/** The control panel of the embedded devnet: members read it, admins use it, and every action is recorded. */
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, submit, test } from './support/console.ts';
import { PlainBrowser } from './support/plainBrowser.ts';

test('an admin mines a block and stops and restores a daemon from the panel, all of it on record', async ({
	page,
	console
}) => {
	expect((await page.goto('/devnet'))?.url()).toContain('/login');
	await signIn(page);
	await page.goto('/');
	await page.getByRole('link', { name: /^Devnet/ }).click();
	await expect(page.getByRole('heading', { name: 'Devnet', level: 1 })).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	const before = await console.devnet.rpc<number>('GAMMA', 'getblockcount');
	await submit(page.getByRole('button', { name: 'Mine block GAMMA' }));
	await expect(page.getByRole('status').filter({ hasText: 'mined on GAMMA' })).toBeVisible();
	await expect
		.poll(() => console.devnet.rpc<number>('GAMMA', 'getblockcount'))
		.toBeGreaterThan(before);
	const daemon = page.locator('[data-daemon="GAMMA"]');
	await submit(page.getByRole('button', { name: 'Stop GAMMA' }));
	await expect(daemon).toContainText('Offline');
	await submit(page.getByRole('button', { name: 'Restore GAMMA' }));
	await expect(daemon).toContainText('Online');
	await page.goto('/admin/audit');
	for (const act of ['mined a block of devnet', 'stopped a daemon of devnet']) {
		const events = page.getByRole('row').filter({ hasText: new RegExp(act, 'i') });
		await expect(events.first()).toBeVisible();
	}
});

test('an admin whose browser runs no script mines a block of devnet', async ({ console }) => {
	const plain = new PlainBrowser(console.url);
	await plain.signIn();
	const before = await console.devnet.rpc<number>('GAMMA', 'getblockcount');
	const form = '[data-chain="GAMMA"] form';
	const page = await plain.submit(await plain.open('/devnet'), { form, button: undefined }, {});
	expect(page.status).toBe(200);
	expect(await console.devnet.rpc<number>('GAMMA', 'getblockcount')).toBe(before + 1);
});
