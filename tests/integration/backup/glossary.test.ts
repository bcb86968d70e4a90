/**
 * A database of the version before the glossary, with at least one row in every table, as a backup in that
 * version's format. Its log was written by that version, so its hashes cover the former names.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import { restoreBackup } from '#lib/server/backups.ts';
import { COLUMNS_STEP } from '#lib/server/columnsSchema.ts';
import { openAsIs, type Db } from '#lib/server/database.ts';
import { GLOSSARY_STEP } from '#lib/server/glossarySchema.ts';
import { Head, RowLine, TableLine, valueOf } from '#lib/server/platform/backup/format.ts';
import { isKept } from '#lib/server/platform/backup/tables.ts';
import { writeBackup } from '#lib/server/platform/backup/write.ts';
import { tableNames } from '#lib/server/platform/database/catalog.ts';
import { migrate } from '#lib/server/platform/database/migrate.ts';
import { allMigrations } from '#lib/server/schemaSteps.ts';
import { createPostgresDatabase, describeOnBothDatabases } from '../../support/database.ts';

const BEFORE = join(import.meta.dirname, 'testdata/before-glossary.backup');
const BACKUP_KEY = new Uint8Array(32).fill(8);
const AUDIT_KEY = new Uint8Array(32).fill(7);

/**
 * The schema steps up to the first renaming step, and the later renaming step; other steps are not tested here.
 */
const { schema } = Head.parse(JSON.parse(readFileSync(BEFORE, 'utf8').split('\n')[0]!));
const STEPS = Object.fromEntries(
	[...schema, GLOSSARY_STEP, COLUMNS_STEP].map((name) => [name, allMigrations[name]!])
);

/** Former table names with their present ones. */
const TABLES: Readonly<Record<string, string>> = {
	audit: 'audit_events',
	audit_head: 'audit_tip',
	audit_seals: 'audit_checkpoints',
	book_entries: 'labels',
	book_keys: 'label_keys',
	book_words: 'label_words',
	burn_approvals: 'notary_approvals',
	handed_over: 'assignments',
	limit_heads: 'spending_counts',
	limit_uses: 'spending_limit_uses',
	limits: 'spending_limits',
	node_stops: 'kdf_stops',
	sends: 'transactions',
	switches: 'safety_controls',
	token_series: 'batch_transfers',
	token_series_rows: 'batch_transfer_items'
};
const COLUMNS: Readonly<Record<string, string>> = {
	'audit_head.sealed': 'checkpointed',
	'audit_seals.sealed_at': 'created_at',
	'book_entries.look': 'skeleton',
	'burn_approvals.standing': 'status',
	'secret_keys.sealed': 'encrypted',
	'sends.refusal': 'rejection',
	'sends.refused_height': 'rejected_height',
	'sends.sent_at': 'broadcast_at',
	'token_series_rows.send': 'transaction_id',
	'token_series_rows.series': 'batch_transfer'
};

type Rows = Record<string, string[]>;

const rowText = (row: Readonly<Record<string, unknown>>): string =>
	JSON.stringify(
		Object.entries(row)
			.map(([column, value]) => [
				column,
				value === null ? null : `${typeof value} ${String(value)}`
			])
			.toSorted()
	);

/** The rows of a backup under their present names. */
function rowsOf(file: string): Rows {
	const all: Rows = {};
	let table: TableLine | null = null;
	for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
		const value: unknown = JSON.parse(line);
		const row = RowLine.safeParse(value);
		if (!row.success) {
			table = TableLine.safeParse(value).data ?? null;
			if (table !== null) all[TABLES[table.table] ?? table.table] = [];
			continue;
		}
		const { table: before, columns } = table!;
		all[TABLES[before] ?? before]!.push(
			rowText(
				Object.fromEntries(
					columns.map((column, at) => [
						COLUMNS[`${before}.${column}`] ?? column,
						valueOf(row.data[at]!)
					])
				)
			)
		);
	}
	for (const rows of Object.values(all)) rows.sort();
	return all;
}

async function rowsIn(db: Db): Promise<Rows> {
	const bare = db as unknown as Kysely<unknown>;
	const all: Rows = {};
	for (const table of (await tableNames(bare, db.dialect)).filter(isKept)) {
		const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
			bare
		);
		all[table] = rows.map(rowText).sort();
	}
	return all;
}

describeOnBothDatabases('a database of the names before the glossary', (database) => {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-glossary-'));
	const closing: (() => Promise<void>)[] = [];
	let upgraded: Db;

	async function emptyDatabase(dialect: 'sqlite' | 'postgres'): Promise<Db> {
		const dataDir = mkdtempSync(join(folder, 'data-'));
		const store = dialect === 'postgres' ? await createPostgresDatabase() : null;
		const db = openAsIs(store?.url ? { url: store.url, dataDir } : { dataDir });
		closing.push(async () => {
			await db.close();
			await store?.drop();
		});
		return db;
	}

	beforeAll(async () => {
		upgraded = await emptyDatabase(database.db.dialect);
		await restoreBackup(upgraded, [BACKUP_KEY], BEFORE);
		await migrate(upgraded, STEPS);
	});
	afterAll(async () => {
		for (const close of closing) await close();
		rmSync(folder, { recursive: true });
	});

	test('keeps every value of every row, under the names of now', async () => {
		const before = rowsOf(BEFORE);
		expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true);
		expect(await rowsIn(upgraded)).toEqual(before);
	});

	test('keeps a log that is whole, and knows what its events say of tables that were renamed', async () => {
		const audit = createAudit(upgraded, AUDIT_KEY);
		expect(await audit.verify()).toMatchObject({ ok: true, checked: { rows: 4, segments: 1 } });
		const renamed = ['spending_limits', 'safety_controls'] as const;
		// Tables of later steps do not exist yet.
		const differing = async () =>
			(await audit.recorded.differences(upgraded, renamed)).map(({ table }) => table);
		expect(await differing()).toEqual([]);
		await upgraded.updateTable('spending_limits').set({ most_count: 9n }).execute();
		await upgraded.updateTable('safety_controls').set({ reason: 'theirs' }).execute();
		expect(await differing()).toEqual(renamed);
		await upgraded.updateTable('spending_limits').set({ most_count: 3n }).execute();
		await upgraded.updateTable('safety_controls').set({ reason: 'an old reason' }).execute();
		expect(await differing()).toEqual([]);
	});

	test('still refuses a change of its log', async () => {
		for (const change of [
			sql`update audit_events set actor = 'z'`,
			sql`delete from audit_events where seq = 4`,
			sql`update audit_tip set seq = 99`,
			sql`delete from audit_tip`
		]) {
			await expect(change.execute(upgraded)).rejects.toThrow(/append-only/);
		}
		await expect(sql`delete from audit_checkpoints`.execute(upgraded)).rejects.toThrow(
			/checkpoint/
		);
	});

	test('goes by a new backup into a database of either kind', async () => {
		const file = join(folder, 'after.backup');
		await writeBackup(upgraded, BACKUP_KEY, file);
		for (const dialect of ['sqlite', 'postgres'] as const) {
			const other = await emptyDatabase(dialect);
			await restoreBackup(other, [BACKUP_KEY], file);
			expect(await rowsIn(other)).toEqual(rowsOf(BEFORE));
			await expect(sql`delete from audit_events`.execute(other)).rejects.toThrow(/append-only/);
		}
	});
});
