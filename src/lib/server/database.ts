/** The database with all its tables. */
import { hasRecord } from './platform/audit-trail/record.ts';
import type { Database } from './platform/database/database.ts';
import { laterSteps } from './platform/database/migrate.ts';
import {
	openAsIs as openAny,
	openDatabase as openWith,
	type DatabaseOptions
} from './platform/database/open.ts';
import type { Schema } from './schema.ts';
import { allMigrations } from './schemaSteps.ts';

export type Db = Database<Schema>;

/** Opens the database without applying schema steps. See {@link openAny}. */
export const openAsIs = (options: DatabaseOptions): Db => openAny<Schema>(options);

/** Opens the database and applies all schema steps. See {@link openWith}. */
export const openDatabase = (options: DatabaseOptions): Promise<Db> =>
	openWith<Schema>(options, allMigrations, hasRecord);

/** Returns applied schema steps of a later release. See {@link laterSteps}. */
export const stepsOfLater = (db: Db): Promise<string[]> => laterSteps(db, allMigrations);
