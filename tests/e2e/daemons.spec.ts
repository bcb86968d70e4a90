/** The properties and missing options of a daemon, the imports of a block, and the burns of a wallet. */
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, test } from './support/console.ts';

test('each daemon has a page with its parameters, what it can do and what it lacks, and no credential', async ({
	page,
	console
}) => {
	expect((await page.goto('/daemons'))?.url()).toContain('/login');
	await signIn(page);
	await page.goto('/daemons');
	await expect(page.getByRole('table', { name: 'Daemons' }).getByRole('row')).toHaveCount(
		console.devnet.daemons.length + 1
	);
	await expect(page.getByRole('row', { name: /^SELF/ })).toContainText('0.9.0');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('link', { name: 'SELF', exact: true }).last().click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Daemon SELF');
	const { pubkey } = console.devnet.chains.get('SELF')!;
	const started = page.getByRole('table', { name: 'Start-up parameters' });
	await expect(started.getByRole('row', { name: /^ac_import/ })).toContainText('PUBKEY');
	await expect(started.getByRole('row', { name: /^ac_pubkey/ })).toContainText(pubkey);
	await expect(page.locator('[data-need="ac_pubkey"]')).toHaveAttribute('data-status', 'ok');
	const reading = page.getByRole('region', { name: 'Requirements for reading' });
	for (const index of ['txindex', 'addressindex', 'spentindex', 'timestampindex']) {
		await expect(reading.locator(`[data-need="${index}"]`)).toContainText(`${index} is on.`);
	}
	const can = page.getByRole('table', { name: 'Capabilities of the daemon' });
	await expect(can.locator('[data-capability="self-import"]')).toContainText('selfimport');
	await expect(can.locator('[data-capability="self-import"]')).toHaveAttribute('data-can', 'true');
	await expect(can.locator('[data-capability="approvals"]')).toHaveAttribute('data-can', 'false');
	expect(await complaintsEveryWay(page)).toEqual([]);

	for (const { id, chain } of console.devnet.daemons) {
		const name = id === chain ? id : id.replace('-', ':');
		const html = await (await page.request.get(`/daemons/${encodeURIComponent(name)}`)).text();
		expect(html).toContain(`Daemon ${name}`);
		for (const { user, password } of console.devnet.daemons) {
			expect(html).not.toContain(password);
			expect(html).not.toContain(user);
		}
	}
	await page.goto('/daemons/KMD');
	await expect(page.locator('[data-need="ac_cc"]')).toHaveAttribute('data-status', 'missing');
	await expect(page.locator('[data-capability="tokens"]')).toHaveAttribute('data-can', 'false');
	await expect(page.locator('[data-capability="completion"]')).toHaveAttribute('data-can', 'true');
	const answer = await page.goto('/daemons/nobody');
	expect(answer?.status()).toBe(404);
});

test('a daemon that is down still has its page', async ({ page, console }) => {
	await signIn(page);
	await console.devnet.control.fault('GAMMA', 'down');
	await page.goto('/daemons/GAMMA');
	await expect(page.getByRole('main')).toContainText('Some data is unavailable');
	await expect(page.locator('[data-need="wallet"]').first()).toHaveAttribute(
		'data-status',
		'unknown'
	);
	await console.devnet.control.fault('GAMMA', 'none');
});

test('the imports of a block are shown with what they really made', async ({ page }) => {
	await page.goto('/chains/SELF/imports');
	const list = page.getByRole('table', { name: 'Imports into SELF, newest first' });
	await expect(list).toContainText('500');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await list.getByRole('rowheader').first().getByRole('link').click();
	await expect(page).toHaveURL(/\?block=\d+$/);
	await expect(page.getByRole('textbox', { name: 'Block' })).toHaveValue(/^\d+$/);
	const block = page.getByRole('table', { name: /^Imports of block/ });
	await expect(block).toContainText('Self-import');
	await expect(block.locator('[data-label="Amount created"]')).toContainText('500');
	await expect(block.locator('[data-label="Daemon: amount"]')).toHaveText(/^0\.0+$/);
	expect(await complaintsEveryWay(page)).toEqual([]);
	for (const [typed, sentence] of [
		['12x', /a height, or a hash/],
		['99999999', /has no such block/],
		['ab'.repeat(32), /has no such block/]
	] as const) {
		await page.getByRole('textbox', { name: 'Block' }).fill(typed);
		await page.getByRole('button', { name: 'Show' }).click();
		const field = page.getByRole('textbox', { name: 'Block' });
		await expect(field).toHaveAccessibleDescription(sentence);
		await expect(field).toHaveValue(typed);
	}
});

test('the burns of a wallet lead to their import, or to a migration that is opened', async ({
	page
}) => {
	await page.goto('/chains/ALPHA/burns');
	await expect(page).toHaveURL(/\/login/);
	await signIn(page);
	await page.goto('/chains/ALPHA/burns');
	const list = page.getByRole('table', { name: 'Burns of the wallet, newest first' });
	await expect(list).toContainText('Imported');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('textbox', { name: 'Number of burns' }).fill('0');
	await page.getByRole('button', { name: 'Show' }).click();
	await expect(page.getByRole('textbox', { name: 'Number of burns' })).toHaveAccessibleDescription(
		/from 1 to 1000/
	);
	await page.getByRole('textbox', { name: 'Number of burns' }).fill('1');
	await page.getByRole('button', { name: 'Show' }).click();
	await expect(list.getByRole('row')).toHaveCount(2);
	await page.goto('/chains/ALPHA/burns');
	await list.getByRole('link', { name: 'Recover' }).first().click();
	await expect(page.getByRole('textbox', { name: 'Transaction id' })).toHaveValue(/^[0-9a-f]{64}$/);
	await expect(page.getByLabel('Chain', { exact: true })).toHaveValue('ALPHA');
});
