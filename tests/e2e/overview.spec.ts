/** The overview: states of the chains, recent events, work in progress, and needed actions. */
import { complaintsEveryWay } from './support/axe.ts';
import { ADMIN, expect, signIn, submit, test } from './support/console.ts';

// The first steps are shown on an installation without any work.
test.use({ apart: 'overview' });

test('a visitor reads what this is, how the chains are and what happened, and nothing of the team', async ({
	page,
	console
}) => {
	await page.goto('/');
	const main = page.getByRole('main');
	await expect(main.getByText(/of these Komodo Smart Chains/)).toBeVisible();
	await expect(page.getByRole('link', { name: 'Log in' })).toHaveCount(1);
	await expect(main.getByText('Confirmed balance')).toHaveCount(0);
	await expect(main.getByRole('region', { name: 'Migrations in flight' })).toHaveCount(0);
	const card = main.locator('article[data-chain="ALPHA"]');
	await expect(card.getByRole('img', { name: /^Time between the last \d+ blocks/ })).toBeVisible();
	const height = await console.devnet.rpc<number>('ALPHA', 'getblockcount');
	await expect(card.getByRole('link', { name: String(height), exact: true })).toHaveAttribute(
		'href',
		'/chains/ALPHA/blocks'
	);
});

test('a transaction that is mined stands at the top of the activity, with what it is', async ({
	page,
	console
}) => {
	const { control, rpc } = console.devnet;
	const to = await rpc<string>('BETA', 'getnewaddress');
	const txid = await rpc<string>('BETA', 'sendtoaddress', to, 1.5);
	await control.mine('BETA');
	await expect(async () => {
		await page.goto('/');
		const newest = page
			.getByRole('region', { name: 'Latest activity' })
			.getByRole('listitem')
			.first();
		await expect(newest.getByRole('link', { name: 'Transfer' })).toHaveAttribute(
			'href',
			`/chains/BETA/tx/${txid}`,
			{ timeout: 500 }
		);
	}).toPass({ timeout: 30_000 });
});

test('the activity tells the newest notarization of each chain once, with its block', async ({
	page,
	console
}) => {
	const { control } = console.devnet;
	await control.notarize('ALPHA');
	await control.notarize('ALPHA');
	await control.notarize('BETA');
	await expect(async () => {
		await page.goto('/');
		const activity = page.getByRole('region', { name: 'Latest activity' });
		for (const chain of ['ALPHA', 'BETA']) {
			const told = activity.getByRole('link', {
				name: new RegExp(`^Notarization of ${chain}, block \\d+$`)
			});
			await expect(told).toHaveCount(1, { timeout: 500 });
		}
	}).toPass({ timeout: 30_000 });
});

test('a migration that was begun is in flight with its progress, and gone when it is given up', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/migrations/new?source=ALPHA&destination=BETA');
	await page
		.getByLabel('Recipient address')
		.fill(await console.devnet.rpc<string>('BETA', 'getnewaddress'));
	await page.getByLabel('Amount').fill('1.15');
	await page.getByRole('button', { name: 'Review migration' }).click();
	await expect(page).toHaveURL(/\/migrations\/(?!new)[^/]+$/);
	const path = new URL(page.url()).pathname;
	await page.goto('/');
	const flight = page.getByRole('region', { name: 'Migrations in flight' });
	await expect(flight.locator(`a[href="${path}"]`)).toContainText('1.15');
	await expect(flight.getByRole('progressbar')).toHaveAttribute('max', '8');
	await flight.locator(`a[href="${path}"]`).click();
	await page.getByRole('button', { name: 'Discard migration' }).click();
	await expect(page.locator('[data-migration-state="discarded"]')).toBeVisible();
	await page.goto('/');
	await expect(flight.locator(`a[href="${path}"]`)).toHaveCount(0);
});

test('the first steps of an admin tick themselves, lead to a prefilled migration, and can be dismissed', async ({
	page
}) => {
	await page.goto('/');
	const card = page.getByRole('region', { name: 'First steps' });
	await expect(card).toHaveCount(0);
	await signIn(page);
	await page.goto('/');
	const step = (id: string) => card.locator(`[data-step="${id}"]`);
	await expect(step('account')).toHaveAttribute('data-done', 'true');
	await expect(step('daemons')).toHaveAttribute('data-done', 'true');
	await expect(step('token')).toHaveAttribute('data-done', 'false');
	await expect(step('invite')).toHaveAttribute('data-done', 'false');
	expect(await complaintsEveryWay(page)).toEqual([]);

	await card.getByRole('link', { name: /^Migrate 1 ALPHA to / }).click();
	await expect(page.getByLabel('Amount')).toHaveValue('1');
	await expect(page.getByLabel('Recipient address')).toHaveValue(/^R/);
	await page.locator('main form button.button-filled').click();
	await expect(page).toHaveURL(/\/migrations\/(?!new)[^/]+$/);
	// Later tests need its coins.
	await page.getByRole('button', { name: 'Discard migration' }).click();
	await expect(page.locator('[data-migration-state="discarded"]')).toBeVisible();

	await page.goto('/');
	await card.getByRole('link', { name: 'Invite your team' }).click();
	if (page.url().includes('/confirm')) {
		await page.getByLabel('Password').fill(ADMIN.password);
		await page.locator('main form button').first().click();
	}
	await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible();
	await submit(page.locator('#invite form button').first());
	await page.goto('/');
	await expect(step('invite')).toHaveAttribute('data-done', 'true');
	await submit(card.getByRole('button', { name: 'Dismiss' }));
	await expect(card).toHaveCount(0);
	await page.reload();
	await expect(card).toHaveCount(0);
});

test('a link to a new migration fills in no recipient but the own wallet', async ({ page }) => {
	await signIn(page);
	await page.goto('/migrations/new?destination=BETA&address=RAttacker&to=RAttacker');
	await expect(page.getByLabel('Recipient address')).toHaveValue('');
});
