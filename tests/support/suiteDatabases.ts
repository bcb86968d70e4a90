/**
 * Resources that the suites of a test run share: a PostgreSQL server, and databases to copy. Vitest calls the
 * default export before the workers start (`globalSetup`); suites read it with `inject('postgresUrl')`.
 *
 * KOMODECK_TEST_POSTGRES names a server to use instead: its user must be allowed to create databases.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openAsIs } from '#lib/server/database.ts';
import { migrate } from '#lib/server/platform/database/migrate.ts';
import { allMigrations } from '#lib/server/schemaSteps.ts';
import { newDatabase, startServer } from './postgres.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		postgresUrl: string;
		/** Databases with all tables and no rows, for suites to copy, because the schema steps take a while. */
		empty: { postgres: string; sqlite: string };
	}
}

/** Creates the databases that suites copy. */
async function makeEmpty(
	url: string,
	folder: string
): Promise<{ postgres: string; sqlite: string }> {
	const postgres = `empty_${randomBytes(8).toString('hex')}`;
	const address = await newDatabase(url, postgres);
	for (const options of [{ url: address, dataDir: folder }, { dataDir: folder }]) {
		const db = openAsIs(options);
		await migrate(db as unknown as Parameters<typeof migrate>[0], allMigrations);
		await db.close();
	}
	return { postgres, sqlite: join(folder, 'komodeck.sqlite') };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const given = process.env['KOMODECK_TEST_POSTGRES'];
	const server = given ? { url: given, stop: async () => undefined } : await startServer();
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-empty-'));
	project.provide('postgresUrl', server.url);
	project.provide('empty', await makeEmpty(server.url, folder));
	return async () => {
		await server.stop();
		rmSync(folder, { recursive: true, force: true });
	};
}
