/** Messages when servers are dead, or when the node is offline, restarted, or refuses the password. */
import type { Page } from '@playwright/test';
import { complaintsEveryWay } from './support/axe.ts';
import { expect, signIn, submit, sure, test } from './support/console.ts';

async function activate(page: Page, ticker: string): Promise<void> {
	await page.goto(`/kdf/${ticker}`);
	await page.getByRole('button', { name: `Activate ${ticker}` }).click();
	await page.waitForURL(/\/kdf\/tasks\//);
}

test('dead servers are named, the next try is counted down, and one good server is enough', async ({
	page,
	console
}) => {
	const { control } = console.devnet;
	await signIn(page);
	await control.electrum('ALPHA', { up: false });
	await activate(page, 'ALPHA');
	const main = page.getByRole('main');
	await expect(main).toContainText('None of the 2 servers answers.');
	await expect(main).toContainText(/The next one starts in \d+ s/);
	const servers = page.getByRole('table', { name: 'Server test results' });
	await expect(servers).toContainText('Nothing answers at 127.0.0.1:');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await control.electrum('ALPHA', { up: true, line: 'tcp' });
	await page.getByRole('button', { name: 'Retry now' }).click();
	await expect(page.getByText('ALPHA is active', { exact: true })).toBeVisible();
	await expect(servers.getByRole('row', { name: /SSL/ })).toContainText('Offline');
	await expect(servers.getByRole('row', { name: /TCP/ })).toContainText('Online');
	await control.electrum('ALPHA', { up: true });

	// An already active coin is no failure, and the current choice is not shown as its settings.
	await page.goto('/kdf/ALPHA');
	await page.getByText('Activate again with other settings').click();
	await page.getByRole('button', { name: 'Activate ALPHA' }).click();
	await page.waitForURL(/\/kdf\/tasks\//);
	await expect(page.getByText('ALPHA was active already', { exact: true })).toBeVisible();
	await expect(main).toContainText('an admin disables ALPHA');
	await expect(main).toContainText('It was active already');

	// An admin deactivates it.
	await page.goto('/kdf/ALPHA');
	await page.getByText('Disable', { exact: true }).click();
	await page.getByRole('button', { name: 'Disable ALPHA' }).click();
	await expect(page.getByText('ALPHA is not active any more.')).toBeVisible();
});

test('a second request joins the first, and a task that is ended leaves nothing behind', async ({
	page,
	console
}) => {
	const { control } = console.devnet;
	await signIn(page);
	await control.kdfTasks({ hold: true });
	await activate(page, 'BETA');
	const first = page.url();
	await expect(page.getByRole('main')).toContainText('In progress');
	// Without scripts the page reloads itself, but not the refusal of an action, which would be gone.
	const reload = 'http-equiv="refresh"';
	expect(await (await page.request.get(first)).text()).toContain(reload);
	const refused = await page.request.post(`${first}?/take`, {
		headers: { accept: 'text/html', origin: console.url },
		form: {}
	});
	expect(refused.ok()).toBe(false);
	expect(await refused.text()).toContain('data-kind="fail"');
	expect(await refused.text()).not.toContain(reload);
	await activate(page, 'BETA');
	expect(page.url().split('?')[0]).toBe(first);
	await expect(page.getByText('this is the task in progress')).toBeVisible();
	await page.getByRole('button', { name: 'Cancel task' }).click();
	await expect(page.getByText('Canceled. BETA is not in use.')).toBeVisible();
	expect((await control.node()).tasks).toEqual([]);
	await control.kdfTasks({ hold: false });
});

test('a restarted node makes the task void, and a node that is down is said to be down', async ({
	page,
	console
}) => {
	test.setTimeout(240_000);
	const { control } = console.devnet;
	await signIn(page);
	await control.kdfTasks({ hold: true });
	await activate(page, 'GAMMA');
	await expect(page.getByRole('main')).toContainText('In progress');
	await control.restartNode({});
	await expect(page.getByRole('alert')).toContainText(/The node does not know task \d+ any more/);
	await expect(page.getByRole('main')).toContainText(
		'The trading node was restarted, or the task was canceled elsewhere.'
	);
	expect(await complaintsEveryWay(page)).toEqual([]);
	await control.kdfTasks({ hold: false });

	await control.kdfFault('down');
	await page.getByRole('button', { name: 'Start again' }).click();
	await expect(page.getByText(/trading node .* is offline|did not respond in time/)).toBeVisible();
	const again = page.url();
	await page.goto('/kdf');
	await expect(page.getByText('Active coins unknown')).toBeVisible();
	await control.kdfFault('none');
	await page.goto(again);
	// It is retried automatically.
	await expect(page.getByText('GAMMA is active', { exact: true })).toBeVisible({ timeout: 40_000 });
});

test('BCH that is configured as an ordinary coin gets the way that works', async ({ page }) => {
	await signIn(page);
	await page.goto('/kdf/tBCH?method=task%3A%3Aenable_bch');
	await page.getByRole('button', { name: 'Activate tBCH' }).click();
	await expect(page.getByText('lists tBCH with the protocol UTXO', { exact: false })).toBeVisible();
	// The explanation comes first; the node's own message follows, to be copied.
	const said = page.getByRole('region', { name: 'the error of the node' });
	await expect(said).toBeHidden();
	await page.getByText('Details for developers').click();
	await expect(said).toContainText('"error_type": "UnexpectedCoinProtocol"');
	await expect(said).toContainText('"error_trace"');
	await expect(said).toContainText('"error_data"');
	expect(await complaintsEveryWay(page)).toEqual([]);
	await page.getByRole('link', { name: 'Activate: Electrum (recommended)' }).click();
	await page.getByRole('button', { name: 'Activate tBCH' }).click();
	await expect(page.getByText('tBCH is active', { exact: true })).toBeVisible();
});

test('switches hold signing up, and a coin without a prefix says why it cannot sign', async ({
	page
}) => {
	await signIn(page);
	await activate(page, 'KMD');
	await expect(page.getByText('KMD is active', { exact: true })).toBeVisible();
	for (const name of ['freeze', 'read-only']) {
		await page.goto('/admin/safety');
		const card = page.locator(`#${name}`);
		await card.getByRole('textbox').fill('an incident');
		await submit(card.getByRole('button'));
		await page.goto('/kdf/sign?coin=KMD');
		await page.getByRole('textbox', { name: 'Message' }).fill('hello');
		await page.getByRole('button', { name: 'Continue' }).click();
		await expect(page.getByRole('alert')).toContainText('Nothing was signed.');
		await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('hello');
		await page.goto('/admin/safety');
		await submit(page.locator(`#${name}`).getByRole('button', { name: /^(Unfreeze|Turn off)/ }));
	}
	await page.goto('/kdf/sign');
	await page.getByRole('textbox', { name: 'Message' }).fill('hello');
	await expect(page.getByRole('textbox', { name: 'Path of the address' })).toBeHidden();
	await page.getByText('Another address of an HD wallet').click();
	await page.getByRole('textbox', { name: 'Path of the address' }).fill("m/44'/141'/0'/0/1");
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.getByRole('button', { name: 'Sign without knowing the address' }).click();
	await expect(page.getByRole('alert')).toContainText(
		'This node has one address per coin, so a path cannot be chosen.'
	);
});

test('after a refused password nothing is sent until an admin confirms', async ({
	page,
	console
}) => {
	const { control } = console.devnet;
	await signIn(page);
	await control.kdfFault('wrong-password');
	await page.goto('/kdf');
	await expect(page.getByText('rejected the configured password', { exact: false })).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await control.kdfFault('none');
	await page.getByRole('button', { name: 'Password fixed: resume' }).click();
	await expect(page.getByText('Calls go out again.')).toBeVisible();
	await expect(page.getByText('rejected the configured password', { exact: false })).toHaveCount(0);
});

test('what another page refuses is said where the button is', async ({ page }) => {
	await signIn(page);
	await page.goto('/kdf/BETA?method=task%3A%3Aenable_utxo');
	await page.getByText('Advanced', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Sign with' }).selectOption('hardware');
	await page.getByRole('button', { name: 'Activate BETA' }).click();
	const connect = page.getByRole('button', { name: 'Connect hardware wallet' });
	await expect(connect).toBeVisible();
	const task = page.url();

	await page.goto('/admin/policies');
	const add = page.locator('#add');
	await add.locator('[name="kind"]').selectOption('activation');
	await add.locator('[name="effect"]').selectOption('deny');
	await submit(add.getByRole('button', { name: 'Add rule' }));
	await expect(page.locator('#rules')).toContainText('Activations of coins');
	await page.goto(task);
	await submit(connect);
	await expect(page.locator('[data-form-failed]')).toContainText(/\brule 1\b/i);
	await expect(page.locator('[data-form-failed]')).toBeInViewport();
	expect(page.url()).toBe(task);

	await page.goto('/admin/policies');
	await page
		.locator('#rules')
		.getByRole('button', { name: /^Remove/ })
		.click();
	await sure(page);
	await expect(page.locator('#rules')).not.toContainText('Activations of coins');
});
