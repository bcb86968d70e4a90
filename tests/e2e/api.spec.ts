/** The JSON API as the built application serves it. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { expect, test, type Console } from './support/console.ts';

interface Page {
	rows: { height: number }[];
	next: string | null;
}

/** Waits until the index has the chain's first blocks. */
async function indexed({ url }: Console): Promise<void> {
	const path = `${url}/api/v1/chains/ALPHA/blocks`;
	await expect
		.poll(async () => ((await (await fetch(path)).json()) as Page).rows.length)
		.toBeGreaterThan(5);
}

test('lists, details and exports answer where their description says', async ({ console }) => {
	await indexed(console);
	const description = (await (await fetch(`${console.url}/api/openapi.json`)).json()) as {
		servers: { url: string }[];
		paths: Record<
			string,
			{ get: { parameters: { required: boolean; in: string }[]; responses: { '200': unknown } } }
		>;
	};
	// Relative, because the Host header of a request is not trusted as an address.
	expect(description.servers[0]!.url).toBe('/');
	let asked = 0;
	for (const [path, { get }] of Object.entries(description.paths)) {
		const needs = get.parameters.some(
			(parameter) => parameter.required && parameter.in === 'query'
		);
		// There is no published burn yet.
		if (needs || path.includes('{txid}')) continue;
		if (path.includes('{id}') && !path.includes('/blocks/')) continue;
		const place = path.replace('{chain}', 'ALPHA').replace('{id}', '3');
		const answer = await fetch(`${console.url}${place}`);
		expect(answer.status, place).toBe(200);
		const { content } = get.responses['200'] as { content: Record<string, { schema: object }> };
		const type = answer.headers.get('content-type')!.split(';')[0]!;
		expect(Object.keys(content), place).toEqual([type]);
		if (type === 'application/json') {
			const body: unknown = await answer.json();
			expect(z.fromJSONSchema({ ...content[type]!.schema }).safeParse(body).error, place).toBe(
				undefined
			);
		}
		asked++;
	}
	expect(asked).toBeGreaterThan(10);
});

test('pages and the API are compressed, the stream of events is not', async ({ console }) => {
	for (const path of ['/chains/ALPHA', '/api/openapi.json']) {
		for (const encoding of ['br', 'gzip']) {
			const headers = { 'accept-encoding': encoding };
			const answer = await fetch(`${console.url}${path}`, { headers });
			expect(answer.headers.get('content-encoding'), path).toBe(encoding);
			expect(await answer.text()).toMatch(/[}>]\s*$/);
		}
	}
	const events = await fetch(`${console.url}/api/events`);
	expect(events.headers.get('content-encoding')).toBeNull();
	await events.body?.cancel();
});

test('a wrong token is refused in the shape of the API', async ({ console }) => {
	const headers = { authorization: 'Bearer nonsense' };
	const answer = await fetch(`${console.url}/api/v1/chains`, { headers });
	expect(answer.status).toBe(401);
	expect(await answer.json()).toMatchObject({ error: { code: 'token-invalid' } });
	expect(answer.headers.get('www-authenticate')).toContain('Bearer');
});

test('what is not there is said in the shape of the API, however deep', async ({ console }) => {
	for (const path of ['nonsense', 'nonsense/deeper', 'chains/ALPHA', 'chains/ALPHA/tx/a/b/c', '']) {
		const answer = await fetch(`${console.url}/api/v1/${path}`);
		expect(answer.status, path).toBe(404);
		const { error } = (await answer.json()) as { error: { code: string; requestId: string } };
		expect(error.code, path).toMatch(/^(not-found|unknown-list)$/);
		expect(error.requestId, path).toBe(answer.headers.get('x-request-id'));
	}
});

test('an export is downloaded under the name of its list', async ({ page, console }) => {
	await indexed(console);
	await page.goto('/');
	const waiting = page.waitForEvent('download');
	await page.evaluate(() => window.location.assign('/api/v1/chains/ALPHA/blocks.csv'));
	const download = await waiting;
	expect(download.suggestedFilename()).toBe('ALPHA-blocks.csv');
	expect(await readFile(await download.path(), 'utf8')).toMatch(/^height,hash,/);
});
