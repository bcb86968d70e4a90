/** Second factors as members see them: set-up, login, confirmation. */
import { randomUUID } from 'node:crypto';
import type { APIResponse } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import { withAuth } from '../../src/cli/withAuth.ts';
import { complaints } from './support/axe.ts';
import { ADMIN, expect, signIn, test } from './support/console.ts';
import { leaveOpen, logIn, resetFactors } from './support/members.ts';

/** The code of this moment adds the app, the next one logs in: neither expires on the way. */
const codeOf = (secret: string, after = 0): string =>
	new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + after });

test.afterEach(({ console }) => resetFactors(console));

for (const javaScriptEnabled of [true, false]) {
	test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
		test.use({ javaScriptEnabled });

		test('a member sets an app up, logs in by its code, and confirms by a recovery code with the form kept', async ({
			page,
			console
		}) => {
			await resetFactors(console);
			await signIn(page);
			await page.goto('/account');
			await page.getByRole('link', { name: 'Manage factors' }).click();
			await page.getByRole('button', { name: 'Set up app' }).click();
			const shown = page.getByTestId('totp-secret').locator('pre');
			const secret = ((await shown.textContent()) ?? '').replaceAll(/\s/g, '');
			const name = page.getByRole('region', { name: 'Authenticator app' }).getByLabel('Name');
			await name.fill('phone');
			await page.getByLabel('Code', { exact: true }).fill('000000');
			await page.getByRole('button', { name: 'Add app' }).click();
			await expect(page.getByText('This code is wrong, or was used already.')).toBeVisible();
			await expect(name).toHaveValue('phone');
			expect(javaScriptEnabled ? await complaints(page) : []).toEqual([]);
			await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
			await page.getByRole('button', { name: 'Add app' }).click();
			await expect(page.getByText('Factor added.')).toBeVisible();
			const codes = ((await page.getByTestId('recovery-codes').locator('pre').textContent()) ?? '')
				.trim()
				.split('\n');
			expect(codes).toHaveLength(10);

			await page.context().clearCookies();
			await page.goto('/login?next=/admin/members');
			await logIn(page);
			await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible();
			expect(javaScriptEnabled ? await complaints(page) : []).toEqual([]);
			await page.getByLabel('Code').fill('123');
			await page.getByRole('button', { name: 'Log in', exact: true }).click();
			await expect(page.getByText('This code is wrong, or was used already.')).toBeVisible();
			await page.getByLabel('Code').fill(codeOf(secret, 30_000));
			await page.getByRole('button', { name: 'Log in', exact: true }).click();
			await expect(page).toHaveURL('/admin/members');

			const invited = javaScriptEnabled ? 'by-factor' : 'by-factor-plain';
			await page.getByRole('textbox', { name: 'Name' }).fill(invited);
			await page.getByRole('radio', { name: 'Operator' }).check();
			await leaveOpen(console);
			await page.getByRole('button', { name: 'Create invite link' }).click();
			await expect(
				page.getByRole('heading', { name: 'Confirm with your second factor' })
			).toBeVisible();
			await page.getByLabel('Code').fill('wrong');
			await page.getByRole('button', { name: 'Confirm', exact: true }).click();
			await expect(page.getByText('This code is wrong, or was used already.')).toBeVisible();
			await page.getByLabel('Code').fill(codes[0]!);
			await page.getByRole('button', { name: 'Confirm', exact: true }).click();
			await expect(page.getByTestId('invitation')).toBeVisible();
			await expect(page.getByText(invited, { exact: true }).first()).toBeVisible();
		});

		test('where a factor is required, a member without one opens nothing but its set-up', async ({
			page,
			console
		}) => {
			await resetFactors(console);
			await signIn(page);
			await page.goto('/admin/security');
			await page.getByLabel('Second factor for admins').selectOption('required');
			await page
				.getByRole('region', { name: 'Second factor' })
				.getByRole('button', { name: 'Save settings' })
				.click();
			// It takes effect at once, also for the admin who sets it.
			if (javaScriptEnabled) await expect(page).toHaveURL(/\/account\/factors/);
			else await expect(page.getByText('Settings saved.')).toBeVisible();
			await page.goto('/wallets');
			await expect(page).toHaveURL(/\/account\/factors/);
			await expect(page.getByText('Your role requires a second factor.')).toBeVisible();
			expect(javaScriptEnabled ? await complaints(page) : []).toEqual([]);
			await resetFactors(console);
		});
	});
}

test('new recovery codes come into view on a phone, with the focus', async ({ page, console }) => {
	await resetFactors(console);
	await page.setViewportSize({ width: 390, height: 700 });
	await signIn(page);
	await page.goto('/account/factors');
	await page.getByRole('button', { name: 'Set up app' }).click();
	const shown = page.getByTestId('totp-secret').locator('pre');
	const secret = ((await shown.textContent()) ?? '').replaceAll(/\s/g, '');
	await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
	const codes = page.getByTestId('recovery-codes').locator('pre');
	const comeIntoView = async (): Promise<string | null> => {
		await expect(codes).toBeInViewport({ ratio: 1 });
		await expect(codes).toBeFocused();
		return codes.textContent();
	};
	await page.getByRole('button', { name: 'Add app' }).click();
	const first = await comeIntoView();
	const renew = page.getByRole('button', { name: 'Replace recovery codes' });
	await renew.click();
	await page.getByRole('dialog').getByRole('button', { name: 'Replace recovery codes' }).click();
	await expect(codes).not.toHaveText(first ?? '');
	await comeIntoView();
});

test('a form that comes twice with one code is carried out once, and both are told so', async ({
	console,
	playwright
}) => {
	const { codes, sessionId } = await withAuth({ KOMODECK_DATA: console.dataDir }, async (auth) => {
		const { factors, members, sessions } = auth;
		const person = (await members.list()).find(({ name }) => name === ADMIN.name)!;
		const begun = await sessions.begin(person.id, { address: null, userAgent: null });
		const { idHash } = (await sessions.validate(begun))!.session;
		const { id, secret } = await factors.beginTotp(person, idHash);
		const from = { address: '192.0.2.1', device: null };
		const given = { idHash, id, name: 'phone', code: codeOf(secret), from };
		return { ...(await factors.addTotp(person, given)), sessionId: begun };
	});
	await leaveOpen(console);
	const member = await playwright.request.newContext({
		baseURL: console.url,
		extraHTTPHeaders: { cookie: `${SESSION_COOKIE}=${sessionId}` }
	});
	const form = { name: 'once', role: 'viewer', expires: '90', 'idempotency-key': randomUUID() };
	const send = (code: string): Promise<APIResponse> =>
		member.post('/account?/createToken', {
			form: { ...form, 'confirm-code': code },
			headers: { origin: console.url, 'x-sveltekit-action': 'true' }
		});
	const [code = '', next = ''] = codes ?? [];
	const answers = await Promise.all([send(code), send(code)]);
	// A member who saw neither response types another code.
	for (const answer of [...answers, await send(next)]) {
		expect(await answer.json()).toMatchObject({ type: 'success' });
	}
	const page = await member.get('/account', { headers: { accept: 'text/html' } });
	expect((await page.text()).match(/>once</g)).toHaveLength(1);
	await member.dispose();
});
