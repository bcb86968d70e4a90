/** Signing in and out, what a visitor cannot do, and the RPC API for scripts. */
import { ADMIN, expect, signIn, test } from './support/console.ts';
import { logIn } from './support/members.ts';

test('a wrong password is said at the form, and the name stays', async ({ page }) => {
	await page.goto('/login');
	await logIn(page, { name: ADMIN.name, password: 'not this one' });
	await expect(page.getByText(/name or (the )?password|do not fit|wrong/i).first()).toBeVisible();
	await expect(page.getByLabel('Name', { exact: true })).toHaveValue(ADMIN.name);
	await expect(page.getByLabel('Password')).toHaveValue('');
});

test('a visitor who wants a form is asked to log in and comes back to it', async ({ page }) => {
	await page.goto('/chains/ALPHA/tokens/new');
	await expect(page).toHaveURL(/\/login\?next=/);
	await logIn(page);
	await expect(page).toHaveURL(/\/chains\/ALPHA\/tokens\/new$/);
});

test('a visitor cannot act', async ({ request, console }) => {
	const pending = () => console.devnet.rpc<string[]>('ALPHA', 'getrawmempool');
	const before = await pending();
	const paths = ['/chains/ALPHA/tokens/new', '/migrations/new', '/transactions', '/account'];
	for (const path of paths) {
		const answer = await request.post(path, {
			headers: { origin: console.url },
			form: { name: 'X', supply: '1' },
			maxRedirects: 0
		});
		expect([303, 401, 403, 405], path).toContain(answer.status());
	}
	expect(await pending()).toEqual(before);
});

test('the cookie of a session is dead after logging out', async ({
	page,
	context,
	request,
	console
}) => {
	await signIn(page);
	const cookies = await context.cookies();
	const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
	const asBefore = () => request.get('/account', { headers: { cookie }, maxRedirects: 0 });
	expect((await asBefore()).status()).toBe(200);
	const out = await request.post('/logout', {
		headers: { cookie, origin: console.url },
		maxRedirects: 0
	});
	expect(out.status()).toBe(303);
	expect((await asBefore()).status()).not.toBe(200);
});

test('a new password that is too short and repeated differently is told both, each at its field', async ({
	page
}) => {
	await signIn(page);
	await page.goto('/account');
	const [password, repeat] = ['New password', 'Confirm new password'].map((name) =>
		page.getByLabel(name, { exact: true })
	);
	await page.getByLabel('Current password').fill(ADMIN.password);
	await password!.fill('short');
	await repeat!.fill('another');
	await page.getByRole('button', { name: 'Change password' }).click();
	await expect(password!).toHaveAccessibleDescription(/at least 12 characters\. At least/);
	await expect(repeat!).toHaveAccessibleDescription(/Passwords do not match/);
});

test('a page of another origin gets nowhere, with a form or with JSON', async ({
	page,
	context,
	request,
	console
}) => {
	await signIn(page);
	const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
	const headers = { cookie, origin: 'http://evil.example' };
	const form = await request.post('/account?/password', {
		headers,
		form: {
			current: ADMIN.password,
			password: 'stolen stolen stolen',
			repeat: 'stolen stolen stolen'
		}
	});
	expect(form.status()).toBe(403);
	for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
		const call = await request.post('/api/rpc/ALPHA', {
			headers: { ...headers, 'content-type': type },
			data: '{"id":1,"method":"getinfo","params":[]}'
		});
		expect(call.status(), type).toBe(403);
	}
	const own = await request.post('/api/rpc/ALPHA', {
		headers: { cookie, origin: console.url, 'content-type': 'application/json' },
		data: '{"id":1,"method":"getblockcount","params":[]}'
	});
	expect(own.status()).toBe(200);
});

test('a personal token is shown once and opens the RPC API as the daemon itself would', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/account');
	await page.getByLabel('API token name').fill('nightly report');
	await page.getByRole('button', { name: 'Create API token' }).click();
	const token = await page.getByTestId('new-token').innerText();
	expect(token).toMatch(/^[\w-]{30,}$/);
	await page.goto('/account');
	await expect(page.locator('main')).not.toContainText(token);

	const body = '{"jsonrpc":"1.0","id":"curltest","method":"tokenlist","params":[]}';
	const own = await console.devnet.post('ALPHA', body);
	for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
		for (const authorization of [
			`Bearer ${token}`,
			`Basic ${Buffer.from(`${ADMIN.name}:${token}`).toString('base64')}`
		]) {
			const answer = await fetch(`${console.url}/api/rpc/ALPHA`, {
				method: 'POST',
				headers: { 'content-type': type, authorization },
				body
			});
			expect(answer.status, type).toBe(200);
			expect(await answer.text(), type).toBe(own.text);
		}
	}
	const stopped = await fetch(`${console.url}/api/rpc/ALPHA`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}` },
		body: '{"id":1,"method":"stop","params":[]}'
	});
	expect(stopped.status).toBe(404);
});

test('the pages say who is signed in, and the session survives a crash of the server', async ({
	page,
	console
}) => {
	await signIn(page);
	await page.goto('/');
	await expect(page.getByRole('banner')).toContainText(ADMIN.name);
	await console.crashAndRestart();
	await page.goto('/account');
	await expect(page.getByRole('banner')).toContainText(ADMIN.name);
});
