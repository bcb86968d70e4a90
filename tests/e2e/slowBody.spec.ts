/** A form whose body arrives slowly, while its sender's rights change. */
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, expect, signIn, test } from './support/console.ts';

test('a form that ends after its session did makes nothing', async ({ page, console }) => {
	await signIn(page);
	const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`);
	const body = 'name=late&role=viewer&expires=30&addresses=&each=&day=&recipients=';
	const headers = {
		cookie: cookies.join('; '),
		origin: console.url,
		accept: 'text/html',
		'content-type': 'application/x-www-form-urlencoded',
		'content-length': body.length
	};
	const slow = httpRequest(`${console.url}/account?/createToken`, { method: 'POST', headers });
	const answered = new Promise<number | undefined>((done, failed) => {
		slow.on('error', failed);
		slow.on('response', (response) => {
			response.resume();
			done(response.statusCode);
		});
	});
	slow.write(body.slice(0, 9));
	await sleep(1_000);
	const left = await page.request.post('/logout', {
		headers: { origin: console.url },
		maxRedirects: 0
	});
	expect(left.status()).toBe(303);
	slow.end(body.slice(9));
	const status = await answered;
	await signIn(page, ADMIN);
	await page.goto('/account');
	await expect(page.getByText('late', { exact: true })).toHaveCount(0);
	expect([303, 401]).toContain(status);
});
