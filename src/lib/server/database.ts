/** The database with all its tables. */
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

/** {@link openAny} */
export const openAsIs = (options: DatabaseOptions): Db => openAny<Schema>(options);

/** {@link openWith} */
export const openDatabase = (options: DatabaseOptions): Promise<Db> =>
	openWith<Schema>(options, allMigrations);

/** {@link laterSteps} */
export const stepsOfLater = (db: Db): Promise<string[]> => laterSteps(db, allMigrations);
