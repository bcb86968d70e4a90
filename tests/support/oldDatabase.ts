import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { restoreBackup } from '#lib/server/backups.ts';
import { openAsIs, openDatabase, type Db } from '#lib/server/database.ts';
import { writeBackup } from '#lib/server/platform/backup/write.ts';
import { migrate } from '#lib/server/platform/database/migrate.ts';
import { allMigrations } from '#lib/server/schemaSteps.ts';
import { createPostgresDatabase } from './database.ts';

/**
 * Describes how the database of an earlier version is upgraded: on both kinds of databases, by a start of this
 * version and by restoring its backup.
 *
 * @param step the first step that the earlier version does not know
 * @param insertOld writes the rows of that version
 * @param tests receives a function that returns the database
 */
export function describeOldDatabase(
	step: string,
	insertOld: (db: Db) => Promise<void>,
	tests: (db: () => Db) => void
): void {
	const before = Object.fromEntries(Object.entries(allMigrations).filter(([name]) => name < step));

	describe.each(['SQLite', 'PostgreSQL'] as const)('a database with old rows on %s', (dialect) => {
		const folder = mkdtempSync(join(tmpdir(), 'komodeck-old-'));
		const key = randomBytes(32);
		const closing: (() => Promise<void>)[] = [];
		const opened: { upgraded?: Db; restored?: Db } = {};

		/** Location of an empty database. */
		async function place(name: string): Promise<{ url?: string; dataDir: string }> {
			const dataDir = mkdtempSync(join(folder, name));
			if (dialect === 'SQLite') return { dataDir };
			const made = await createPostgresDatabase();
			closing.push(() => made.drop());
			return { dataDir, ...(made.url === undefined ? {} : { url: made.url }) };
		}

		beforeAll(async () => {
			const file = join(folder, 'backup');
			const at = await place('old');
			const old = openAsIs(at);
			await migrate(old, before);
			await insertOld(old);
			await writeBackup(old, key, file);
			await old.close();
			opened.upgraded = await openDatabase(at);
			const fresh = await place('new');
			const empty = openAsIs(fresh);
			await restoreBackup(empty, [key], file);
			await empty.close();
			opened.restored = await openDatabase({ ...fresh, isRestoring: true });
		});
		afterAll(async () => {
			await opened.upgraded?.close();
			await opened.restored?.close();
			for (const close of closing) await close();
			rmSync(folder, { recursive: true });
		});

		describe.each(['upgraded', 'restored'] as const)('that was %s', (which) => {
			tests(() => opened[which]!);
		});
	});
}
