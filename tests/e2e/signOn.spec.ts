/** Single sign-on with a real provider, with and without scripts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '../support/freePort.ts';
import { launchProduct, type Product } from '../support/product.ts';
import { CLIENT, startProvider, type TestProvider } from '../support/provider/provider.ts';
import { complaintsEveryWay } from './support/axe.ts';
import { ADMIN, expect, test } from './support/console.ts';
import { logIn } from './support/members.ts';

let provider: TestProvider;
let product: Product;
let folder: string;

test.beforeAll(async ({ console }) => {
	folder = mkdtempSync(join(tmpdir(), 'komodeck-sign-on-'));
	const port = await freePort();
	const url = `http://localhost:${port}`;
	provider = await startProvider(`${url}/login/provider/callback`, `${url}/login/provider/logout`);
	product = await launchProduct({
		port,
		env: {
			KOMODECK_DATA: join(folder, 'data'),
			KOMODO_HOME: console.devnet.dir,
			KOMODECK_ADMIN_USER: ADMIN.name,
			KOMODECK_ADMIN_PASSWORD: ADMIN.password,
			KOMODECK_SIGN_ON_ISSUER: provider.issuer,
			KOMODECK_SIGN_ON_CLIENT_ID: CLIENT.clientId,
			KOMODECK_SIGN_ON_CLIENT_SECRET: CLIENT.clientSecret,
			KOMODECK_SIGN_ON_ACCOUNTS: 'first-login',
			KOMODECK_SIGN_ON_ROLE_CLAIM: 'groups',
			KOMODECK_SIGN_ON_ROLES: 'admins=admin,crew=operator',
			KOMODECK_SIGN_ON_LABEL: 'Example ID'
		}
	});
});
test.afterAll(async () => {
	await product?.stop();
	await provider?.stop();
	rmSync(folder, { recursive: true, force: true });
});

/** Fills in the provider's pages until the browser is redirected back. */
async function answerProvider(page: Page, subject: string): Promise<void> {
	await expect(page).toHaveURL(new RegExp(`^${provider.issuer}`));
	await page.locator('input[name=login]').fill(subject);
	await page.locator('input[name=password]').fill('any');
	await page.locator('button[type=submit]').click();
	await page.getByRole('button', { name: 'Continue' }).click();
	await expect(page).toHaveURL(new RegExp(`^${product.url}`));
}

async function logInHere(page: Page): Promise<void> {
	await page.goto(`${product.url}/login?next=/account`);
	await logIn(page);
	await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
}

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('a newcomer logs in by the button, and is offered the logout of the provider', async ({
		page
	}) => {
		await page.goto(`${product.url}/login?next=/account`);
		await page.getByRole('link', { name: 'Log in with Example ID' }).click();
		await answerProvider(page, 'stranger');
		await expect(page.getByText('gives you no role here')).toBeVisible();

		await provider.claimsOf('newcomer', { groups: ['crew', 'others'] });
		await page.context().clearCookies();
		await page.goto(`${product.url}/login?next=/account`);
		await page.getByRole('link', { name: 'Log in with Example ID' }).click();
		await answerProvider(page, 'newcomer');
		await expect(page).toHaveURL(`${product.url}/account`);
		await expect(page.locator('#content').getByText('newcomer, Operator')).toBeVisible();
		await expect(page.getByRole('banner')).toContainText('newcomer, Operator');
		await expect(page.getByText('You log in with Example ID')).toBeVisible();
		await page.getByRole('button', { name: 'Unlink newcomer' }).click();
		await page.getByRole('button', { name: 'Unlink single sign-on' }).click();
		await expect(page.getByText('This is the last way into your account')).toBeVisible();
		await page
			.locator('form[action="/logout"] button')
			.evaluate((button: HTMLButtonElement) => button.form?.submit());
		await expect(page.getByText('You are logged out here.')).toBeVisible();
		const out = page.getByRole('link', { name: 'Log out of Example ID' });
		expect(await out.getAttribute('href')).toContain(`${provider.issuer}/session/end`);
	});
});

test('who logs out at the provider is logged out here', async ({ page }) => {
	await provider.claimsOf('roaming', { groups: ['crew'] });
	await page.goto(`${product.url}/login?next=/account`);
	await page.getByRole('link', { name: 'Log in with Example ID' }).click();
	await answerProvider(page, 'roaming');
	await expect(page).toHaveURL(`${product.url}/account`);
	await page.goto(`${provider.issuer}/session/end`);
	await page.getByRole('button', { name: 'Yes, sign me out' }).click();
	await expect(page.getByText('Sign-out Success')).toBeVisible();
	await page.goto(`${product.url}/account`);
	await expect(page).toHaveURL(/\/login\?next=/);
});

test('a member links the provider, closes local login, and passes the glass', async ({ page }) => {
	await logInHere(page);
	await page.getByRole('button', { name: 'Link Example ID' }).click();
	await answerProvider(page, 'the-admin');
	await expect(page.getByText('Linked. From now on')).toBeVisible();
	await page.goto(`${product.url}/admin/members`);
	await expect(page.getByRole('cell', { name: 'Example ID, Password' })).toBeVisible();

	await page.goto(`${product.url}/admin/security`);
	const closing = page.locator('#local-login');
	await closing.getByLabel('Login with a password').selectOption('break-glass');
	await closing.getByRole('button', { name: 'Save settings' }).click();
	await expect(page.getByText('Enter the name of an admin')).toBeVisible();
	await closing.getByLabel('Break-glass admin').fill(ADMIN.name);
	await closing.getByRole('button', { name: 'Save settings' }).click();
	await expect(page.getByText('Settings saved.')).toBeVisible();

	await page.context().clearCookies();
	await page.goto(`${product.url}/login?problem=sign-on.no-account`);
	await expect(page.getByRole('heading', { name: 'Break-glass login' })).toBeVisible();
	expect(await complaintsEveryWay(page)).toEqual([]);
	await logInHere(page);
});
