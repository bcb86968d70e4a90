/**
 * The database is locked, full, replaced or unavailable under the running application: pages say so, the RPC
 * API answers in its own format, nothing is half-written, and the application recovers on its own once the test
 * releases the database.
 */
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, vi } from 'vitest';
import { OPEN_FILE_LIMITS } from '#lib/server/platform/rate-limits/openFiles.ts';
import type { TestDatabase } from '../support/database.ts';
import { call, page, postForm, type Target } from './target.ts';

const READ = '{"id":1,"method":"getblockcount","params":[]}';
/** A call that can change a chain, and is recorded before it is sent. */
const WRITE = '{"id":1,"method":"tokencreate","params":["never","0.00000001"]}';

interface DatabaseFault {
	kind: 'locked' | 'full' | 'replaced' | 'gone';
	/** The expected explanation. */
	words: RegExp;
	/** The expected advice. */
	next: RegExp;
	/** The expected text of `/readyz`. */
	ready: RegExp;
	/** Uses up free space before anything is counted. */
	prepare?(): Promise<void>;
	/** Starts the fault; the returned function ends it. */
	begin(): Promise<() => Promise<void>>;
}

const LOCKED = {
	kind: 'locked',
	words: /The database of Komodeck is locked/,
	next: /Try again in a few seconds/,
	ready: /held by something else/
} as const;
const FULL = {
	kind: 'full',
	words: /The disk of the database of Komodeck is full/,
	next: /free space on that disk/,
	ready: /the disk of the database is full/
} as const;
const REPLACED = {
	kind: 'replaced',
	words: /The database file of Komodeck was removed/,
	next: /with the file put back, Komodeck continues/,
	ready: /the file of the database was removed or replaced/
} as const;
const GONE = {
	kind: 'gone',
	words: /The database of Komodeck does not respond/,
	next: /Try again in a few seconds/,
	ready: /the database does not answer/
} as const;

/** More method names than fit into the free part of a database page. */
const METHODS = Object.keys(daemonMethods);

const tokenForm = (target: Target, name: string, cookie: string): Promise<Response> =>
	postForm(
		target.url,
		'/account?/createToken',
		[
			['name', name],
			['role', 'viewer'],
			['expires', '90'],
			...METHODS.map((method): [string, string] => ['methods', method])
		],
		{ cookie }
	);

/**
 * SQLite may not allocate another page, as on a full disk: rows that fit into the last pages are still written.
 */
function sqliteFull(target: Target): DatabaseFault {
	return {
		...FULL,
		async prepare() {
			const { cookie, token } = await target.person('operator');
			await target.sqlite('PRAGMA max_page_count = 1');
			// Repeated, because other writes, such as a login's counters, may leave room for one row.
			const fill = async (take: () => Promise<{ status: number }>): Promise<void> => {
				let refused = 0;
				for (let n = 0; n < 200; n += 1) {
					refused = (await take()).status === 503 ? refused + 1 : 0;
					if (refused === 3) return;
				}
				throw new Error('It does not get full.');
			};
			await fill(async () => {
				const answer = await tokenForm(target, 'fill', cookie);
				await answer.body?.cancel();
				return answer;
			});
			await fill(() => call(target, token, WRITE));
		},
		begin: () => Promise.resolve(() => target.sqlite('PRAGMA max_page_count = 1073741823'))
	};
}

/** The file is moved away, or replaced by another one. */
function sqliteReplaced(database: TestDatabase, byAnother: boolean): DatabaseFault {
	const file = join(database.dataDir, 'komodeck.sqlite');
	return {
		...REPLACED,
		async begin() {
			renameSync(file, `${file}.away`);
			if (byAnother) copyFileSync(`${file}.away`, file);
			return async () => renameSync(`${file}.away`, file);
		}
	};
}

/** PostgreSQL reports that a table cannot grow (53100, disk_full), whatever is inserted. */
function postgresFull(database: TestDatabase): DatabaseFault {
	const run = async (...statements: string[]): Promise<void> => {
		for (const statement of statements) await sql.raw(statement).execute(database.db);
	};
	const tables = ['audit_events', 'api_tokens', 'throttle'];
	return {
		...FULL,
		async begin() {
			await run(
				`create function no_room() returns trigger language plpgsql as $$ begin
					raise exception 'could not extend file "base/1/2": No space left on device'
					using errcode = '53100'; end $$`,
				...tables.map(
					(table) =>
						`create trigger no_room before insert on ${table} for each row execute function no_room()`
				)
			);
			return () => run('drop function no_room() cascade');
		}
	};
}

/** Another connection holds an exclusive lock: no connection can write or read. */
function sqliteLock(database: TestDatabase): DatabaseFault {
	return {
		...LOCKED,
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

/** The server accepts no connections to the database, and has ended the existing ones. */
function postgresGone(database: TestDatabase): DatabaseFault {
	const name = nameOf(database);
	return {
		...GONE,
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
function postgresLock(database: TestDatabase): DatabaseFault {
	return {
		...LOCKED,
		async begin() {
			const client = new pg.Client({ connectionString: database.options.url });
			await client.connect();
			await client.query('begin');
			await client.query('lock table audit_tip, throttle in access exclusive mode');
			return async () => {
				await client.query('rollback');
				await client.end();
			};
		}
	};
}

/** Goes through every fault of the database, and checks the messages and the stored data. */
export async function surviveDatabaseErrors(target: Target, database: TestDatabase): Promise<void> {
	const operator = await target.person('operator');
	expect((await call(target, operator.token, READ)).status).toBe(200);
	const rows = async (table: 'accounts' | 'api_tokens'): Promise<bigint> => {
		const { n } = await database.db
			.selectFrom(table)
			.select((select) => select.fn.countAll<bigint>().as('n'))
			.executeTakeFirstOrThrow();
		return n;
	};
	/**
	 * Number of events, without refusals: a login may find room for its counters and be refused normally, and
	 * earlier refusals are written when their window ends.
	 */
	const acts = async (): Promise<bigint> => {
		const { n } = await database.db
			.selectFrom('audit_events')
			.select((select) => select.fn.countAll<bigint>().as('n'))
			.where('action', 'not like', '%.refused')
			.executeTakeFirstOrThrow();
		return n;
	};
	const ready = async (): Promise<string> => {
		const answer = await fetch(`${target.url}/readyz`);
		return `${answer.status} ${(await answer.text()).trim()}`;
	};

	const faults = (): DatabaseFault[] =>
		database.db.dialect === 'sqlite'
			? [
					sqliteLock(database),
					sqliteFull(target),
					sqliteReplaced(database, false),
					sqliteReplaced(database, true)
				]
			: [postgresLock(database), postgresFull(database), postgresGone(database)];

	for (const fault of faults()) {
		const { kind, words, next } = fault;
		await fault.prepare?.();
		const before = {
			audit: await acts(),
			tokens: await rows('api_tokens'),
			accounts: await rows('accounts')
		};
		const end = await fault.begin();
		try {
			// A form that writes: an explanation, an id, no stack trace, and the fault's status. All requests
			// at once, because each would wait for the lock.
			const [form, login, visited, change] = await Promise.all([
				tokenForm(target, 'during', operator.cookie),
				postForm(target.url, '/login', { name: 'ada', password: 'x', next: '/' }),
				page(target, '/account', operator.cookie),
				call(target, operator.token, WRITE)
			]);
			const html = await form.text();
			expect(form.status, `${kind}: ${html.slice(0, 500)}`).toBe(503);
			expect(Number(form.headers.get('retry-after'))).toBeGreaterThan(0);
			expect(html).toMatch(words);
			expect(html).toContain('was not processed');
			expect(html).toMatch(next);
			expect(html).toContain(form.headers.get('x-request-id'));
			expect(html).not.toMatch(/\bat \S+ \(|node_modules|SQLITE_|ECONN|55000|57P0/);

			// A login reports the same, and signs no one in. Its counter may find room in an existing page;
			// then it is refused normally.
			expect(kind === 'full' ? [503, 400, 401] : [503], kind).toContain(login.status);
			expect(login.headers.getSetCookie().join()).not.toContain('komodeck_session');

			// A page: with or without the usual layout, but never an unformatted error.
			const text = await visited.text();
			expect([200, 503], `${kind}: ${text.slice(0, 300)}`).toContain(visited.status);
			if (visited.status === 503) expect(text).toMatch(words);
			// Reads may trust a check of the file from a moment before.
			if (kind === 'replaced') {
				await vi.waitFor(async () => {
					const again = await page(target, '/account', operator.cookie);
					await again.body?.cancel();
					expect(again.status).toBe(503);
				});
			}

			// The RPC API, in its own format; a call that could change something was not sent. A small event
			// may find room that was just freed: then the call was made, and is in the log.
			const made = kind === 'full' && change.status === 200;
			if (made) before.audit += 1n;
			else {
				expect(change.status, change.text).toBe(503);
				expect(JSON.parse(change.text)).toMatchObject({
					result: null,
					error: {
						code: -32603,
						message: expect.stringMatching(/database .* was not processed/) as string
					}
				});
				expect(change.headers.get('retry-after')).not.toBeNull();
			}

			// A file that could not be read is not one that the caller goes on downloading.
			for (let polls = 0; polls <= OPEN_FILE_LIMITS.caller; polls += 1) {
				const file = await fetch(`${target.url}/api/notary-approvals.json`);
				await file.body?.cancel();
				expect([200, 503], kind).toContain(file.status);
			}

			expect((await fetch(`${target.url}/healthz`)).status).toBe(200);
			// The result of a check is cached for a moment.
			await vi.waitFor(async () => expect(await ready()).toMatch(fault.ready), {
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
			audit: await acts(),
			tokens: await rows('api_tokens'),
			accounts: await rows('accounts')
		}).toEqual(before);
		expect(await target.auth.audit.verify()).toMatchObject({ ok: true });
		const again = await tokenForm(target, `after ${kind}`, operator.cookie);
		expect(again.status).toBe(200);
		expect((await call(target, operator.token, WRITE)).text).toContain('"error":null');
	}
	expect(target.log()).not.toContain('uncaught');
}
