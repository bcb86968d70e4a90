/**
 * Pairs a database with a data folder. Both hold the same random mark, so that an emptied or deleted database
 * next to the folder of an existing installation is reported as a loss and never taken for a new installation.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { replaceFile } from '../disk/wholeFile.ts';
import { AppError } from '../errors/appError.ts';
import { tableNames } from './catalog.ts';
import type { Int64 } from './columns.ts';
import type { Database } from './database.ts';
import type { Migration } from './migrate.ts';

/** The mark of the installation that a database belongs to. A single row. */
export interface InstallationTable {
	id: Int64;
	mark: string;
}

export interface InstallationTables {
	installation: InstallationTable;
}

/** Schema steps of the mark. */
export const migrations: Record<string, Migration> = {
	'210_installation': {
		async up(db) {
			await db.schema
				.createTable('installation')
				.addColumn('id', 'bigint', (column) => column.primaryKey())
				.addColumn('mark', 'text', (column) => column.notNull())
				.execute();
		}
	}
};

type InstallationProblem =
	'database.missing' | 'database.none' | 'database.of-another-installation';

/** What is known of folder and database before anything is written. */
interface BothSides {
	/** The mark in the data folder; null when there is none. */
	folder: string | null;
	/** Whether the data folder has a record of audit events. */
	folderHasLog: boolean;
	/** The mark in the database; null when there is none. */
	database: string | null;
	/** Whether the database holds audit events. */
	databaseHasLog: boolean;
	/** Whether both may be new. */
	mayBeNew: boolean;
}

/** Returns why a database does not belong to its data folder; null when it does, or when both may be new. */
function installationProblem(sides: BothSides): InstallationProblem | null {
	const { folder, folderHasLog, database, databaseHasLog, mayBeNew } = sides;
	if (database !== null) {
		// A further server of the same database starts with a folder without a mark.
		return folder === null || folder === database ? null : 'database.of-another-installation';
	}
	// A database from before marks existed belongs to a folder from before; an empty database belongs to a new
	// folder.
	if (databaseHasLog) return folder === null ? null : 'database.of-another-installation';
	if (folder !== null || folderHasLog) return 'database.missing';
	return mayBeNew ? null : 'database.none';
}

const FILE = 'installation.id';
const MARK = /^[0-9a-f]{32}$/;

function readMark(dataDir: string): string | null {
	const file = join(dataDir, FILE);
	if (!existsSync(file)) return null;
	const text = readFileSync(file, 'utf8').trim();
	// An unreadable mark matches no database.
	return MARK.test(text) ? text : 'damaged';
}

/** Whether a data folder has a record of audit events. */
export type HasLog = (dataDir: string) => boolean;

const folderOf = (dataDir: string, hasLog: HasLog): Pick<BothSides, 'folder' | 'folderHasLog'> => ({
	folder: readMark(dataDir),
	folderHasLog: hasLog(dataDir)
});

/**
 * Checks the folder before SQLite would create a new, empty file.
 * @throws {AppError} `database.missing`, `database.none`, `database.of-another-installation`
 */
export function checkFolder(dataDir: string, hasLog: HasLog, mayBeNew: boolean): void {
	const nothing = { database: null, databaseHasLog: false, mayBeNew };
	const problem = installationProblem({ ...folderOf(dataDir, hasLog), ...nothing });
	if (problem !== null) throw new AppError(problem, { dataDir });
}

async function markOf(db: Database<InstallationTables>): Promise<string | null> {
	const row = await db
		.selectFrom('installation')
		.select('mark')
		.where('id', '=', 1n)
		.executeTakeFirst();
	return row?.mark ?? null;
}

/**
 * Checks whether a database, of any schema version, belongs to its data folder; only reads.
 * @throws {AppError} `database.missing`, `database.none`, `database.of-another-installation`
 */
export async function checkInstallation(
	db: Database<InstallationTables>,
	dataDir: string,
	hasLog: HasLog,
	mayBeNew: boolean
): Promise<void> {
	const tables = new Set(await tableNames(db as unknown as Kysely<unknown>, db.dialect));
	// The second is the former name of the table.
	const log = ['audit_events', 'audit'].find((name) => tables.has(name));
	const { rows: events } = log
		? await sql`select 1 from ${sql.table(log)} limit 1`.execute(db)
		: { rows: [] };
	const problem = installationProblem({
		...folderOf(dataDir, hasLog),
		database: tables.has('installation') ? await markOf(db) : null,
		databaseHasLog: events.length > 0,
		mayBeNew
	});
	if (problem !== null) throw new AppError(problem, { dataDir });
}

/**
 * Gives the database a mark unless it has one, and copies it into the folder. A folder that is paired anew also
 * takes the database's mark: a new one would make the database refuse the folders of its other servers.
 */
export async function markInstallation(
	db: Database<InstallationTables>,
	dataDir: string
): Promise<void> {
	const fresh = randomBytes(16).toString('hex');
	if ((await markOf(db)) === null) {
		await db
			.insertInto('installation')
			.values({ id: 1n, mark: fresh })
			.onConflict((conflict) => conflict.column('id').doNothing())
			.execute();
	}
	// Another server may have inserted its mark first.
	const mark = (await markOf(db)) ?? fresh;
	if (readMark(dataDir) !== mark) replaceFile(join(dataDir, FILE), `${mark}\n`);
}
