/** Single sign-on on the pages of the product, with an issuer whose address the configuration writes differently. */
import { beforeAll, expect, it } from 'vitest';
import { ACCOUNT } from '#lib/messages/pages/account.ts';
import { FACTORS } from '#lib/messages/pages/factors.ts';
import { NO_PASSWORD } from '#lib/server/access/accounts/tables.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { freePort } from '../../support/freePort.ts';
import { ADMIN, configOfNowhere, launchProduct } from '../../support/product.ts';
import { clientOf } from '../../support/productClient.ts';
import { CLIENT, CookieJar, logInAt, startProvider } from '../../support/provider/provider.ts';
import { shared } from '../../support/shared.ts';

const SUBJECT = 'ada';

describeOnBothDatabases('single sign-on on the pages', (database) => {
	const place = shared(async () => ({ port: await freePort() }));
	const provider = shared(() =>
		startProvider(`http://localhost:${place.port}/login/provider/callback`)
	);
	const product = shared(() =>
		launchProduct({
			port: place.port,
			env: {
				KOMODECK_DATA: database.dataDir,
				KOMODECK_CONFIG: configOfNowhere(database.dataDir),
				DATABASE_URL: database.options.url ?? '',
				KOMODECK_ADMIN_USER: ADMIN.name,
				KOMODECK_ADMIN_PASSWORD: ADMIN.password,
				KOMODECK_SIGN_ON_ISSUER: `${provider.issuer}/`,
				KOMODECK_SIGN_ON_CLIENT_ID: CLIENT.clientId,
				KOMODECK_SIGN_ON_CLIENT_SECRET: CLIENT.clientSecret,
				KOMODECK_SIGN_ON_LABEL: 'Example ID'
			}
		})
	);
	const jar = new CookieJar();

	async function post(path: string, fields: Record<string, string> = {}): Promise<Response> {
		return jar.fetch(`${product.url}${path}`, {
			method: 'POST',
			headers: { origin: product.url },
			body: new URLSearchParams(fields)
		});
	}
	const page = (path: string) =>
		clientOf(product.url, { cookie: jar.header, token: '' }).page(path);

	beforeAll(async () => {
		await post('/login', { ...ADMIN, next: '/' });
	});

	it('link, confirm and unlink an identity whose issuer has no final slash, unlike the configured one', async () => {
		await post('/account?/link');
		const forward = await jar.fetch(`${product.url}/login/provider/continue`);
		const [, href = ''] = /<a[^>]* href="([^"]+)"/.exec(await forward.text()) ?? [];
		const back = await logInAt(provider, href.replaceAll('&amp;', '&'), SUBJECT);
		await (await jar.fetch(back.href)).body?.cancel();
		expect(await page('/account')).toMatchObject({
			signOn: { identities: [{ issuer: provider.issuer, subject: SUBJECT }] }
		});
		expect(await page('/confirm')).toMatchObject({ provider: { label: 'Example ID' } });

		const unlink = () =>
			post('/account?/unlink', {
				issuer: provider.issuer,
				subject: SUBJECT,
				sure: 'yes'
			});
		expect((await unlink()).status).toBe(200);
		expect(await page('/account')).toMatchObject({ signOn: { identities: [] } });
		const again = await unlink();
		expect(again.status).toBe(409);
		expect(await again.text()).toContain('sign-on.not-linked');
	});

	it('name the password of an account as what opens it only where the account has one', async () => {
		const shown = async () => {
			const client = clientOf(product.url, { cookie: jar.header, token: '' });
			const pages = ['/account', '/account/factors'].map((path) => client.text(path));
			return (await Promise.all(pages)).map(({ text }) => text);
		};
		const said = (hasPassword: boolean) => [
			expect.stringContaining(ACCOUNT.factors.none(hasPassword)),
			expect.stringContaining(FACTORS.list.none(hasPassword))
		];
		expect(await shown()).toEqual(said(true));
		await database.db
			.updateTable('accounts')
			.set({ password_hash: NO_PASSWORD })
			.where('name', '=', ADMIN.name)
			.execute();
		const texts = await shown();
		expect(texts).toEqual(said(false));
		expect(texts[1]).toContain(FACTORS.lead(false));
		for (const text of texts) expect(text).not.toContain('your password');
	});
});
