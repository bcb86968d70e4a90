/**
 * The database locked or gone under the running application: pages say so, the door answers in its own form,
 * nothing is half-written, and everything goes on by itself. The test releases what it holds.
 */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { expect, inject, vi } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { call, page, postForm, type Target } from './target.ts';

const READ = '{"id":1,"method":"getblockcount","params":[]}';
/** Something that can change a chain, and is on record before it goes out. */
const WRITE = '{"id":1,"method":"tokencreate","params":["never","0.00000001"]}';

interface Trouble {
	kind: 'locked' | 'full' | 'gone';
	/** Begins it; what it gives back ends it. */
	begin(): Promise<() => Promise<void>>;
}

/** Another connection that lets nobody write, and nobody read either. */
function sqliteLock(database: TestDatabase): Trouble {
	return {
		kind: 'locked',
		async begin() {
			const other = new SqliteDatabase(join(database.dataDir, 'komodeck.sqlite'), {
				timeout: 10_000
			});
			other.exec('begin immediate');
			return async () => {
				other.exec('rollback');
				other.close();
			};
		}
	};
}

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
	const client = new pg.Client({ connectionString: inject('postgresUrl') });
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

const nameOf = (database: TestDatabase): string =>
	new URL(database.options.url ?? '').pathname.slice(1);

/** The server takes no connections to the database, and has ended those that there were. */
function postgresGone(database: TestDatabase): Trouble {
	const name = nameOf(database);
	return {
		kind: 'gone',
		async begin() {
			await asAdmin(async (client) => {
				await client.query(`alter database ${name} allow_connections false`);
				await client.query(
					'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
					[name]
				);
			});
			return () =>
				asAdmin(
					async (client) =>
						void (await client.query(`alter database ${name} allow_connections true`))
				);
		}
	};
}

/** Another connection holds the tables that a change needs. */
function postgresLock(database: TestDatabase): Trouble {
	return {
		kind: 'locked',
		async begin() {
			const client = new pg.Client({ connectionString: database.options.url });
			await client.connect();
			await client.query('begin');
			await client.query('lock table audit_head, throttle in access exclusive mode');
			return async () => {
				await client.query('rollback');
				await client.end();
			};
		}
	};
}

/** Goes through every trouble of the database and checks what is said and kept. */
export async function liveThroughTrouble(target: Target, database: TestDatabase): Promise<void> {
	const operator = await target.person('operator');
	expect((await call(target, operator.token, READ)).status).toBe(200);
	const rows = async (table: 'audit' | 'accounts' | 'api_tokens'): Promise<bigint> => {
		const { n } = await database.db
			.selectFrom(table)
			.select((select) => select.fn.countAll<bigint>().as('n'))
			.executeTakeFirstOrThrow();
		return n;
	};
	const ready = async (): Promise<string> => {
		const answer = await fetch(`${target.url}/readyz`);
		return `${answer.status} ${(await answer.text()).trim()}`;
	};

	const troubles = (): Trouble[] =>
		database.db.dialect === 'sqlite'
			? [sqliteLock(database)]
			: [postgresLock(database), postgresGone(database)];

	for (const { kind, begin } of troubles()) {
		const before = {
			audit: await rows('audit'),
			tokens: await rows('api_tokens'),
			accounts: await rows('accounts')
		};
		const end = await begin();
		try {
			// A form that writes: words, an id, no stack, and a status of its own.
			const fields = { name: 'during', role: 'viewer', expires: '', methods: '', daemons: '' };
			const form = await postForm(target.url, '/account?/createToken', fields, {
				cookie: operator.cookie
			});
			const html = await form.text();
			expect(form.status, `${kind}: ${html.slice(0, 500)}`).toBe(503);
			expect(Number(form.headers.get('retry-after'))).toBeGreaterThan(0);
			expect(html).toMatch(/database of this console/);
			expect(html).toContain('was not done');
			expect(html).toMatch(/Try again in a few seconds/);
			expect(html).toContain(form.headers.get('x-request-id'));
			expect(html).not.toMatch(/\bat \S+ \(|node_modules|SQLITE_|ECONN|55000|57P0/);

			// A login says the same; nobody is signed in by it.
			const login = await postForm(target.url, '/login', {
				name: 'ada',
				password: 'x',
				next: '/'
			});
			expect(login.status, kind).toBe(503);
			expect(login.headers.getSetCookie().join()).not.toContain('komodeck_session');

			// A page: in the usual frame or without it, never a bare failure.
			const visited = await page(target, '/account', operator.cookie);
			const text = await visited.text();
			expect([200, 503], `${kind}: ${text.slice(0, 300)}`).toContain(visited.status);
			if (visited.status === 503) expect(text).toContain('database of this console');

			// The door, in its own form; what could change something has not gone out.
			const change = await call(target, operator.token, WRITE);
			expect(change.status, change.text).toBe(503);
			expect(JSON.parse(change.text)).toMatchObject({
				result: null,
				error: {
					code: -32603,
					message: expect.stringMatching(/database .* was not done/) as string
				}
			});
			expect(change.headers.get('retry-after')).not.toBeNull();

			expect((await fetch(`${target.url}/healthz`)).status).toBe(200);
			// What was found out is good for a moment.
			await vi.waitFor(async () => expect(await ready()).toMatch(/^503 not ready: the database/), {
				timeout: 15_000,
				interval: 50
			});
		} finally {
			await end();
		}
		await vi.waitFor(async () => expect(await ready()).toBe('200 ready'), {
			timeout: 15_000,
			interval: 50
		});
		expect({
			audit: await rows('audit'),
			tokens: await rows('api_tokens'),
			accounts: await rows('accounts')
		}).toEqual(before);
		expect(await target.auth.audit.verify()).toMatchObject({ ok: true });
		const again = await postForm(
			target.url,
			'/account?/createToken',
			{ name: `after ${kind}`, role: 'viewer', expires: '', methods: '', daemons: '' },
			{ cookie: operator.cookie }
		);
		expect(again.status).toBe(200);
		expect((await call(target, operator.token, WRITE)).text).toContain('"error":null');
	}
	expect(target.log()).not.toContain('uncaught');
}
