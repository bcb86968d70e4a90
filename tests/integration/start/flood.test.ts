/** One address that requests pages without end, under any names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, configOfNowhere, startProduct, type Product } from '../../support/product.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-flood-'));
let product: Product | undefined;
/** Limit of one member within ten seconds; the visitors of an address have five times as many, of which a login takes 25. */
const REQUESTS = 6;

beforeAll(async () => {
	product = await startProduct({
		dataDir: folder,
		config: configOfNowhere(folder),
		env: { KOMODECK_REQUESTS: String(REQUESTS), ADDRESS_HEADER: 'x-real-ip' }
	});
});
afterAll(async () => {
	await product?.stop();
	rmSync(folder, { recursive: true, force: true });
});

test('pages that one address asks for end at its budget, also where there is no such page', async () => {
	for (const path of ['/_app/remote/x/y', '/login', '/nothing/here', '/%ff', '/_app/remote/x']) {
		const statuses: number[] = [];
		for (let n = 0; n <= 5 * REQUESTS; n += 1) {
			const answer = await fetch(`${product!.url}${path}`, {
				headers: { accept: 'text/html', 'x-real-ip': '192.0.2.200' },
				redirect: 'manual'
			});
			await answer.body?.cancel();
			statuses.push(answer.status);
		}
		expect(statuses, path).toContain(429);
	}
});

test('visitors use up nothing of what the members at their address have', async () => {
	const { url } = product!;
	const headers = { accept: 'text/html', 'x-real-ip': '203.0.113.1' };
	const login = await fetch(`${url}/login`, {
		method: 'POST',
		headers: { ...headers, origin: url },
		body: new URLSearchParams({ ...ADMIN, next: '/' }),
		redirect: 'manual'
	});
	await login.body?.cancel();
	const cookie = login.headers.getSetCookie().map((line) => line.split(';', 1)[0]!);
	const ask = async (more: Record<string, string>): Promise<number> => {
		const answer = await fetch(`${url}/account`, {
			headers: { ...headers, ...more },
			redirect: 'manual'
		});
		await answer.body?.cancel();
		return answer.status;
	};
	for (let n = 0; n < 5 * REQUESTS; n += 1) await ask({});
	expect(await ask({})).toBe(429);
	expect(await ask({ cookie: cookie.join('; ') })).toBe(200);
});

test('files cost as much as an export in whatever spelling their address is', async () => {
	const files = [
		'/address-book/address-book.csv',
		'/address-book/address-book%2Ecsv',
		'/approvals/approvals.%63sv',
		'/kdf/KMD/addresses%2ecsv',
		'/migrations/any/recovery.js%6Fn',
		'/transactions/transactions%2Ejson',
		'/api/notary-approvals%2Ejson',
		'/api/v1/chains%2Ecsv'
	];
	for (const [at, path] of files.entries()) {
		const ask = async (): Promise<number> => {
			const answer = await fetch(`${product!.url}${path}`, {
				headers: { 'x-real-ip': `192.0.2.${at}` },
				redirect: 'manual'
			});
			await answer.body?.cancel();
			return answer.status;
		};
		expect(await ask(), path).not.toBe(429);
		expect(await ask(), path).toBe(429);
	}
});

test('a search, a proof and a MoM cost as much as ten pages, and their empty forms as one', async () => {
	const proof = `/chains/ALPHA/proof/${'ab'.repeat(32)}`;
	const costs = {
		'/search?q=abc': 10,
		'/search/__data.json?q=abc': 10,
		[proof]: 10,
		'/chains/ALPHA/mom?height=9&depth=9': 10,
		'/chains/ALPHA/mom/__data.json?depth=1': 10,
		'/chains/KMD/momom?kmdheight=9': 10,
		'/search': 1,
		'/chains/ALPHA/mom': 1,
		'/chains/KMD/momom?symbol=ALPHA': 1
	};
	for (const [at, [path, cost]] of Object.entries(costs).entries()) {
		const statuses: number[] = [];
		for (let n = 0; n <= (5 * REQUESTS) / cost; n += 1) {
			const answer = await fetch(`${product!.url}${path}`, {
				headers: { 'x-real-ip': `198.51.100.${at}` },
				redirect: 'manual'
			});
			await answer.body?.cancel();
			statuses.push(answer.status);
		}
		expect(statuses.indexOf(429), path).toBe((5 * REQUESTS) / cost);
	}
});
