/** Pages that are cached for all visitors. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'node:http';
import { once } from 'node:events';
import { expect, test, type Console } from './support/console.ts';

interface Answer {
	status: number;
	headers: Readonly<Record<string, string | string[] | undefined>>;
	body: Buffer;
}

/** Requests without the automatic behavior of `fetch`: no decoding, no caching. */
async function asked(
	{ url }: Console,
	path: string,
	headers: Record<string, string> = {}
): Promise<Answer> {
	const { port } = new URL(url);
	// The path is sent unchanged: `URL` would normalize it.
	const sent = request({
		host: 'localhost',
		port,
		path,
		headers: { accept: 'text/html', ...headers }
	}).end();
	const [answer] = (await once(sent, 'response')) as [
		AsyncIterable<Buffer> & { statusCode: number; headers: Answer['headers'] }
	];
	const parts: Buffer[] = [];
	for await (const part of answer) parts.push(part);
	return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) };
}

test('visitors who ask at once get one page, in each encoding, and nothing where they have it', async ({
	console
}) => {
	const path = '/chains/ALPHA/blocks';
	await expect(async () => {
		const [first, second, compressed] = await Promise.all([
			asked(console, path),
			asked(console, path),
			asked(console, path, { 'accept-encoding': 'br' })
		]);
		expect([first.status, second.status, compressed.status]).toEqual([200, 200, 200]);
		// A page contains the time at which it was rendered.
		expect(second.body.equals(first.body)).toBe(true);
		expect(compressed.headers['content-encoding']).toBe('br');
		expect(brotliDecompressSync(compressed.body).equals(first.body)).toBe(true);
		expect(compressed.headers['vary']).toBe('Accept-Encoding');
		expect(compressed.headers['etag']).not.toBe(first.headers['etag']);
		const again = await asked(console, path, { 'if-none-match': String(first.headers['etag']) });
		expect([again.status, again.body.length]).toEqual([304, 0]);
		// If a block arrived in between, or the machine was too slow, it is tried again.
	}).toPass();
});

test('a visitor’s browser runs the scripts of a page that was made for another', async ({
	page,
	console
}) => {
	const errors: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') errors.push(message.text());
	});
	await asked(console, '/chains/ALPHA/blocks');
	await page.goto('/chains/ALPHA/blocks');
	await console.devnet.control.mine('ALPHA');
	const height = await console.devnet.rpc<number>('ALPHA', 'getblockcount');
	await expect(page.getByRole('main')).toContainText(String(height));
	expect(errors).toEqual([]);
});

test('the policy of a page lets its script run, whatever the page holds', async ({ console }) => {
	for (const mark of ['%komodeck.theme%', '%komodeck.scripts%', '%sveltekit.head%', '$&']) {
		const { headers, body } = await asked(console, `/chains/ALPHA/blocks?q=${mark}`);
		const scripts = [...body.toString().matchAll(/<script>([^]*?)<\/script>/g)];
		expect(scripts).toHaveLength(1);
		const hash = createHash('sha256')
			.update(scripts[0]?.[1] ?? '')
			.digest('base64');
		expect(String(headers['content-security-policy']), mark).toContain(`'sha256-${hash}'`);
		expect(scripts[0]?.[1]).toContain(mark);
	}
});

test('whoever asks for a part of a file gets the file, and is never left without an answer', async ({
	console
}) => {
	const file = `${console.url}/favicon.svg`;
	const whole = await (await fetch(file)).text();
	for (const range of [
		'bytes=9-2',
		'bytes=0-3',
		'bytes=-5',
		'bytes=999999-',
		'bytes=5-1,0-3',
		'x'
	]) {
		// As a proxy would send it: `fetch` sets its own Accept-Encoding.
		const answer = await fetch(file, { headers: { range, 'accept-encoding': 'identity' } });
		expect(answer.status, range).toBe(200);
		expect(await answer.text(), range).toBe(whole);
	}
});

test('no address leads to a page that a header names', async ({ console }) => {
	const path = '/chains/ALPHA/blocks';
	for (const [remote, named] of [
		['/_app/remote/x', path],
		['/x/../_app/remote/x', path],
		['/_app/remote/x/y?a=1', '/login']
	] as const) {
		// Rendered a moment ago, and cached for this request.
		expect((await asked(console, named)).status).toBe(200);
		const headers = { 'x-sveltekit-pathname': named };
		for (const accept of ['text/html', '*/*']) {
			expect((await asked(console, remote, { ...headers, accept })).status).toBe(404);
		}
		expect((await asked(console, remote)).status).toBe(404);
	}
});
