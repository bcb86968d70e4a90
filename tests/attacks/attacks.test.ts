/**
 * Every attack against the started application over HTTP, twice: its guard stands, and the attack fails; its
 * guard is turned off in a build that has switches, and the attack succeeds, so that the test of it means
 * something.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GUARDS } from '#lib/server/guards/list.ts';
import { makeTestBuild, type TestBuild } from '../guards/testBuild.ts';
import { describeOnBothDatabases } from '../support/database.ts';
import { startDevnet, type Devnet } from '../support/devnet.ts';
import { attackAll, attacks, pairs } from './all.ts';
import { liveThroughTrouble } from './databaseTrouble.ts';
import { FORMULA, plantToken, SCRIPT } from './door.ts';
import { randomBodies } from './randomBodies.ts';
import { call, page, postForm, startTarget, type Target } from './target.ts';

let build: TestBuild | undefined;
let devnet: Devnet | undefined;
beforeAll(async () => {
	build = makeTestBuild();
	devnet = await startDevnet({ seed: 'attacks', bare: true });
}, 400_000);
afterAll(async () => {
	await devnet?.stop();
	build?.remove();
});

test('each attack has a guard, and each guard an attack', () => {
	const named = pairs.map(({ name }) => name);
	expect(new Set(named)).toEqual(new Set(attacks.keys()));
	expect(Object.values(GUARDS).every((guard) => guard.attacks.length > 0)).toBe(true);
});

describeOnBothDatabases('the attacks', (database) => {
	let target: Target;
	beforeAll(async () => {
		target = await startTarget({
			root: build!.root,
			devnet: devnet!,
			db: database.db,
			dataDir: database.dataDir,
			databaseUrl: database.options.url
		});
		await plantToken(target);
		const { cookie } = await target.person('viewer');
		await vi.waitFor(
			async () =>
				expect(
					await (await page(target, '/api/v1/chains/ALPHA/tokens.csv', cookie)).text()
				).toContain(FORMULA),
			{ timeout: 60_000, interval: 100 }
		);
	}, 300_000);
	afterAll(() => target?.stop());

	test('fail while their guards stand and succeed when they are gone', async () => {
		expect(await attackAll(target, true)).toEqual([]);
		console.info(
			`${Object.keys(GUARDS).length} guards and ${attacks.size} attacks on ${database.db.dialect}: each attack was stopped by its guard, and succeeded without it`
		);
	}, 300_000);

	test('with names of prototypes find nothing in any page, parameter or field', async () => {
		const { cookie } = await target.person('admin');
		const failed: string[] = [];
		for (const name of [
			'__proto__',
			'constructor',
			'toString',
			'hasOwnProperty',
			'__lookupGetter__'
		]) {
			const paths = [
				`/${name}`,
				`/${name}/tokens`,
				`/ALPHA/block/${name}`,
				`/ALPHA/tx/${name}`,
				`/ALPHA/token/${name}`,
				`/ALPHA/address/${name}`,
				`/ALPHA/notarizations/${name}`,
				`/migrations/${name}`,
				`/sends/${name}`,
				`/daemons/${name}`,
				`/console/${name}`,
				`/admin/people/${name}`,
				`/denied?why=${name}`,
				`/login?${name}=1&next=${name}`,
				`/search?q=${name}`,
				`/ALPHA/tokens?sort=${name}&order=${name}&${name}=1`,
				`/api/v1/${name}`,
				`/api/v1/chains/${name}/tokens`,
				`/api/v1/chains/ALPHA/${name}`,
				`/api/v1/chains/ALPHA/tokens?sort=${name}&order=${name}&${name}=1`,
				`/api/v1/chains/ALPHA/tx/${name}`,
				`/api/backup/${name}`
			];
			for (const path of paths) {
				const answer = await page(target, path, cookie);
				const text = await answer.text();
				if (answer.status >= 500 || /\[native code\]|\[object Object\]/.test(text)) {
					failed.push(`${path}: ${answer.status}`);
				}
			}
			for (const path of [
				'/login',
				'/theme',
				'/decode',
				'/account?/createToken',
				'/migrations/open'
			]) {
				const answer = await postForm(
					target.url,
					path,
					{ [name]: '1', name, role: name, chain: name },
					{ cookie }
				);
				await answer.body?.cancel();
				if (answer.status >= 500) failed.push(`POST ${path}: ${answer.status}`);
			}
		}
		expect(failed).toEqual([]);
		expect(({} as Record<string, unknown>)['method']).toBeUndefined();
	});

	test('with paths out of the folder read no file', async () => {
		const { cookie } = await target.person('viewer');
		const read: string[] = [];
		for (const path of [
			'/../../../../etc/passwd',
			'/..%2f..%2f..%2f..%2fetc%2fpasswd',
			'/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
			'/_app/..%5c..%5c..%5c..%5cetc%5cpasswd',
			'/_app/immutable/..%2f..%2f..%2f..%2f..%2fpackage.json',
			'/favicon.svg%00.html',
			'/api/v1/..%2f..%2fpackage.json',
			'/api/v1/chains/..%2f..%2f..%2fetc%2fpasswd/tokens',
			'/api/rpc/..%2f..%2fetc%2fpasswd',
			'/ALPHA/..%2f..%2f..%2f..%2fetc%2fpasswd',
			`/..${database.dataDir}/secret.key`,
			`//${database.dataDir}/secret.key`
		]) {
			const answer = await page(target, path, cookie);
			const text = await answer.text();
			if (answer.status >= 500) read.push(`${path}: ${answer.status}`);
			if (/root:.*:0:0:|"dependencies"|^[0-9a-f]{64}\s*$/.test(text)) read.push(path);
		}
		expect(read).toEqual([]);
	});

	test('with scripts in names, descriptions and labels show their text and run nowhere', async () => {
		const { cookie, account } = await target.person('admin');
		await target.auth.tokens.create({ account, name: SCRIPT, role: 'viewer' });
		const tokens = await page(target, '/api/v1/chains/ALPHA/tokens', cookie, {
			accept: 'application/json'
		});
		expect(tokens.headers.get('content-type')).toBe('application/json');
		const { rows } = (await tokens.json()) as { rows: { tokenid: string; name: string }[] };
		const { tokenid } = rows.find(({ name }) => name === FORMULA)!;
		for (const path of [
			'/account',
			`/ALPHA/token/${tokenid}`,
			'/ALPHA/tokens',
			`/search?q=${encodeURIComponent(SCRIPT)}`
		]) {
			const answer = await page(target, path, cookie);
			const html = await answer.text();
			expect(answer.status, path).toBe(200);
			expect(html, path).not.toContain('<script>alert(');
			expect(html, path).not.toMatch(/<img[^>]+onerror/);
			// What SvelteKit puts into a page for the browser stands in a script with a nonce.
			const policy = answer.headers.get('content-security-policy') ?? '';
			const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
			expect(nonce, path).toMatch(/^[\w+/=-]{16,}$/);
			for (const [, attributes] of html.matchAll(/<script\b([^>]*)>/g)) {
				expect(attributes, path).toMatch(
					new RegExp(`nonce="${nonce?.replace(/[+/]/g, '\\$&')}"|src=`)
				);
			}
			expect(html, path).not.toMatch(/<[^>]+\sstyle=(?!"position: absolute)/);
		}
	});

	test('with a capsule of foreign content begin no migration', async () => {
		const { cookie } = await target.person('operator');
		const capsule = {
			format: 'komodeck-migration',
			version: 1,
			id: SCRIPT,
			route: 'notarized',
			source: 'ALPHA',
			destination: 'BETA',
			ccid: 777,
			address: SCRIPT,
			tokenid: null,
			amount: '1.00000000',
			payouts: null,
			burnTxid: 'ab'.repeat(32),
			policy: 'automatic',
			state: 'done',
			createdAt: 1,
			steps: []
		};
		const [anyTransaction] = await target.devnet.rpc<string[]>('ALPHA', 'tokenlist');
		for (const content of [
			capsule,
			{ ...capsule, id: 'x', burnTxid: anyTransaction },
			{ ...capsule, id: 'x', source: 'EVIL' },
			{ ...capsule, id: 'x', steps: [{ step: '__proto__' }] },
			{ ...capsule, id: 'x', amount: { toString: SCRIPT } },
			{ ...capsule, id: 'x'.repeat(2_000_000) },
			[[[[]]]],
			SCRIPT
		]) {
			const fields = { txid: '', chain: '', address: '', capsule: JSON.stringify(content) };
			const answer = await postForm(target.url, '/migrations/open', fields, { cookie });
			const html = await answer.text();
			expect(answer.status, html.slice(0, 300)).toBe(400);
			expect(html).not.toContain('<script>alert(');
		}
		const { n } = await target.db
			.selectFrom('migrations')
			.select((select) => select.fn.countAll<bigint>().as('n'))
			.executeTakeFirstOrThrow();
		expect(n).toBe(0n);
	});

	test('with another Host get no address of it', async () => {
		const { cookie } = await target.person('admin');
		const { hostname, port } = new URL(target.url);
		const { request } = await import('node:http');
		for (const path of ['/admin/people', '/login', '/api/openapi.json', '/nowhere/']) {
			const html = await new Promise<string>((done, failed) => {
				request(
					{ hostname, port, path, headers: { host: 'evil.example', cookie, accept: 'text/html' } },
					(answer) => {
						let text = JSON.stringify(answer.headers);
						answer.on('data', (part: Buffer) => void (text += part.toString()));
						answer.on('end', () => done(text));
					}
				)
					.on('error', failed)
					.end();
			});
			if (path !== '/api/openapi.json') expect(html, path).not.toContain('evil.example');
		}
	});

	test('with 10,000 random bodies get an answer each time, and never a fault of the server', async () => {
		const { cases, faults, milliseconds } = await randomBodies(target);
		console.info(`${cases} random bodies in ${(milliseconds / 1000).toFixed(1)} s`);
		expect(faults).toEqual([]);
		expect(cases).toBeGreaterThanOrEqual(10_000);
		const { status } = await call(
			target,
			(await target.person('viewer')).token,
			'{"id":1,"method":"getblockcount"}'
		);
		expect(status).toBe(200);
	}, 300_000);

	test('of the database being locked or gone lose nothing, and pages and door say what happens', async () => {
		await liveThroughTrouble(target, database);
		expect(target.log()).not.toContain('uncaught');
	}, 300_000);
});

describe('a build without switches', () => {
	test('has nothing in it that could turn a guard off', async () => {
		const { readdirSync, readFileSync } = await import('node:fs');
		const { join, resolve } = await import('node:path');
		const root = resolve(import.meta.dirname, '../..');
		const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
			(name) => /\.(?:ts|js|svelte)$/.test(name)
		);
		const mentions = files.filter((name) =>
			readFileSync(join(root, 'src', name), 'utf8').includes('guards-off')
		);
		expect(mentions).toEqual([]);
	});
});
