import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { restoreBackup } from '#lib/server/backups.ts';
import { openAsIs, type Db } from '#lib/server/database.ts';
import { isKept } from '#lib/server/platform/backup/tables.ts';
import { writeBackup } from '#lib/server/platform/backup/write.ts';
import { columnNames, tableNames } from '#lib/server/platform/database/catalog.ts';
import { migrate, type Migration } from '#lib/server/platform/database/migrate.ts';
import { endRestore } from '#lib/server/platform/database/unfinishedRestore.ts';
import { allMigrations } from '#lib/server/schemaSteps.ts';
import { createPostgresDatabase, describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, PASSWORD, signInAs } from '../../support/members.ts';

const folder = mkdtempSync(join(tmpdir(), 'komodeck-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));
const key = randomBytes(32);
let files = 0;
const freshFile = (): string => join(folder, `backup-${(files += 1)}`);
/** An empty database in its own folder. */
const emptyDatabase = (): Db => openAsIs({ dataDir: mkdtempSync(join(folder, 'data-')) });

/** All rows of the tables in a backup, as text. */
async function contents(db: Db): Promise<Record<string, string[]>> {
	const bare = db as unknown as Kysely<unknown>;
	const all: Record<string, string[]> = {};
	for (const table of (await tableNames(bare, db.dialect)).filter(isKept)) {
		const columns = await columnNames(bare, db.dialect, table);
		const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
			bare
		);
		all[table] = rows
			.map((row) => JSON.stringify(columns.map((column) => String(row[column]))))
			.sort();
	}
	return all;
}

describeOnBothDatabases('a backup', (database) => {
	test('holds everything but the key, sessions and links, and comes back whole', async () => {
		const { db } = database;
		const auth = await authOver(database);
		const ada = await addPerson(database, 'admin');
		const session = await signInAs(auth, ada);
		const invited = await auth.links.invite(ada, { role: 'viewer', name: 'ivo' });
		const reset = await auth.links.reset(ada, ada.id);
		const made = await auth.tokens.create({ account: ada, name: 'script', role: 'viewer' }, ada);
		await auth.audit.append({ actor: ada.name, action: 'rpc.test', target: 'x\u2028y"\n\\' });
		await db
			.insertInto('token_display')
			.values({ chain: 'A', tokenid: 'b', decimals: 9_007_199_254_740_993n })
			.execute();
		const file = freshFile();
		const written = await writeBackup(db, key, file);
		expect(written.rows).toBeGreaterThan(5);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const text = readFileSync(file, 'utf8');
		const secretKey = readFileSync(join(database.dataDir, 'secret.key'), 'utf8').trim();
		for (const secret of [session, invited.token, reset.token, made.token, PASSWORD, secretKey]) {
			expect(text).not.toContain(secret);
			expect(text).not.toContain(Buffer.from(secret).toString('base64'));
		}
		for (const table of ['sessions', 'account_links', 'setup_links', 'sign_on_flows', 'throttle']) {
			expect(text).not.toContain(`"${table}"`);
		}
		// Nothing of it is readable in a table that the backup leaves out, either.
		const bare = db as unknown as Kysely<unknown>;
		for (const table of await tableNames(bare, db.dialect)) {
			const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(bare);
			const stored = rows.map((row) => Object.values(row).map(String).join('\n')).join('\n');
			for (const secret of [session, invited.token, reset.token, made.token, PASSWORD]) {
				expect(stored, table).not.toContain(secret);
			}
		}
		await expect(writeBackup(db, key, file)).rejects.toMatchObject({ code: 'backup.file-exists' });
		// The error for the leftover of a killed backup contains the leftover's name.
		const killed = `${file}-killed`;
		writeFileSync(`${killed}.part`, '');
		await expect(writeBackup(db, key, killed)).rejects.toMatchObject({
			code: 'backup.unfinished',
			params: { file: `${killed}.part` }
		});
		expect(existsSync(killed)).toBe(false);

		// A file that another process created meanwhile is not overwritten.
		const taken = freshFile();
		const others = () => Promise.resolve(writeFileSync(taken, 'of somebody else'));
		await expect(writeBackup(db, key, taken, others)).rejects.toMatchObject({
			code: 'backup.file-exists',
			params: { file: taken }
		});
		expect(readFileSync(taken, 'utf8')).toBe('of somebody else');
		expect(existsSync(`${taken}.part`)).toBe(false);

		const restored = emptyDatabase();
		expect(await restoreBackup(restored, [key], file)).toMatchObject({ rows: written.rows });
		await migrate(restored, allMigrations);
		const expected = await contents(db);
		const got = await contents(restored);
		for (const [table, rows] of Object.entries(expected)) expect(got[table], table).toEqual(rows);
		await expect(sql`delete from audit_events`.execute(restored)).rejects.toThrow(/append-only/);
		await endRestore(restored);
		await expect(restoreBackup(restored, [key], file)).rejects.toMatchObject({
			code: 'backup.database-not-empty'
		});
		await restored.close();
	});

	test('is of one moment, although people go on', async () => {
		const { audit } = await authOver(database);
		const file = freshFile();
		let going = true;
		const others = (async () => {
			while (going) await audit.append({ actor: 'many', action: 'rpc.test' });
		})();
		await writeBackup(database.db, key, file);
		going = false;
		await others;
		const restored = emptyDatabase();
		await restoreBackup(restored, [key], file);
		const { seq } = await restored.selectFrom('audit_tip').select('seq').executeTakeFirstOrThrow();
		const last = await restored
			.selectFrom('audit_events')
			.select((select) => select.fn.max('seq').as('seq'))
			.executeTakeFirstOrThrow();
		expect(last.seq).toBe(seq);
		await restored.close();
	});

	test('goes into a database of the other kind', async () => {
		const file = freshFile();
		const { rows } = await writeBackup(database.db, key, file);
		const toSqlite = database.db.dialect === 'postgres';
		const store = toSqlite ? null : await createPostgresDatabase();
		const other = store?.url ? openAsIs({ url: store.url, dataDir: folder }) : emptyDatabase();
		expect(await restoreBackup(other, [key], file)).toMatchObject({ rows });
		await migrate(other, allMigrations);
		expect(await contents(other)).toMatchObject(await contents(database.db));
		await other.close();
		await store?.drop();
	});

	test('that is changed, cut, foreign, newer or under another key is refused, and nothing stays', async () => {
		const file = freshFile();
		await writeBackup(database.db, key, file);
		const text = readFileSync(file, 'utf8');
		const lines = text.trimEnd().split('\n');
		const cases: [string, string, Uint8Array][] = [
			[text.replace(/admin/, 'viewer'), 'backup.mac-wrong', key],
			[lines.slice(0, -1).join('\n'), 'backup.damaged', key],
			[[...lines.slice(0, 3), lines.at(-1)].join('\n'), 'backup.mac-wrong', key],
			[text, 'backup.mac-wrong', randomBytes(32)],
			['', 'backup.empty', key],
			['{"some":"json"}\n', 'backup.not-a-backup', key],
			[text.replace('"format":1', '"format":2'), 'backup.newer', key]
		];
		for (const [content, code, under] of cases) {
			const other = freshFile();
			writeFileSync(other, content);
			const db = emptyDatabase();
			await expect(restoreBackup(db, [under], other), code).rejects.toMatchObject({ code });
			expect(await tableNames(db as unknown as Kysely<unknown>, 'sqlite')).toEqual([]);
			await db.close();
		}
	});

	test('of a newer schema is refused; of an older one it is brought up to date', async () => {
		const late = Object.keys(allMigrations).sort().at(-1)!;
		await sql`update schema_migrations set name = '999_later' where name = ${late}`.execute(
			database.db
		);
		(allMigrations as Record<string, unknown>)['999_later'] = { up: () => Promise.resolve() };
		const newer = freshFile();
		await writeBackup(database.db, key, newer);
		delete (allMigrations as Record<string, unknown>)['999_later'];
		await sql`update schema_migrations set name = ${late} where name = '999_later'`.execute(
			database.db
		);
		const db = emptyDatabase();
		await expect(restoreBackup(db, [key], newer)).rejects.toMatchObject({
			code: 'backup.newer-tables'
		});
		await db.close();

		const first = Object.fromEntries(
			Object.entries(allMigrations).filter(([name]) => name <= '005_account_links')
		);
		const old = emptyDatabase();
		await migrate(old, first);
		await sql`insert into audit (seq, time, actor, action, detail, prev_hash, hash)
			values (1, 1, 'a', 'sign-in', '{}', '', 'h')`.execute(old);
		const file = freshFile();
		await writeBackup(old, key, file);
		await old.close();
		const fresh = emptyDatabase();
		expect(await restoreBackup(fresh, [key], file)).toMatchObject({ rows: 2 });
		await migrate(fresh, allMigrations);
		expect(await fresh.selectFrom('audit_events').select(['kind', 'version']).execute()).toEqual([
			{ kind: 'sign-in', version: 1n }
		]);
		await fresh.close();
	});
});

describeOnBothDatabases('a backup that an earlier release made of a later database', (database) => {
	test('comes back whole by the later release, and by no earlier one', async () => {
		const { db } = database;
		const steps = allMigrations as Record<string, Migration>;
		const later: Migration = {
			async up(trx) {
				await trx.schema.alterTable('token_display').addColumn('later', 'text').execute();
				await trx.schema.createTable('of_later').addColumn('id', 'text').execute();
			}
		};
		await migrate(db, { ...allMigrations, '999_later': later });
		await sql`insert into of_later (id) values ('one')`.execute(db);
		await sql`insert into token_display (chain, tokenid, decimals, later)
			values ('A', 'b', 8, 'kept')`.execute(db);
		const file = freshFile();
		await writeBackup(db, key, file);
		const restored = emptyDatabase();
		await expect(restoreBackup(restored, [key], file)).rejects.toMatchObject({
			code: 'backup.newer-tables',
			params: { step: '999_later' }
		});
		steps['999_later'] = later;
		try {
			await restoreBackup(restored, [key], file);
			expect(await contents(restored)).toEqual(await contents(db));
		} finally {
			delete steps['999_later'];
			await restored.close();
		}
	});
});
