/** Pages of items in every state, narrow and wide, light and dark: axe has no complaint. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay, unfold } from './support/axe.ts';
import { expect, signIn, test, type Console } from './support/console.ts';
import { seededToken } from './support/tokens.ts';
import { copyMigrations, copySend, databaseOf } from './support/rows.ts';

/** Some thirty pages, each checked four times on a small machine. */
test.describe.configure({ timeout: 240_000 });
/** These tests leave fake rows in the database. */
test.use({ apart: 'states' });

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label });

/** Checks the current page with everything expanded. */
async function look(page: Page, what: string): Promise<void> {
	await unfold(page);
	expect.soft(await complaintsEveryWay(page), what).toEqual([]);
}

async function lookAt(page: Page, path: string, what: string): Promise<void> {
	await page.goto(path);
	await look(page, what);
}

const press = (page: Page, name: string) =>
	page.getByRole('main').getByRole('button', { name, exact: true }).click();

/**
 * Drafts a token creation up to its review.
 * @returns the id of the review
 */
async function review(page: Page, name: string): Promise<string> {
	await page.goto('/chains/ALPHA/tokens/new');
	await field(page, 'Name').fill(name);
	await field(page, 'Supply').fill('500');
	await field(page, 'Description').fill('Berths of the harbour, one unit each');
	await press(page, 'Review');
	await page.waitForURL(/\/transactions\/[0-9a-f-]{36}$/);
	return page.url().split('/').at(-1)!;
}

async function completeMigration(page: Page, { devnet }: Console): Promise<string> {
	await page.goto('/migrations/new?source=ALPHA&destination=BETA');
	await page
		.getByLabel('Recipient address')
		.fill(await devnet.rpc<string>('BETA', 'getnewaddress'));
	await field(page, 'Amount').fill('1.15');
	await press(page, 'Review migration');
	await page.waitForURL(/\/migrations\/[0-9a-f]+$/);
	await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
	await look(page, 'a migration: draft');
	await press(page, 'Confirm and send burn');
	const state = page.locator('[data-migration-state]');
	await expect(async () => {
		await devnet.control.notarize('ALPHA');
		await devnet.control.notarize('BETA');
		await page.reload();
		await expect(state).toHaveAttribute('data-migration-state', 'done', { timeout: 500 });
	}).toPass({ timeout: 120_000 });
	return page.url().split('/').at(-1)!;
}

test('lists without a line, and menus that are open', async ({ page }) => {
	await signIn(page);
	await lookAt(page, '/migrations', 'migrations: none');
	await lookAt(page, '/transactions', 'sends: none');
	await lookAt(page, '/chains/GAMMA/tokens', 'tokens: none');
	for (const name of ['Theme', 'ada']) {
		await page.goto('/decode');
		await page.locator('header summary', { hasText: name }).or(page.getByLabel(name)).click();
		expect(await complaintsEveryWay(page), `the menu ${name}`).toEqual([]);
	}
});

test('what was built and sent, in each of its states', async ({ page, console }) => {
	await signIn(page);
	const id = await review(page, 'HARBOUR');
	await look(page, 'a send: built');
	const db = await databaseOf(console.dataDir);
	try {
		const states = [
			{ state: 'too-old' },
			{ state: 'unknown' },
			{ state: 'discarded' },
			{
				state: 'rejected',
				refusal: 'Coins that it spends were spent meanwhile (18: bad-txns-inputs-spent).'
			}
		] as const;
		for (const { state, ...more } of states) {
			const copy = await copySend(db, id, state, 'refusal' in more ? more.refusal : null);
			await lookAt(page, `/transactions/${copy}`, `a send: ${state}`);
		}
		const sending = await copySend(db, id, 'broadcasting');
		await console.devnet.control.fault('ALPHA', 'down');
		await lookAt(page, `/transactions/${sending}`, 'a send: sending, while its daemon is down');
		await expect(page.getByText('Status unavailable')).toBeVisible();
		await console.devnet.control.fault('ALPHA', 'none');

		const broken = await copySend(db, id, 'reviewed');
		await db.updateTable('transactions').set({ request: '{' }).where('id', '=', broken).execute();
		const answer = await page.goto(`/transactions/${broken}`);
		expect(answer?.status()).toBe(500);
		await look(page, 'a page that failed');
		await db.deleteFrom('transactions').where('id', '=', broken).execute();
	} finally {
		await db.close();
	}
	await expect(async () => {
		await page.goto('/chains/ALPHA');
		await expect(page.locator('main').getByRole('alert')).toHaveCount(0, { timeout: 500 });
	}).toPass();
	await page.goto(`/transactions/${id}`);
	await press(page, 'Send transaction');
	await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();
	await look(page, 'a send: sent');
	await lookAt(page, '/chains/ALPHA/tokens', 'tokens: one that waits for a block');
	await console.devnet.control.mine('ALPHA');
	await lookAt(page, `/transactions/${id}`, 'a send: mined');
	await expect(page.getByText('Token created')).toBeVisible();
	await lookAt(page, '/transactions', 'sends: one of each state');
});

test('a migration in each of its states', async ({ page, console }) => {
	await signIn(page);
	const id = await completeMigration(page, console);
	await look(page, 'a migration: done');
	const db = await databaseOf(console.dataDir);
	try {
		for (const [state, copy] of await copyMigrations(db, id)) {
			await page.goto(`/migrations/${copy}`);
			await expect(page.locator('[data-migration-state]')).toHaveAttribute(
				'data-migration-state',
				state
			);
			await look(page, `a migration: ${state}`);
		}
		await copyMigrations(db, id);
		await copyMigrations(db, id);
		await lookAt(page, '/migrations', 'migrations: more than a page');
	} finally {
		await db.close();
	}
});

test('forms that say what is wrong', async ({ page, console }) => {
	await signIn(page);
	const { id: tokenid } = await seededToken(console.devnet);
	const forms = [
		{ path: '/chains/ALPHA/tokens/new', button: 'Review' },
		{ path: `/chains/ALPHA/token/${tokenid}/transfer`, button: 'Review' },
		{ path: `/chains/ALPHA/token/${tokenid}/burn`, button: 'Review burn' },
		{ path: '/migrations/new', button: 'Review migration' },
		{ path: '/migrations/recover', button: 'Recover migration' },
		{ path: '/account', button: 'Create API token' }
	];
	for (const { path, button } of forms) {
		await page.goto(path);
		await page.locator('main').evaluate((main) => {
			for (const form of main.querySelectorAll('form')) form.noValidate = true;
		});
		await press(page, button);
		await expect(page.locator('main [aria-invalid=true]').first(), path).toBeVisible();
		await look(page, `the form of ${path} with errors`);
	}
	await page.goto('/migrations/new?source=ALPHA&destination=GAMMA');
	await page
		.getByLabel('Recipient address')
		.fill(await console.devnet.rpc<string>('GAMMA', 'getnewaddress'));
	await field(page, 'Amount').fill('1.15');
	await press(page, 'Review migration');
	await expect(page.getByText('Nothing was built or sent.')).toBeVisible();
	await look(page, 'a migration that a check refuses');
});

test('chains that are down, warming up or not as they should be', async ({ page, console }) => {
	const { control } = console.devnet;
	const { id: tokenid } = await seededToken(console.devnet);
	await signIn(page);
	const faults = [
		{
			kind: 'down',
			paths: ['/', '/chains/ALPHA', `/chains/ALPHA/token/${tokenid}`, '/chains/ALPHA/tokens/new']
		},
		{ kind: 'warm-up', paths: ['/', '/chains/ALPHA', '/chains/ALPHA/blocks'] },
		{ kind: 'wrong-password', paths: ['/chains/ALPHA', `/chains/ALPHA/tx/${tokenid}`] }
	] as const;
	for (const { kind, paths } of faults) {
		await control.fault('ALPHA', kind);
		try {
			for (const path of paths) await lookAt(page, path, `${path} under the fault ${kind}`);
		} finally {
			await control.fault('ALPHA', 'none');
		}
	}
});

test('a visitor who is refused, and a login that must wait', async ({ page, console }) => {
	await lookAt(page, '/account', 'a page that needs a login');
	await lookAt(page, '/denied?why=forbidden', 'a page that the role does not allow');
	await lookAt(page, '/nothing/is/here', 'a page that is not there');
	await page.goto('/login');
	await page
		.locator('main form')
		.first()
		.evaluate((form: HTMLFormElement) => (form.noValidate = true));
	await press(page, 'Log in');
	await look(page, 'a login without a name');
	// A separate name, so that later logins are not delayed.
	const guess = { name: 'mallory', password: 'guess after guess' };
	const headers = { origin: console.url };
	await Promise.all(
		Array.from({ length: 10 }, () => page.request.post('/login', { headers, form: guess }))
	);
	await field(page, 'Name').fill(guess.name);
	await page.getByLabel('Password').fill(guess.password);
	await press(page, 'Log in');
	await expect(page.getByText(/too many|wait|try again in/i)).toBeVisible();
	await look(page, 'a login that must wait');
});
