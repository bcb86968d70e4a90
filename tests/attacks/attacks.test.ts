/**
 * Runs every attack against the started application over HTTP, twice: with its control, and it must fail; with
 * the control turned off in a test build, and it must succeed, which shows that the first result means
 * something.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { TRADING_NODE } from '#lib/server/platform/config/discover.ts';
import { describeOnBothDatabases } from '../support/database.ts';
import type { Devnet } from '../support/devnet.ts';
import { attacks, carryOut, pairs, Tally } from './all.ts';
import { editsOf } from './controls/control.ts';
import { controls } from './controls/index.ts';
import { surviveDatabaseErrors } from './databaseError.ts';
import { FORMULA, plantToken, SCRIPT } from './rpcApi.ts';
import { randomBodies } from './randomBodies.ts';
import { call, cookieOf, page, PASSWORD, postForm, startTarget, type Target } from './target.ts';
import { makeTestBuild, SWITCH, type TestBuild } from './testBuild.ts';
import { startArmedDevnet } from './traps.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ASKS_DATABASE = /'kysely'|\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;
/** Controls in files that query the database; only their attacks run on PostgreSQL as well. */
const ofDatabase: ReadonlySet<string> = new Set(
	controls
		.filter((control) =>
			editsOf(control).some(({ file }) =>
				ASKS_DATABASE.test(readFileSync(join(ROOT, file), 'utf8'))
			)
		)
		.map(({ name }) => name)
);

let build: TestBuild | undefined;
let devnet: Devnet | undefined;
beforeAll(async () => {
	build = makeTestBuild();
	devnet = await startArmedDevnet();
});
afterAll(async () => {
	await devnet?.stop();
	build?.remove();
});

test('each attack has a control, and each control an attack and a name of its own', () => {
	expect(new Set(pairs.map(({ name }) => name))).toEqual(new Set(attacks.keys()));
	expect(controls.every((control) => control.attacks.length > 0)).toBe(true);
	expect(new Set(controls.map(({ name }) => name)).size).toBe(controls.length);
	const files = controls.flatMap(editsOf).map(({ file }) => file);
	expect(files.every((file) => file.startsWith('src/'))).toBe(true);
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
	});
	afterAll(() => target?.stop());

	const tally = new Tally();
	// A control that does not query the database works the same on both databases.
	const carriedOut =
		database.dialect === 'SQLite' ? pairs : pairs.filter(({ control }) => ofDatabase.has(control));
	describe('by name', () => {
		afterAll(() => console.info([`On ${database.db.dialect}:`, ...tally.lines()].join('\n  ')));
		test.for(carriedOut)(
			'$name fails, and succeeds without the control $control',
			{ timeout: 240_000 },
			async (pair) => {
				const { stopped, open } = await carryOut(target, pair);
				tally.add(pair.name, stopped);
				expect(stopped.succeeded, stopped.seen).toBe(false);
				expect(open.succeeded, open.seen).toBe(true);
			}
		);
	});

	test('that a person or a token may not carry out are on record, once, and those of nobody are counted', async () => {
		const admin = await target.person('admin');
		const viewer = await target.person('viewer');
		const { account } = await target.person('operator', 'none');
		const limited = await target.auth.tokens.create(
			{
				account,
				name: 'cron job',
				role: 'operator',
				methods: ['getinfo', 'tokencreate']
			},
			account
		);
		const own = await target.person('operator', 'none');
		const before = (await target.auth.audit.status()).last;
		for (let n = 0; n < 40; n += 1) {
			await (await page(target, `/admin/members?n=${n}`, viewer.cookie)).body?.cancel();
		}
		const again = await page(target, '/admin/members/__data.json', viewer.cookie);
		await again.body?.cancel();
		const asked = await page(target, '/admin/policies/limits', viewer.cookie, {
			'x-request-id': 'asked-1'
		});
		expect(asked.status).toBe(403);
		const batch = [1, 2, 3].map((id) => ({ id, method: 'stop', params: [] }));
		await call(target, viewer.token, JSON.stringify(batch));
		await call(target, limited.token, '{"id":1,"method":"getblockcount"}');
		await call(target, limited.token, '{"id":1,"method":"tokencreate","params":["x","1"]}');
		await call(target, viewer.token, '{"method":"show_priv_key","coin":"KMD"}', TRADING_NODE);
		const fields = { kind: 'fungible', name: 'x', supply: '1', description: '', data: '' };
		const form = await postForm(target.url, '/chains/ALPHA/tokens/new', fields, {
			cookie: own.cookie
		});
		expect(form.status).toBe(400);
		await (await page(target, '/admin/members')).body?.cancel();
		await call(target, 'kdk_invented', '{"id":1,"method":"stop"}');

		// A call that a safety control stopped is recorded for its caller.
		const mate = await target.person('operator');
		const calling = { daemon: 'ALPHA', way: 'fields' };
		const asks = await postForm(target.url, '/console/getnewaddress', calling, {
			cookie: mate.cookie
		});
		const [, confirmed = ''] = /name="confirmed" value="([^"]+)"/.exec(await asks.text()) ?? [];
		expect(confirmed).not.toBe('');
		const safetyControls = createSafetyControls(target.db, target.auth.audit);
		await safetyControls.turnOn('read-only', 'a test', 'ada');
		const stopped = await postForm(
			target.url,
			'/console/getnewaddress',
			{ ...calling, confirmed },
			{ cookie: mate.cookie }
		);
		await safetyControls.turnOff('read-only', null);
		expect(stopped.status).toBe(403);

		// Earlier refusals are counted, and written when their window ends, which may be just now.
		const people = [viewer.account, account, own.account, mate.account].map(({ name }) => name);
		const rows = (await target.auth.audit.list({ limit: 500 })).filter(
			({ seq, actor, outcome }) => seq > before && outcome === 'refused' && people.includes(actor)
		);
		expect(
			rows.map(({ actor, action, target: what, place, outcome, detail }) =>
				[actor, action, what, place, outcome, detail['why'], detail['via']].join(' ')
			)
		).toEqual(
			[
				`${viewer.account.name} page.refused GET /admin/members  refused role session`,
				`${viewer.account.name} page.refused GET /admin/policies/limits  refused role session`,
				`${viewer.account.name} call.refused stop ALPHA refused role token`,
				`${account.name} call.refused getblockcount ALPHA refused token token`,
				`${account.name} call.refused tokencreate ALPHA refused wallet token`,
				`${viewer.account.name} call.refused show_priv_key ${TRADING_NODE} refused role token`,
				`${own.account.name} call.refused token-create ALPHA refused wallet session`,
				`${mate.account.name} call.refused getnewaddress ALPHA refused safety session`
			].reverse()
		);
		const limitsRow = rows.find(({ target: what }) => what === 'GET /admin/policies/limits');
		expect(limitsRow?.detail['callerRequest']).toBe('asked-1');
		expect(limitsRow?.request).toBe(asked.headers.get('x-request-id'));
		expect(rows.every(({ request }) => request !== null)).toBe(true);
		const filter = `kind=access&actor=${viewer.account.name}`;
		const shown = await (await page(target, `/admin/audit?${filter}`, admin.cookie)).text();
		expect(shown).toContain('Access denied');
		expect(shown).toContain('GET /admin/policies/limits');
		const file = await page(target, `/admin/audit/audit.csv?${filter}`, admin.cookie);
		expect((await file.text()).match(/,refused,/g)).toHaveLength(4);
		const metrics = await (await page(target, '/metrics', admin.cookie)).text();
		for (const [who, where, why] of [
			['person', 'page', 'role'],
			['token', 'call', 'token'],
			['stranger', 'page', 'sign-in'],
			['stranger', 'call', 'credential']
		]) {
			expect(metrics).toMatch(
				new RegExp(`komodeck_refusals_total\\{who="${who}",where="${where}",why="${why}"\\} [1-9]`)
			);
		}
	});

	test('on an invitation give no wallet that is not there, and the person has exactly what was chosen', async () => {
		const { cookie } = await target.person('admin');
		const invite = (fields: [string, string][]): Promise<Response> =>
			fetch(`${target.url}/admin/members?/invite`, {
				method: 'POST',
				headers: { origin: target.url, accept: 'text/html', cookie },
				body: new URLSearchParams(fields)
			});
		for (const daemon of ['*', '__proto__', 'EVIL', '']) {
			const refused = await invite([
				['role', 'operator'],
				['name', 'kept-name'],
				['daemon', 'ALPHA'],
				['daemon', daemon]
			]);
			expect(refused.status, daemon).toBe(400);
			const html = await refused.text();
			expect(html).toContain('Choose from the list');
			expect(html).toContain('kept-name');
			expect(html).toMatch(/value="ALPHA" checked/);
		}
		const tokenOf = async (answer: Response): Promise<string> =>
			/\/join\?token=([\w-]+)/.exec(await answer.text())?.[1] ?? '';
		const join = async (token: string, name: string): Promise<string> => {
			const typed = {
				token,
				name,
				password: PASSWORD,
				repeat: PASSWORD,
				daemon: 'BETA',
				every: 'on'
			};
			const answer = await postForm(target.url, '/join', typed);
			expect(answer.status).toBe(303);
			return cookieOf(answer);
		};
		const chosen = await tokenOf(
			await invite([
				['role', 'operator'],
				['name', ''],
				['daemon', 'ALPHA']
			])
		);
		const least = await tokenOf(
			await invite([
				['role', 'viewer'],
				['name', '']
			])
		);
		const link = await (await page(target, `/join?token=${chosen}`)).text();
		expect(link).toMatch(/Wallets[\s\S]*ALPHA/);
		const some = await join(chosen, 'invited-some');
		await join(least, 'invited-least');
		const wallets = createWallets(target.db, target.auth.audit);
		expect((await wallets.userOf('invited-some'))?.choice).toEqual({
			every: false,
			daemons: ['ALPHA']
		});
		expect((await wallets.userOf('invited-least'))?.choice).toEqual({ every: false, daemons: [] });
		const form = await (await page(target, '/chains/ALPHA/tokens/new', some)).text();
		expect(form).not.toContain('access to the ALPHA wallet');
		const other = await (await page(target, '/chains/BETA/tokens/new', some)).text();
		expect(other).toContain('access to the BETA wallet');
		const [row] = await target.auth.audit.list({ actor: 'invited-some', action: 'account.added' });
		expect(row?.detail).toMatchObject({ role: 'operator', wallets: 'ALPHA' });
	});

	test('with a recovery file of foreign content begin no migration', async () => {
		const { cookie } = await target.person('operator');
		const file = {
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
		const begun = async (): Promise<bigint> => {
			const { n } = await target.db
				.selectFrom('migrations')
				.select((select) => select.fn.countAll<bigint>().as('n'))
				.executeTakeFirstOrThrow();
			return n;
		};
		const before = await begun();
		const [anyTransaction] = await target.devnet.rpc<string[]>('ALPHA', 'tokenlist');
		for (const content of [
			file,
			{ ...file, id: 'x', burnTxid: anyTransaction },
			{ ...file, id: 'x', source: 'EVIL' },
			{ ...file, id: 'x', steps: [{ step: '__proto__' }] },
			{ ...file, id: 'x', amount: { toString: SCRIPT } },
			{ ...file, id: 'x'.repeat(2_000_000) },
			[[[[]]]],
			SCRIPT
		]) {
			const fields = { txid: '', chain: '', address: '', recoveryFile: JSON.stringify(content) };
			const answer = await postForm(target.url, '/migrations/recover', fields, { cookie });
			const html = await answer.text();
			// The long one is refused while it is being read.
			expect([400, 413], html.slice(0, 300)).toContain(answer.status);
			expect(html).not.toContain('<script>alert(');
		}
		expect(await begun()).toBe(before);
	});

	test('of the database being locked, full, replaced or gone lose nothing, and pages and RPC API say what happens', async () => {
		await surviveDatabaseErrors(target, database);
		expect(target.log()).not.toContain('uncaught');
	});

	// The requests below end before they reach the database.
	if (database.dialect === 'PostgreSQL') return;

	test('in other spellings of paths, methods and hosts open nothing', async () => {
		const { cookie } = await target.person('viewer');
		const { hostname, port } = new URL(target.url);
		const { request } = await import('node:http');
		const ask = (
			path: string,
			method = 'GET',
			headers: Record<string, string> = {}
		): Promise<{ status: number; text: string; head: string }> =>
			new Promise((done, failed) => {
				request(
					{
						hostname,
						port,
						path,
						method,
						headers: { host: `${hostname}:${port}`, cookie, accept: 'text/html', ...headers }
					},
					(answer) => {
						let text = '';
						answer.on('data', (part: Buffer) => void (text += part.toString()));
						answer.on('end', () =>
							done({ status: answer.statusCode ?? 0, text, head: JSON.stringify(answer.headers) })
						);
					}
				)
					.on('error', failed)
					.end();
			});
		const open: string[] = [];
		const note = (what: string, { status, text }: { status: number; text: string }): void => {
			if (status >= 500 || /Invite a member|invitations/.test(text))
				open.push(`${what}: ${status}`);
		};
		for (const path of [
			'/admin/members/',
			'//admin/members',
			'/./admin/members',
			'/x/../admin/members',
			'/%61dmin/members',
			'/%2561dmin/members',
			'/admin%2fmembers',
			'/admin%5cmembers',
			'/admin/members%2f',
			'/admin/members%00',
			'/admin/members;x=1',
			'/ADMIN/members',
			'/admin/members.html',
			'/admin/members.html__data.json',
			'/admin/members/__data.json',
			'/admin/members/__data.json?x-sveltekit-invalidated=001',
			'/admin/members/__data.json?x-sveltekit-trailing-slash=1',
			'/admin/members/__route.js',
			'/admin/members?/invite',
			`http://evil.example/admin/members`,
			`http://${hostname}:${port}/admin/members`,
			'*',
			'/%',
			'/%ff'
		]) {
			note(path, await ask(path));
		}
		for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'HEAD']) {
			note(method, await ask('/admin/members', method));
		}
		for (const [name, value] of [
			['x-http-method-override', 'POST'],
			['x-original-url', '/admin/members'],
			['x-rewrite-url', '/admin/members'],
			['x-sveltekit-action', 'true'],
			['x-sveltekit-pathname', '/admin/members'],
			['x-forwarded-uri', '/admin/members']
		] as const) {
			note(name, await ask('/account?/createToken', 'GET', { [name]: value }));
			note(name, await ask('/admin/members', 'GET', { [name]: value }));
		}
		expect(open).toEqual([]);
		// Forged proxy headers change neither the cookie nor the redirect.
		const forwarded = await ask('/admin', 'GET', {
			cookie: '',
			'x-forwarded-host': 'evil.example',
			'x-forwarded-proto': 'https',
			'x-forwarded-for': '10.0.0.1',
			forwarded: 'host=evil.example;proto=https'
		});
		expect(forwarded.head + forwarded.text).not.toMatch(/evil\.example|strict-transport/i);
		// A request for the data of an address that cannot be decoded must not hang.
		const { text: data } = await ask('/admin/members/%ff/__data.json', 'GET', { cookie: '' });
		expect(JSON.parse(data)).toMatchObject({
			type: 'redirect',
			location: expect.stringMatching(/^\/login\?/)
		});
		// Properties that every object has are not form actions, and `default` cannot be named as one.
		const BY_PAGE_AND_BY_SCRIPT: readonly Record<string, string>[] = [
			{},
			{ 'x-sveltekit-action': 'true', accept: 'application/json' }
		];
		for (const action of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'default']) {
			for (const path of ['/account', '/login', '/migrations/recover']) {
				for (const headers of BY_PAGE_AND_BY_SCRIPT) {
					const answer = await postForm(
						target.url,
						`${path}?/${action}`,
						{ name: 'x' },
						{ cookie, ...headers }
					);
					await answer.body?.cancel();
					expect([403, 404], `${path}?/${action}`).toContain(answer.status);
				}
			}
		}
	});

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
				`/chains/${name}/tokens`,
				`/chains/ALPHA/block/${name}`,
				`/chains/ALPHA/tx/${name}`,
				`/chains/ALPHA/token/${name}`,
				`/chains/ALPHA/address/${name}`,
				`/chains/ALPHA/notarizations/${name}`,
				`/migrations/${name}`,
				`/transactions/${name}`,
				`/daemons/${name}`,
				`/console/${name}`,
				`/admin/members/${name}`,
				`/denied?why=${name}`,
				`/login?${name}=1&next=${name}`,
				`/search?q=${name}`,
				`/chains/ALPHA/tokens?sort=${name}&order=${name}&${name}=1`,
				`/api/v1/${name}`,
				`/api/v1/chains/${name}/tokens`,
				`/api/v1/chains/ALPHA/${name}`,
				`/api/v1/chains/ALPHA/tokens?sort=${name}&order=${name}&${name}=1`,
				`/api/v1/chains/ALPHA/tx/${name}`,
				`/api/notary-approvals/${name}`
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
				'/migrations/recover'
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

	test('with ids that fit into no address fail at what is not there', async () => {
		const { cookie } = await target.person('admin');
		const failed: string[] = [];
		for (const id of ['x%00y', 'x%0d%0ay', '%F0%9F%98%80', '%E2%80%AE', '%2e%2e']) {
			for (const path of [
				`/transactions/${id}?/look`,
				`/transactions/${id}?/send`,
				`/chains/ALPHA/self-import/${id}?/look`,
				`/chains/ALPHA/token/${id}/batch-transfer/${id}?/goOn`,
				`/migrations/${id}?/retry`,
				`/notary-approvals/${id}`,
				`/notary-approvals/queue/${id}?/send`,
				`/notary-approvals/queue/${id}?/discard`,
				`/approvals/${id}?/approve`,
				`/wallets/${id}/send`,
				`/kdf/${id}?/activate`,
				`/admin/policies/${id}?/save`
			]) {
				const answer = await postForm(target.url, path, { txid: id }, { cookie });
				await answer.body?.cancel();
				if (answer.status >= 500) failed.push(`${path}: ${answer.status}`);
			}
		}
		expect(failed).toEqual([]);
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
			'/chains/ALPHA/..%2f..%2f..%2f..%2fetc%2fpasswd',
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
		await target.auth.tokens.create({ account, name: SCRIPT, role: 'viewer' }, account);
		const tokens = await page(target, '/api/v1/chains/ALPHA/tokens', cookie, {
			accept: 'application/json'
		});
		expect(tokens.headers.get('content-type')).toBe('application/json');
		const { rows } = (await tokens.json()) as { rows: { tokenid: string; name: string }[] };
		const { tokenid } = rows.find(({ name }) => name === FORMULA)!;
		for (const path of [
			'/account',
			`/chains/ALPHA/token/${tokenid}`,
			'/chains/ALPHA/tokens',
			`/search?q=${encodeURIComponent(SCRIPT)}`
		]) {
			const answer = await page(target, path, cookie);
			const html = await answer.text();
			expect(answer.status, path).toBe(200);
			expect(html, path).not.toContain('<script>alert(');
			expect(html, path).not.toMatch(/<img[^>]+onerror/);
			// The policy contains the hash of the script that SvelteKit puts into a page.
			const policy = answer.headers.get('content-security-policy') ?? '';
			const scripts = /script-src ([^;]+)/.exec(policy)?.[1]?.split(' ') ?? [];
			expect(scripts, path).toContain("'self'");
			expect(scripts, path).not.toContain("'unsafe-inline'");
			for (const [, attributes = '', script = ''] of html.matchAll(
				/<script\b([^>]*)>([^]*?)<\/script>/g
			)) {
				if (attributes.includes('src=')) continue;
				const hash = createHash('sha256').update(script).digest('base64');
				expect(scripts, path).toContain(`'sha256-${hash}'`);
			}
			expect(html, path).not.toMatch(/<[^>]+\sstyle=(?!"position: absolute)/);
		}
	});

	test('with another Host get a plain sentence and nothing of it', async () => {
		const { cookie } = await target.person('admin');
		const { hostname, port } = new URL(target.url);
		const { request } = await import('node:http');
		for (const path of ['/admin/members', '/login', '/api/openapi.json', '/nowhere/']) {
			const [status, text] = await new Promise<[number, string]>((done, failed) => {
				request(
					{ hostname, port, path, headers: { host: 'evil.example', cookie, accept: 'text/html' } },
					(answer) => {
						let text = JSON.stringify(answer.headers);
						answer.on('data', (part: Buffer) => void (text += part.toString()));
						answer.on('end', () => done([answer.statusCode ?? 0, text]));
					}
				)
					.on('error', failed)
					.end();
			});
			expect(status, path).toBe(421);
			expect(text, path).not.toMatch(/evil\.example|<html/);
		}
	});

	test('with random bodies get an answer each time, and never a fault of the server', async () => {
		const wanted = 1_000;
		const { cases, faults, milliseconds } = await randomBodies(target, wanted, 42);
		console.info(`${cases} random bodies in ${(milliseconds / 1000).toFixed(1)} s`);
		expect(faults).toEqual([]);
		expect(cases).toBe(wanted);
		const { status } = await call(
			target,
			(await target.person('viewer')).token,
			'{"id":1,"method":"getblockcount"}'
		);
		expect(status).toBe(200);
	});
});

describe('production code', () => {
	test('has no switch that could turn a control off', () => {
		const root = join(ROOT, 'src');
		const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
			/\.(?:ts|js|svelte)$/.test(name)
		);
		const switches = files.filter((name) =>
			/\bstands\('[\w-]+'\)|controls-off/.test(readFileSync(join(root, name), 'utf8'))
		);
		expect(SWITCH).toContain('controls-off');
		expect(switches).toEqual([]);
	});
});
