import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { indexMigrations } from './chains/indexer/migrations.ts';
import { openAsIs, type Db } from './database.ts';
import { migrate } from './platform/database/migrate.ts';
import { allMigrations } from './schemaSteps.ts';

/**
 * The steps that drop or rename tables or columns. Servers of the release before run on while servers are updated one
 * by one: add a step here only if that release neither reads nor writes what the step takes away.
 */
const TAKING = [
	'202_locked_utxos',
	'210_migration_codes',
	'220_glossary',
	'230_activation_codes',
	'240_states',
	'290_columns',
	'index_008_fenced_lease',
	'index_009_fencing_token'
];

async function columnsOf(db: Db): Promise<Set<string>> {
	const { rows } = await sql<{ name: string }>`
		select t.name || '.' || c.name as name
		from sqlite_schema as t, pragma_table_info(t.name) as c
		where t.type = 'table' and t.name not like 'sqlite_%'`.execute(db);
	return new Set(rows.map(({ name }) => name));
}

test('no step takes a table or a column away but those that are listed', async () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-steps-'));
	const db = openAsIs({ dataDir });
	const taking: string[] = [];
	try {
		let before = new Set<string>();
		for (const steps of [allMigrations, indexMigrations]) {
			for (const name of Object.keys(steps).sort()) {
				await migrate(db, { [name]: steps[name]! });
				const after = await columnsOf(db);
				if (!after.isSupersetOf(before)) taking.push(name);
				before = after;
			}
		}
	} finally {
		await db.close();
		rmSync(dataDir, { recursive: true, force: true });
	}
	expect(taking).toEqual(TAKING);
});
