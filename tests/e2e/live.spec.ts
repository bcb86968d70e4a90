/** Automatic updates of an open page. */
import { withAuth } from '../../src/cli/withAuth.ts';
import { ADMIN, expect, signIn, test, type Console } from './support/console.ts';
import { seededToken } from './support/tokens.ts';

/** Waits until the index has reached the tip of every chain. */
async function caughtUp({ url, devnet }: Console): Promise<void> {
	const { chains } = await devnet.control.state();
	for (const { name, tip } of chains) {
		await expect
			.poll(async () => {
				const answer = await fetch(`${url}/api/search?q=${tip}`);
				const { hits } = (await answer.json()) as { hits: { chain: string }[] };
				return hits.map(({ chain }) => chain);
			})
			.toContain(name);
	}
}

const mine = async ({ devnet }: Console, chain: string): Promise<number> =>
	(await devnet.control.mine(chain)).height;

test('a block appears on an open page without a reload', async ({ page, console }) => {
	await caughtUp(console);
	await page.goto('/chains/ALPHA/blocks');
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	const main = page.getByRole('main');
	for (let block = 0; block < 2; block++) {
		const height = await mine(console, 'ALPHA');
		await expect(main.getByRole('link', { name: String(height), exact: true })).toBeVisible();
	}
	expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
});

test('a notarization reaches the page of the notarized chain, and no form is touched', async ({
	page,
	console
}) => {
	await caughtUp(console);
	await signIn(page);
	await page.goto('/chains/BETA/tokens/new');
	await page.getByLabel('Name', { exact: true }).fill('Half a name');
	let fetched = 0;
	page.on('request', (request) => {
		const url = new URL(request.url());
		if (!url.pathname.endsWith('__data.json')) return;
		// The layout may be loaded for a notice; its flag is the first, the page's flags are the others.
		if (url.searchParams.get('x-sveltekit-invalidated')?.slice(1).includes('1') !== false)
			fetched += 1;
	});
	await mine(console, 'BETA');
	await caughtUp(console);
	await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half a name');
	expect(fetched).toBe(0);

	await page.goto('/chains/BETA');
	const told = page.waitForRequest((request) => request.url().includes('__data.json'));
	await console.devnet.control.notarizeKmd('BETA');
	await told;
});

test('what is typed on a page that fetches itself again stays, and is what is sent', async ({
	page,
	console
}) => {
	await caughtUp(console);
	const { id } = await seededToken(console.devnet);
	const owner = console.devnet.chains.get('ALPHA')!.pubkey;
	await page.goto(`/chains/ALPHA/token/${id}`);
	const pubkey = page.getByRole('textbox', { name: 'Public key' });
	let fetched = 0;
	page.on('response', (answer) => {
		if (answer.url().includes('__data.json')) fetched += 1;
	});
	for (const typed of [owner.slice(0, 20), owner]) {
		await pubkey.fill(typed);
		const before = fetched;
		await expect(async () => {
			await mine(console, 'ALPHA');
			await expect.poll(() => fetched, { timeout: 3_000 }).toBeGreaterThan(before);
		}).toPass({ timeout: 30_000 });
		await expect(pubkey).toHaveValue(typed);
	}
	await page.getByRole('button', { name: 'Check' }).click();
	await expect(page.getByRole('heading', { name: 'Balance of the key' })).toBeVisible();
	await expect(pubkey).toHaveValue(owner);
});

test('what waits for a confirmation stays as it is when something happens', async ({
	page,
	browser,
	console
}) => {
	await signIn(page);
	const beside = await page.context().newPage();
	await beside.goto('/notifications');
	const bell = beside.getByRole('banner').getByRole('link', { name: /^Notifications/ });
	const unread = async (): Promise<number> => Number(await bell.getAttribute('data-unread'));
	const noticed = async (): Promise<void> => {
		const before = await unread();
		const elsewhere = await browser.newContext({ baseURL: console.url });
		await signIn(await elsewhere.newPage());
		await elsewhere.close();
		await beside.bringToFront();
		await expect.poll(unread).toBeGreaterThan(before);
		await page.bringToFront();
	};
	await page.goto('/admin/members');
	const name = page.getByRole('textbox', { name: 'Name' });
	await name.fill('half-typed');
	await withAuth({ KOMODECK_DATA: console.dataDir }, async ({ sessions }, db) => {
		const rows = await db.selectFrom('sessions').select('id_hash').execute();
		for (const { id_hash } of rows) await sessions.confirm(id_hash, db, 1);
	});
	const asked = page.waitForResponse((answer) => answer.request().method() === 'HEAD');
	await noticed();
	await asked;
	await expect(page.getByText('what you typed is still here')).toBeVisible();
	await expect(page).toHaveURL(/\/admin\/members$/);
	await expect(name).toHaveValue('half-typed');

	await page.getByRole('button', { name: 'Create invite link' }).click();
	const password = page.getByLabel(`Password of ${ADMIN.name}`);
	await password.fill(ADMIN.password);
	await noticed();
	await expect(password).toHaveValue(ADMIN.password);
	await page.getByRole('button', { name: 'Confirm password' }).click();
	await expect(page.getByTestId('invitation')).toBeVisible();
	await expect(page.getByText('half-typed', { exact: true }).first()).toBeVisible();
});

test('two pages of a browser share one stream', async ({ browser, context, console }) => {
	await caughtUp(console);
	let own = 0;
	context.on('request', (request) => {
		if (request.serviceWorker() === null && request.url().includes('/api/events')) own += 1;
	});
	const pages = [await context.newPage(), await context.newPage()];
	for (const one of pages) await one.goto(`${console.url}/chains/ALPHA/blocks`);
	const height = await mine(console, 'ALPHA');
	for (const one of pages) {
		// A hidden page waits until it is shown.
		await one.bringToFront();
		await expect(
			one.getByRole('main').getByRole('link', { name: String(height), exact: true })
		).toBeVisible();
	}
	const { targetInfo } = await (
		await context.newCDPSession(pages[0]!)
	).send('Target.getTargetInfo');
	const { targetInfos } = await (await browser.newBrowserCDPSession()).send('Target.getTargets');
	const workers = targetInfos.filter(
		// Workers of other contexts of this browser do not count.
		({ type, browserContextId }) =>
			type === 'shared_worker' && browserContextId === targetInfo.browserContextId
	);
	expect(workers).toHaveLength(1);
	expect(own).toBe(0);
});

test('a page that was left alone by a crash says so, and comes back with what it missed', async ({
	page,
	console
}) => {
	await caughtUp(console);
	await page.goto('/chains/ALPHA/blocks');
	await expect(page.getByText('Not live since')).toBeHidden();
	const height = await mine(console, 'ALPHA');
	const main = page.getByRole('main');
	await expect(main.getByRole('link', { name: String(height), exact: true })).toBeVisible();
	console.process.kill('SIGKILL');
	await expect(page.getByText(/Not live since \d/)).toBeVisible();
	await console.crashAndRestart();
	const missed = await mine(console, 'ALPHA');
	await expect(main.getByRole('link', { name: String(missed), exact: true })).toBeVisible();
	await expect(page.getByText(/Not live since \d/)).toBeHidden();
});

test('a refresh that the server does not answer leaves the page as it is, and comes by itself', async ({
	page,
	console
}) => {
	await caughtUp(console);
	await page.goto('/chains/ALPHA/blocks');
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	await expect(page.getByText('Not live since')).toBeHidden();
	const answers = ['cut', 'cut', 503];
	let asked = 0;
	await page.route('**/__data.json*', async (route) => {
		const answer = answers[asked++];
		if (answer === undefined) await route.continue();
		else if (answer === 'cut') await route.abort('connectionrefused');
		else await route.fulfill({ status: 503, body: 'away' });
	});
	const height = await mine(console, 'ALPHA');
	const link = page.getByRole('main').getByRole('link', { name: String(height), exact: true });
	await expect(link).toBeVisible();
	expect(asked).toBeGreaterThan(answers.length);
	expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
});

test('a page on a slow network shows blocks while more of them come', async ({ page, console }) => {
	await caughtUp(console);
	await page.goto('/chains/ALPHA/blocks');
	let open = 0;
	let most = 0;
	await page.route('**/__data.json*', async (route) => {
		open += 1;
		most = Math.max(most, open);
		await new Promise((done) => setTimeout(done, 2_500));
		open -= 1;
		await route.continue().catch(() => undefined);
	});
	const height = await mine(console, 'ALPHA');
	const link = page.getByRole('main').getByRole('link', { name: String(height), exact: true });
	// Blocks come faster than responses until the page shows one of them.
	for (let n = 0; n < 8 && !(await link.isVisible()); n += 1) {
		await page.waitForTimeout(1_200);
		await mine(console, 'ALPHA');
	}
	await expect(link).toBeVisible({ timeout: 100 });
	expect(most).toBe(1);
	await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the stream of a session ends when the person logs out elsewhere', async ({
	page,
	console
}) => {
	await signIn(page);
	const [cookie] = await page.context().cookies();
	const headers = { cookie: `${cookie!.name}=${cookie!.value}` };
	const stream = await fetch(`${console.url}/api/events`, { headers });
	expect(stream.headers.get('content-type')).toContain('text/event-stream');
	expect(stream.headers.get('content-encoding')).toBeNull();
	const ended = stream.text();
	await fetch(`${console.url}/logout`, {
		method: 'POST',
		redirect: 'manual',
		headers: { ...headers, origin: console.url }
	});
	expect(await ended).toContain('event: beat');
	const head = await fetch(`${console.url}/api/events`, { method: 'HEAD' });
	expect(head.status).toBe(200);
});
