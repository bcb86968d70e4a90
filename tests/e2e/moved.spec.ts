/** Former addresses, requested over HTTP. */
import { MOVED_ADDRESSES } from '#lib/server/platform/http/movedAddress.ts';
import { UNANSWERED } from '#lib/messages/requests.ts';
import { expect, test } from './support/console.ts';

const PARAMETERS: Readonly<Record<string, string>> = {
	chain: 'ALPHA',
	id: '7',
	tokenid: 'ab'.repeat(32)
};
const filled = (address: string): string =>
	address.replaceAll(/\[(\w+)\]/g, (_, name: string) => PARAMETERS[name]!);

test('each address that has moved sends readers and forms to the one of now, the query with them', async ({
	console
}) => {
	for (const [before, now] of MOVED_ADDRESSES) {
		for (const method of ['GET', 'HEAD', 'POST']) {
			const answer = await fetch(`${console.url}${filled(before)}?/send&page=2`, {
				method,
				redirect: 'manual',
				...(method === 'POST' ? { body: new URLSearchParams({ name: 'kept' }) } : {})
			});
			expect(answer.status, `${method} ${before}`).toBe(308);
			expect(answer.headers.get('location'), before).toBe(`${filled(now)}?/send&page=2`);
		}
	}
});

test('a page is shown at its new address to whoever opens the old one', async ({ page }) => {
	for (const [before, now] of [
		['/ALPHA/blocks?sort=height', '/chains/ALPHA/blocks?sort=height'],
		['/map', '/routes']
	] as const) {
		expect((await page.goto(before))?.status()).toBe(200);
		await expect(page).toHaveURL(now);
	}
});

test('an address that has moved and cannot be decoded is answered, also when only its data is asked for', async ({
	console
}) => {
	const ask = (path: string) =>
		fetch(`${console.url}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
	expect((await ask('/map/%ff')).status).toBe(308);
	for (const path of ['/map/%ff', '/ALPHA/tx/%c0%80']) {
		const data = await ask(`${path}/__data.json?page=2`);
		expect(await data.json(), path).toMatchObject({
			type: 'redirect',
			location: expect.stringContaining('?page=2')
		});
	}
});

test('a name that is no chain has no page', async ({ console }) => {
	for (const path of ['/NOSUCH', '/NOSUCH/blocks', '/alpha']) {
		expect((await fetch(`${console.url}${path}`, { redirect: 'manual' })).status, path).toBe(404);
	}
});

test('an address that was cut short leads to the list of what stood below it', async ({ page }) => {
	for (const [short, list] of [
		['/chains', '/'],
		['/chains/ALPHA/block', '/chains/ALPHA/blocks'],
		['/chains/ALPHA/tx', '/chains/ALPHA/transactions']
	] as const) {
		expect((await page.goto(short))?.status()).toBe(200);
		await expect(page).toHaveURL(list);
	}
});

test('a request that no page answers is told what is wrong and what to do, in our own words', async ({
	page
}) => {
	expect((await page.goto('/nothing/here'))?.status()).toBe(404);
	const main = page.getByRole('main');
	await expect(main).toContainText(UNANSWERED.nowhere.message);
	await expect(main).toContainText(UNANSWERED.nowhere.next);
	expect((await page.goto('/wallets/%ff'))?.status()).toBe(400);
	await expect(main).toContainText(UNANSWERED.unreadable.message);
	const post = (contentType: string, data: string) =>
		page.request.post('/decode?/nosuch', {
			headers: { 'content-type': contentType, accept: 'application/json' },
			data
		});
	const { error } = await (await post('application/x-www-form-urlencoded', 'a=1')).json();
	expect(error).toMatchObject({ ...UNANSWERED.noForm, code: 'not-found' });
});
