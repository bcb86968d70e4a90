/** The most common tasks, and the number of clicks that each takes. Typing and moving with Tab do not count. */
import { expect, signIn, test } from './support/console.ts';
import { countClicks } from './support/clicks.ts';

test.use({ apart: 'first jobs' });

test('the first migration of a fresh installation takes six clicks at most after the set-up', async ({
	page,
	console
}) => {
	await signIn(page);
	const clicks = await countClicks(page);
	await page.goto('/');
	await page.getByRole('link', { name: 'Migrate 1 ALPHA to BETA' }).click();
	await page.getByRole('button', { name: 'Review migration' }).click();
	await page.getByRole('button', { name: 'Confirm and send burn' }).click();
	await expect(page.locator('[data-migration-state]')).toHaveAttribute(
		'data-migration-state',
		/^burn/
	);
	await expect.poll(() => console.devnet.rpc<string[]>('ALPHA', 'getrawmempool')).toHaveLength(1);
	expect(clicks()).toBeLessThanOrEqual(6);
});

test('a token is created with five clicks at most from the overview, its supply in its own units', async ({
	page,
	console
}) => {
	await console.devnet.control.mine('ALPHA');
	await signIn(page);
	const clicks = await countClicks(page);
	await page.goto('/');
	await page.getByRole('main').getByRole('link', { name: 'ALPHA', exact: true }).first().click();
	await page.getByRole('main').getByRole('link', { name: 'Tokens' }).first().click();
	await page.getByRole('link', { name: 'Create token' }).click();
	await page.getByRole('textbox', { name: 'Name' }).fill('BERTH');
	await page.getByRole('textbox', { name: 'Supply' }).fill('1 500.25');
	const cost = page.getByRole('region', { name: 'Cost' });
	await expect(cost).not.toContainText('Total debited');
	await page.getByLabel('Decimals').selectOption('2');
	await expect(cost).toContainText(/1\s?500\.25\s\(150\s?025\sbase\sunits\)/);
	await expect(cost).toContainText(/0\.00150025\s?ALPHA/);
	await expect(cost).toContainText(/Total debited\s*0\.00170025\s?ALPHA/);
	await page.getByRole('button', { name: 'Review' }).click();
	await expect(
		page.getByText(/with a supply of 1.500\.25\s\(150.025\sbase\sunits\)/)
	).toBeVisible();
	await page.getByRole('button', { name: 'Send transaction' }).click();
	await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible();
	expect(clicks()).toBeLessThanOrEqual(5);

	await console.devnet.control.mine('ALPHA');
	await expect(page.getByText('Token created', { exact: true })).toBeVisible();
	await page.getByRole('link', { name: 'View token' }).click();
	await expect(page.getByRole('main')).toContainText(/1\s?500\.25/);
});

test('the form of a token shows the base units and the cost of what was typed, and the bytes of its payload, without scripts', async ({
	browser,
	page,
	console
}) => {
	await signIn(page);
	const context = await browser.newContext({
		javaScriptEnabled: false,
		storageState: await page.context().storageState(),
		baseURL: console.url
	});
	const plain = await context.newPage();
	await plain.goto('/chains/ALPHA/tokens/new');
	await plain.getByRole('textbox', { name: 'Supply' }).fill('25');
	await plain.getByLabel('Decimals').selectOption('4');
	await plain.getByRole('button', { name: 'Review' }).click();
	await expect(plain.getByText('Give the token a name.')).toBeVisible();
	await expect(plain.getByLabel('Decimals')).toHaveValue('4');
	const cost = plain.getByRole('region', { name: 'Cost' });
	await expect(cost).toContainText(/25\.0000\s\(250\s?000\sbase\sunits\)/);
	await expect(cost).toContainText(/0\.00250000\s?ALPHA/);
	await expect(plain.getByText(/^Payload: \d+ of 10.001 bytes$/)).toBeVisible();
	await context.close();
});

test('the page of a migration reloads itself without scripts, but not while it shows a refusal', async ({
	page,
	console
}) => {
	await signIn(page);
	const headers = { accept: 'text/html', origin: console.url };
	const post = (path: string, form: Record<string, string>) =>
		page.request.post(path, { headers, form, maxRedirects: 0 });
	const draft = await post('/migrations/new', {
		source: 'ALPHA',
		destination: 'BETA',
		address: await console.devnet.rpc<string>('BETA', 'getnewaddress'),
		amount: '1.15',
		proof: 'notarizations',
		policy: 'automatic'
	});
	const migration = draft.headers()['location']!;
	expect((await post(`${migration}?/confirm`, {})).status()).toBe(303);
	const reload = 'http-equiv="refresh"';
	expect(await (await page.request.get(migration, { headers })).text()).toContain(reload);
	const refused = await post(`${migration}?/discard`, {});
	expect(refused.status()).toBe(409);
	expect(await refused.text()).toContain('data-kind="fail"');
	expect(await refused.text()).not.toContain(reload);
});
