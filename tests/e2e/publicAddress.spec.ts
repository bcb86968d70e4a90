/** The application behind a TLS proxy, which forwards the public name in the Host header. */
import { request as httpRequest } from 'node:http';
import { withAuth } from '../../src/cli/withAuth.ts';
import { ADMIN, expect, test } from './support/console.ts';

const HOST = 'deck.example.test';

test.use({ apart: 'public-address', settings: { KOMODECK_ORIGIN: `https://${HOST}` } });

interface Answer {
	status: number;
	text: string;
	cookie: string;
}

/** Requests a page or posts a form like the proxy. */
function ask(
	url: string,
	path: string,
	{
		cookie = '',
		host = HOST,
		origin = `https://${HOST}`,
		form
	}: { cookie?: string; host?: string; origin?: string; form?: object } = {}
): Promise<Answer> {
	return new Promise((done, failed) => {
		const { port } = new URL(url);
		const asked = httpRequest(
			{
				host: 'localhost',
				port,
				path,
				method: form ? 'POST' : 'GET',
				headers: {
					host,
					cookie,
					accept: 'text/html',
					...(form ? { origin } : {}),
					...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {})
				}
			},
			(answer) => {
				let text = '';
				answer.setEncoding('utf8').on('data', (part: string) => void (text += part));
				answer.on('end', () => {
					const set = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]);
					done({ status: answer.statusCode ?? 0, text, cookie: set.join('; ') });
				});
			}
		);
		asked.once('error', failed);
		asked.end(form ? new URLSearchParams({ ...form }).toString() : undefined);
	});
}

test('a form that is posted too late waits for the confirmation, and passkeys are offered', async ({
	console
}) => {
	const login = await ask(console.url, '/login');
	expect(login.text).toContain('Log in with passkey');
	const { cookie } = await ask(console.url, '/login', {
		form: { name: ADMIN.name, password: ADMIN.password, next: '/' }
	});
	expect(cookie).toContain('__Host-komodeck_session=');
	await withAuth({ KOMODECK_DATA: console.dataDir }, async ({ sessions }, db) => {
		const rows = await db.selectFrom('sessions').select('id_hash').execute();
		for (const { id_hash } of rows) await sessions.confirm(id_hash, db, 1);
	});
	const late = await ask(console.url, '/admin/members?/invite', {
		cookie,
		form: { name: 'kept-name', role: 'operator' }
	});
	expect(late.status).toBe(403);
	expect(late.text).toContain('Confirm your password');
	expect(late.text).toContain('value="kept-name"');
});

test('at another name than the public one passkeys are off', async ({ console }) => {
	const { text } = await ask(console.url, '/login', { host: 'localhost' });
	expect(text).toContain('they work at the public address of this installation');
	expect(text).not.toContain('Log in with passkey');
});

for (const [who, host, origin, name] of [
	['a member who opens localhost', 'localhost', 'http://localhost', /^komodeck_session=/],
	['a member who opens a loopback address', '127.0.0.1', 'http://127.0.0.1', /^komodeck_session=/]
] as const) {
	test(`${who} instead of the public one is logged in there`, async ({ console }) => {
		const { cookie, status } = await ask(console.url, '/login', {
			host,
			origin,
			form: { name: ADMIN.name, password: ADMIN.password, next: '/' }
		});
		expect(status).toBe(303);
		expect(cookie.split('; ').some((one) => name.test(one))).toBe(true);
		const account = await ask(console.url, '/account', { host, cookie });
		expect(account.status).toBe(200);
		expect(account.text).toContain(ADMIN.name);
	});
}
