/**
 * A database that does not belong to its data folder, or cannot be used, is reported and never mistaken for a
 * new one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type QueryExecutorProvider } from 'kysely';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { databaseErrorMessage } from '#lib/messages/database.ts';
import { newCopy } from '../../src/cli/newCopy.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createAuth } from '#lib/server/access/requests/auth.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { work } from '#lib/server/cross-chain/open-work/openWork.ts';
import { openAsIs, openDatabase, type Db } from '#lib/server/database.ts';
import { hasRecord, openRecord } from '#lib/server/platform/audit-trail/record.ts';
import {
	openDatabase as openWith,
	type DatabaseOptions
} from '#lib/server/platform/database/open.ts';
import { databaseErrorKind } from '#lib/server/platform/database/databaseError.ts';
import { SERVER_NAME } from '#lib/server/platform/database/pool.ts';
import { beginRestore } from '#lib/server/platform/database/unfinishedRestore.ts';
import { createListener } from '#lib/server/platform/database/writeNotices.ts';
import { createReadiness } from '#lib/server/readiness.ts';
import type { Schema } from '#lib/server/schema.ts';
import { allMigrations } from '#lib/server/schemaSteps.ts';
import { command } from '../support/commandLine.ts';
import { createPostgresDatabase } from '../support/database.ts';

/** A data folder with its own database, empty until it is opened. */
interface Place {
	options: DatabaseOptions;
	/** Makes the database as empty as a new one. */
	empty(): Promise<void>;
	/** The environment that points a command to it. */
	env: Record<string, string>;
	drop(): Promise<void>;
}

async function placeOn(dialect: string): Promise<Place> {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-installation-'));
	const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
	if (dialect === 'SQLite') {
		return {
			options: { dataDir },
			env: { KOMODECK_DATA: dataDir },
			empty: async () => {
				for (const end of ['', '-wal', '-shm'])
					rmSync(join(dataDir, `komodeck.sqlite${end}`), { force: true });
			},
			drop: async () => remove()
		};
	}
	const store = await createPostgresDatabase();
	const { url } = store;
	if (url === undefined) throw new Error('PostgreSQL gave no address.');
	return {
		options: { url, dataDir },
		env: { KOMODECK_DATA: dataDir, DATABASE_URL: url },
		async empty() {
			const db = openAsIs({ url, dataDir });
			await sql`drop schema public cascade`.execute(db);
			await sql`create schema public`.execute(db);
			await db.close();
		},
		async drop() {
			await store.drop();
			remove();
		}
	};
}

/** Opens it like the server does, so that it has a key, a first event and a copy of the log's tip outside. */
async function liveOnce({ options }: Place): Promise<void> {
	const db = await openDatabase(options);
	const { audit } = await createAuth(db, { dataDir: options.dataDir, work, publicBrowsing: false });
	await audit.append({ actor: 'test', action: 'rpc.test' });
	await audit.stop();
	await db.close();
}

const codeOf = async (work: Promise<Db>): Promise<unknown> =>
	work.then(
		async (db) => {
			await db.close();
			return 'opened';
		},
		(error: unknown) => (error instanceof Error && 'code' in error ? error.code : error)
	);

/** Runs a command of the command line. */
async function komodeck(
	{ options, env }: Place,
	...args: string[]
): Promise<{ code: number; said: string }> {
	const { code, out, err } = await command(options, args, { env });
	return { code, said: out + err };
}

describe.each(['SQLite', 'PostgreSQL'])('the database of a data folder on %s', (dialect) => {
	test('that is gone is not taken for a new installation until that is asked for', async () => {
		const place = await placeOn(dialect);
		try {
			await liveOnce(place);
			await place.empty();
			expect(await codeOf(openDatabase(place.options))).toBe('database.missing');
			// No new database was created, so it is refused again.
			expect(await codeOf(openDatabase(place.options))).toBe('database.missing');
			const refused = await komodeck(place, 'audit', 'verify');
			expect(refused.code).toBe(1);
			expect(refused.said).toMatch(/missing or empty .* restore FILE.* installation begin/);
			expect(refused.said.trim().split('\n')).toHaveLength(1);

			const begun = await komodeck(place, 'installation', 'begin');
			expect(begun).toMatchObject({ code: 0 });
			expect(begun.said).toMatch(/now belongs to this database/);
			expect(await codeOf(openDatabase(place.options))).toBe('opened');
			expect(await komodeck(place, 'audit', 'verify')).toMatchObject({ code: 0 });
		} finally {
			await place.drop();
		}
	});

	test('that never was is neither verified nor backed up nor listed, and is not begun by that', async () => {
		const place = await placeOn(dialect);
		try {
			const file = join(place.options.dataDir, 'file.backup');
			for (const line of [
				...['audit verify', 'audit confirm', 'audit export', 'audit drop --older-than 1'],
				...[`backup ${file}`, 'index list', 'migration list', 'migration retry all'],
				...['policy approvals', 'user list']
			]) {
				const { code, said } = await komodeck(place, ...line.split(' '));
				expect([line, code]).toEqual([line, 1]);
				expect(said).toMatch(/^There is no installation of Komodeck in .*\. Nothing was done\. /);
			}
			expect(readdirSync(place.options.dataDir)).toEqual([]);
			// The first account may come before the first start.
			expect(await komodeck(place, 'user', 'add', 'ada', '--role', 'admin')).toMatchObject({
				code: 0
			});
			expect(await komodeck(place, 'audit', 'verify')).toMatchObject({ code: 0 });
		} finally {
			await place.drop();
		}
	});

	test('that is gone is missed by the end of the log where the folder is older than its mark', async () => {
		const place = await placeOn(dialect);
		try {
			await liveOnce(place);
			await place.empty();
			rmSync(join(place.options.dataDir, 'installation.id'));
			expect(await codeOf(openDatabase(place.options))).toBe('database.missing');
		} finally {
			await place.drop();
		}
	});

	test('that is older than its mark goes on and gets one; a second folder takes the same', async () => {
		const place = await placeOn(dialect);
		const second = mkdtempSync(join(tmpdir(), 'komodeck-second-'));
		try {
			await liveOnce(place);
			const before = await openDatabase(place.options);
			await sql`drop table installation`.execute(before);
			await sql`delete from schema_migrations where name = '210_installation'`.execute(before);
			await before.close();
			rmSync(join(place.options.dataDir, 'installation.id'));
			expect(await codeOf(openDatabase(place.options))).toBe('opened');
			const mark = readFileSync(join(place.options.dataDir, 'installation.id'), 'utf8');
			if (dialect === 'SQLite') {
				cpSync(join(place.options.dataDir, 'komodeck.sqlite'), join(second, 'komodeck.sqlite'));
			}
			expect(await codeOf(openDatabase({ ...place.options, dataDir: second }))).toBe('opened');
			expect(readFileSync(join(second, 'installation.id'), 'utf8')).toBe(mark);
		} finally {
			rmSync(second, { recursive: true, force: true });
			await place.drop();
		}
	});

	test('of another installation is refused', async () => {
		const place = await placeOn(dialect);
		const other = await placeOn(dialect);
		try {
			await liveOnce(place);
			await liveOnce(other);
			const mixed = { ...other.options };
			if (dialect === 'SQLite') {
				await place.empty();
				cpSync(
					join(other.options.dataDir, 'komodeck.sqlite'),
					join(place.options.dataDir, 'komodeck.sqlite')
				);
			}
			mixed.dataDir = place.options.dataDir;
			expect(await codeOf(openDatabase(mixed))).toBe('database.of-another-installation');
		} finally {
			await other.drop();
			await place.drop();
		}
	});

	test('that was emptied comes back by a restore, and is one with its folder again', async () => {
		const place = await placeOn(dialect);
		try {
			await liveOnce(place);
			const file = join(place.options.dataDir, 'kept.backup');
			expect(await komodeck(place, 'backup', file)).toMatchObject({ code: 0 });
			await place.empty();
			const restored = await komodeck(place, 'restore', file);
			expect(restored.said).toMatch(/Restored: \d+ row/);
			expect(restored.said).toContain('no longer counts toward spending limits and policies');
			expect(await codeOf(openDatabase(place.options))).toBe('opened');
			expect(await komodeck(place, 'audit', 'verify')).toMatchObject({ code: 0 });
		} finally {
			await place.drop();
		}
	});
});

describe('a database of several servers', () => {
	test('that was restored at one server is taken by the folders of all of its servers', async () => {
		const one = await placeOn('PostgreSQL');
		const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-second-'));
		const two: Place = {
			...one,
			options: { ...one.options, dataDir },
			env: { ...one.env, KOMODECK_DATA: dataDir }
		};
		try {
			await liveOnce(one);
			cpSync(join(one.options.dataDir, 'secret.key'), join(dataDir, 'secret.key'));
			expect(await codeOf(openDatabase(two.options))).toBe('opened');
			const file = join(dataDir, 'kept.backup');
			expect(await komodeck(one, 'backup', file)).toMatchObject({ code: 0 });
			await one.empty();
			expect(await komodeck(one, 'restore', file)).toMatchObject({ code: 0 });
			expect(await codeOf(openDatabase(two.options))).toBe('database.of-another-installation');
			expect(await komodeck(two, 'installation', 'begin')).toMatchObject({ code: 0 });
			for (const { options } of [one, two]) {
				expect(await codeOf(openDatabase(options))).toBe('opened');
			}
		} finally {
			rmSync(dataDir, { recursive: true, force: true });
			await one.drop();
		}
	});

	test('that was emptied takes no restore while a server runs over it', async () => {
		const place = await placeOn('PostgreSQL');
		const { url = '' } = place.options;
		const file = join(place.options.dataDir, 'kept.backup');
		await liveOnce(place);
		expect(await komodeck(place, 'backup', file)).toMatchObject({ code: 0 });
		const db = await openDatabase(place.options);
		const server = createListener({ url, db });
		try {
			await vi.waitFor(() => expect(server.isHearing).toBe(true), { timeout: 5_000 });
			await place.empty();
			const refused = await komodeck(place, 'restore', file);
			expect(refused).toMatchObject({ code: 1 });
			expect(refused.said).toMatch(
				/^A server runs over this database, .*Nothing was restored\.\n$/
			);
			expect(refused.said).toContain('from 127.0.0.1');
			expect(refused.said).toMatch(/pg_terminate_backend\(\d+\)/);
			await server.stop();
			// Behind a pooler no connection is seen to listen, and those of a server stay when it has ended.
			const pooled = new pg.Client({ connectionString: url, application_name: SERVER_NAME });
			await pooled.connect();
			const asking = setInterval(() => void pooled.query('select 1'), 100);
			expect(await komodeck(place, 'restore', file)).toMatchObject({ code: 1 });
			clearInterval(asking);
			expect(await komodeck(place, 'restore', file)).toMatchObject({ code: 0 });
			await pooled.end();
		} finally {
			await server.stop();
			await db.close();
			await place.drop();
		}
	});
});

/** Turns a safety control on, as an admin does. */
async function freeze({ options }: Place): Promise<void> {
	const db = await openDatabase(options);
	const { audit } = await createAuth(db, { dataDir: options.dataDir, work, publicBrowsing: false });
	await createSafetyControls(db, audit).turnOn('freeze', 'a lost laptop', 'ada');
	await audit.stop();
	await db.close();
}

describe.each(['SQLite', 'PostgreSQL'])('a restore that is broken off on %s', (dialect) => {
	test('leaves nothing over which anybody starts, and loses nothing that it must know', async () => {
		const place = await placeOn(dialect);
		const { dataDir } = place.options;
		const mark = join(dataDir, 'installation.id');
		try {
			await komodeck(place, 'user', 'add', 'ada', '--role', 'admin');
			const wanted = ['--user', 'ada', '--role', 'admin'];
			expect(await komodeck(place, 'token', 'create', ...wanted)).toMatchObject({ code: 0 });
			const file = join(dataDir, 'kept.backup');
			expect(await komodeck(place, 'backup', file)).toMatchObject({ code: 0 });
			await freeze(place);
			await place.empty();
			// The step after inserting the rows fails.
			rmSync(mark);
			mkdirSync(mark);
			const brokenOff = await komodeck(place, 'restore', file);
			expect(brokenOff.code).toBe(1);
			expect(brokenOff.said).not.toMatch(/Restored/);
			rmSync(mark, { recursive: true });
			// The same for a server with a separate folder.
			const fresh = { ...place.options, dataDir: mkdtempSync(join(dataDir, 'fresh-')) };
			if (dialect === 'SQLite')
				cpSync(join(dataDir, 'komodeck.sqlite'), join(fresh.dataDir, 'komodeck.sqlite'));
			for (const options of [place.options, fresh]) {
				expect(await codeOf(openDatabase(options))).toBe('database.restore-unfinished');
			}
			for (const verb of [
				['installation', 'begin'],
				['audit', 'verify'],
				['restore', file]
			]) {
				const refused = await komodeck(place, ...verb);
				expect(refused.code).toBe(1);
				expect(refused.said).toMatch(/^The restore .* was broken off.* again\.\n$/);
			}

			await place.empty();
			const restored = await komodeck(place, 'restore', file);
			expect(restored).toMatchObject({ code: 0 });
			expect(restored.said).toMatch(/API tokens revoked: 1\./);
			expect(restored.said).toMatch(/Sending is frozen, as before the restore\./);
			expect(await codeOf(openDatabase(place.options))).toBe('opened');
			expect(await komodeck(place, 'audit', 'verify')).toMatchObject({ code: 0 });
		} finally {
			await place.drop();
		}
	});
});

/**
 * Kills the process, like kill -9, after the copy of the log was moved away and before a new one replaces it.
 */
const DIES_WITHOUT_COPY = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const rename = fs.renameSync;
fs.renameSync = (from, to) => {
	rename(from, to);
	if (String(to).includes('audit-before-')) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();`;

test('a restore that is killed between two copies of the log lets no one in whom the next one would keep out', async () => {
	const place = await placeOn('SQLite');
	const { dataDir } = place.options;
	try {
		for (const name of ['ada', 'cleo'])
			await komodeck(place, 'user', 'add', name, '--role', 'admin');
		const file = join(dataDir, 'kept.backup');
		expect(await komodeck(place, 'backup', file)).toMatchObject({ code: 0 });
		expect(await komodeck(place, 'user', 'disable', 'cleo')).toMatchObject({ code: 0 });
		await place.empty();
		const { signal } = spawnSync(
			process.execPath,
			[
				...['--import', `data:text/javascript,${encodeURIComponent(DIES_WITHOUT_COPY)}`],
				...['src/cli/main.ts', 'restore', file]
			],
			{ env: { ...process.env, ...place.env, DATABASE_URL: '' } }
		);
		expect(signal).toBe('SIGKILL');
		expect(existsSync(openRecord(dataDir).folder)).toBe(false);
		expect(await codeOf(openDatabase(place.options))).toBe('database.restore-unfinished');

		await place.empty();
		const restored = await komodeck(place, 'restore', file);
		expect(restored).toMatchObject({ code: 0 });
		expect(restored.said).toMatch(/To confirm: cleo\..* last known: admin, disabled/);
		expect((await komodeck(place, 'user', 'list')).said).toMatch(
			/cleo.*(?:disabled|waits|confirm)/
		);
		expect(await komodeck(place, 'audit', 'verify')).toMatchObject({ code: 0 });
	} finally {
		await place.drop();
	}
});

test('a restore that comes while a server opens the database keeps it from starting, too', async () => {
	const place = await placeOn('SQLite');
	try {
		const steps = { ...allMigrations, '999_meanwhile': { up: beginRestore } };
		expect(await codeOf(openWith<Schema>(place.options, steps, hasRecord))).toBe(
			'database.restore-unfinished'
		);
	} finally {
		await place.drop();
	}
});

test('a new copy of the log that cannot be written leaves the one before where the next restore looks for it', async () => {
	const place = await placeOn('SQLite');
	const { dataDir } = place.options;
	try {
		await liveOnce(place);
		const known = openRecord(dataDir).accounts();
		expect(known).not.toBeNull();
		const db = await openDatabase(place.options);
		const auth = await createAuth(db, { dataDir, work, publicBrowsing: false });
		await auth.audit.stop();
		await db.close();
		await expect(newCopy(db, auth, dataDir)).rejects.toThrow();
		expect(openRecord(dataDir).accounts()).toEqual(known);
		const again = await openDatabase(place.options);
		const { away } = await newCopy(again, auth, dataDir);
		await again.close();
		expect(existsSync(join(away!, 'accounts.json'))).toBe(true);
		expect(openRecord(dataDir).accounts()).toEqual(known);
		expect(existsSync(join(dataDir, 'new-copy'))).toBe(false);
	} finally {
		await place.drop();
	}
});

/** Overwrites the first page of a table in an SQLite file that is open. */
async function damageTable(db: QueryExecutorProvider, file: string, table: string): Promise<void> {
	const { rows } = await sql<{ rootpage: bigint }>`select rootpage from sqlite_schema
		where name = ${table}`.execute(db);
	await sql`pragma wal_checkpoint(truncate)`.execute(db);
	execFileSync('dd', [
		...['if=/dev/zero', `of=${file}`, 'bs=4096', 'count=1'],
		...[`seek=${(rows[0]?.rootpage ?? 1n) - 1n}`, 'conv=notrunc', 'status=none']
	]);
	await sql`pragma shrink_memory`.execute(db);
}

describe('a database that cannot be used', () => {
	const damage: [string, string, (file: string) => void][] = [
		['cut to nothing', 'database.missing', (file) => truncateSync(file, 0)],
		[
			'something else',
			'database.unusable',
			(file) => writeFileSync(file, 'no database\n'.repeat(999))
		],
		[
			'full of holes',
			'database.unusable',
			(file) => {
				const bytes = readFileSync(file);
				bytes.fill(0xa5, 4096, bytes.length);
				writeFileSync(file, bytes);
			}
		]
	];
	test.each(damage)('from the start (%s) is told in one sentence', async (_, code, harm) => {
		const place = await placeOn('SQLite');
		try {
			await liveOnce(place);
			harm(join(place.options.dataDir, 'komodeck.sqlite'));
			expect(await codeOf(openDatabase(place.options))).toBe(code);
			const { code: exit, said } = await komodeck(place, 'user', 'list');
			expect(exit).toBe(1);
			expect(said).toContain('restore FILE');
			expect(said).not.toMatch(/\n\s+at |sqlite_|SqliteError/i);
		} finally {
			await place.drop();
		}
	});

	test('from the start begins no installation, and the copy of its log stays where it is', async () => {
		const place = await placeOn('SQLite');
		try {
			await liveOnce(place);
			const { dataDir } = place.options;
			writeFileSync(join(dataDir, 'komodeck.sqlite'), 'no database'.repeat(1_000));
			const begun = await komodeck(place, 'installation', 'begin');
			expect(begun.code).toBe(1);
			expect(begun.said).toMatch(/Nothing was changed/);
			expect(existsSync(join(dataDir, 'audit', 'end.json'))).toBe(true);
		} finally {
			await place.drop();
		}
	});

	test('because its user lacks rights to the tables is told as that, and not as one that takes no changes', async () => {
		const place = await placeOn('PostgreSQL');
		const role = `reader_${process.pid}`;
		const admin = openAsIs(place.options);
		try {
			await liveOnce(place);
			await sql`create role ${sql.ref(role)} login password 'x'`.execute(admin);
			const url = new URL(place.env['DATABASE_URL'] ?? '');
			url.username = role;
			url.password = 'x';
			const env = { ...place.env, DATABASE_URL: url.href };
			const { code, said } = await komodeck({ ...place, env }, 'user', 'list');
			expect(code).toBe(1);
			expect(said).toBe(
				'The PostgreSQL database (DATABASE_URL) denies this user a right; let it read, write and create tables, then start again. Nothing was changed.\n'
			);

			const db = openAsIs({ ...place.options, url: url.href });
			expect(await createReadiness(db, db)()).toBe('the database denies its user a right');
			await db.close();
		} finally {
			await sql`drop role if exists ${sql.ref(role)}`.execute(admin);
			await admin.close();
			await place.drop();
		}
	});

	test('from the start because it takes no changes is told in one sentence', async () => {
		const place = await placeOn('PostgreSQL');
		try {
			await liveOnce(place);
			const db = await openDatabase(place.options);
			const name = new URL(place.env['DATABASE_URL'] ?? '').pathname.slice(1);
			await sql`alter database ${sql.ref(name)} set default_transaction_read_only = on`.execute(db);
			await db.close();
			const { code, said } = await komodeck(place, 'user', 'list');
			expect(code).toBe(1);
			expect(said).toBe(
				'The PostgreSQL database (DATABASE_URL) accepts no changes: its server is a standby, or the database is set to read-only; name the primary or let it take changes, then start again. Nothing was changed.\n'
			);
		} finally {
			await place.drop();
		}
	});

	test('in the middle of a command is told in one sentence, and not in those of its driver', async () => {
		const place = await placeOn('PostgreSQL');
		try {
			await liveOnce(place);
			const db = await openDatabase(place.options);
			await sql`create function no_room() returns trigger language plpgsql as
				'begin raise exception ''could not extend file'' using errcode = ''53100''; end'`.execute(db);
			await sql`create trigger no_room before insert on accounts
				for each row execute function no_room()`.execute(db);
			await db.close();
			expect(await komodeck(place, 'user', 'add', 'ada', '--role', 'admin')).toEqual({
				code: 1,
				said: 'The disk of the database of Komodeck is full, so nothing more can be written. The command did not finish: check what it changed before you run it again.\n'
			});
		} finally {
			await place.drop();
		}
	});

	test('from the start because nothing answers is told without its address', async () => {
		const place = await placeOn('SQLite');
		try {
			place.env['DATABASE_URL'] = 'postgres://komodeck:geheim@127.0.0.1:9/komodeck';
			const { code, said } = await komodeck(place, 'user', 'list');
			expect(code).toBe(1);
			expect(said).toMatch(/^The PostgreSQL database \(DATABASE_URL\) cannot be reached;/);
			expect(said).not.toContain('geheim');
		} finally {
			await place.drop();
		}
	});

	test.each([
		['is not there; create it or correct its name', (url: URL) => (url.pathname = '/nowhere')],
		['refuses this user or this password', (url: URL) => (url.username = 'nobody_like_this')],
		['and this server find no TLS', (url: URL) => (url.search = '?sslmode=require')]
	])('from the start because a server does not let in (%s) is told as that', async (why, harm) => {
		const place = await placeOn('PostgreSQL');
		const url = new URL(place.env['DATABASE_URL']!);
		harm(url);
		try {
			const said = await komodeck(
				{ ...place, env: { ...place.env, DATABASE_URL: url.href } },
				'user',
				'list'
			);
			expect(said.code).toBe(1);
			expect(said.said).toContain(`The PostgreSQL database (DATABASE_URL) ${why}`);
		} finally {
			await place.drop();
		}
	});

	test('while it runs makes the server not ready, and stays so', async () => {
		const place = await placeOn('SQLite');
		const db = await openDatabase(place.options);
		const index = await openIndex(place.options);
		try {
			let now = 0;
			const obstacle = createReadiness(db, index, () => (now += 10_000));
			const file = join(place.options.dataDir, 'komodeck.sqlite');
			await sql`pragma wal_checkpoint(truncate)`.execute(db);
			expect(statSync(file).size).toBeGreaterThan(4096);
			expect(await obstacle()).toBeNull();
			truncateSync(file, 4096);
			expect(await obstacle()).toBe('the database is damaged');
			expect(await obstacle()).toBe('the database is damaged');
		} finally {
			await index.close();
			await db.close().catch(() => undefined);
			await place.drop();
		}
	});

	test('whose pages turn out to be unreadable in any query makes the server not ready', async () => {
		const place = await placeOn('SQLite');
		const db = await openDatabase(place.options);
		const index = await openIndex(place.options);
		try {
			let now = 0;
			const obstacle = createReadiness(db, index, () => (now += 10_000));
			expect(await obstacle()).toBeNull();
			await damageTable(db, join(place.options.dataDir, 'komodeck.sqlite'), 'safety_controls');
			await expect(db.selectFrom('safety_controls').selectAll().execute()).rejects.toThrow(
				/malformed/
			);
			expect(await obstacle()).toBe('the database is damaged');
		} finally {
			await index.close();
			await db.close().catch(() => undefined);
			await place.drop();
		}
	});

	test('names an index with unreadable pages as one that needs no backup', async () => {
		const place = await placeOn('SQLite');
		const db = await openDatabase(place.options);
		const index = await openIndex(place.options);
		try {
			await damageTable(index, join(place.options.dataDir, 'index.sqlite'), 'ix_chains');
			const read = index.selectFrom('ix_chains').selectAll().execute();
			const error: unknown = await read.catch((cause: unknown) => cause);
			const kind = databaseErrorKind(error);
			expect(kind).toBe('index-damaged');
			const { next } = databaseErrorMessage(kind!);
			expect(next).toMatch(/remove index\.sqlite.* no backup is needed/);
			expect(db.seenDamage()).toBeNull();
		} finally {
			await index.close();
			await db.close();
			await place.drop();
		}
	});

	test('whose server lacks a file of its data folder makes the server not ready', async () => {
		const place = await placeOn('PostgreSQL');
		const db = await openDatabase(place.options);
		const index = await openIndex(place.options);
		try {
			let now = 0;
			const obstacle = createReadiness(db, index, () => (now += 10_000));
			expect(await obstacle()).toBeNull();
			// The error of a query whose table has lost its file, without a change of the files of a server.
			const lost = sql`select pg_read_file('base/1/lost')`.execute(db);
			await expect(lost).rejects.toMatchObject({ code: '58P01' });
			expect(await obstacle()).toBe('the database is damaged');
		} finally {
			await index.close();
			await db.close();
			await place.drop();
		}
	});
});
