import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { columnNames, tableNames } from '../database/catalog.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseDialect } from '../database/dialect.ts';
import { isMainStep } from '../database/migrate.ts';
import { onFile } from '../disk/onFile.ts';
import { syncFolder } from '../disk/syncFolder.ts';
import { AppError } from '../errors/appError.ts';
import { plainJson } from '../logging/redact.ts';
import { cellOf, FORMAT, lineMac, type Head } from './format.ts';
import { isKept } from './tables.ts';

interface Written {
	tables: number;
	rows: number;
	bytes: number;
}

const CHUNK = 1000;
const CURSOR = 'archive_rows';

/**
 * Yields the rows of a table in chunks from one snapshot; PostgreSQL orders by the first column, SQLite by
 * rowid.
 */
async function* chunksOf(
	db: Kysely<unknown>,
	dialect: DatabaseDialect,
	table: string
): AsyncGenerator<Record<string, unknown>[]> {
	if (dialect === 'postgres') {
		const named = sql.ref(CURSOR);
		await sql`declare ${named} no scroll cursor for
			select * from ${sql.table(table)} order by 1`.execute(db);
		for (;;) {
			const fetch = sql<Record<string, unknown>>`fetch ${sql.lit(CHUNK)} from ${named}`;
			const { rows } = await fetch.execute(db);
			if (rows.length > 0) yield rows;
			if (rows.length < CHUNK) break;
		}
		await sql`close ${named}`.execute(db);
		return;
	}
	let after = -1n;
	for (;;) {
		const { rows } = await sql<Record<string, unknown> & { archive_rowid: bigint }>`
			select rowid as archive_rowid, * from ${sql.table(table)}
			where rowid > ${after} order by rowid limit ${CHUNK}`.execute(db);
		if (rows.length > 0) yield rows;
		if (rows.length < CHUNK) return;
		after = rows.at(-1)!.archive_rowid;
	}
}

/** Runs a reader in one snapshot that does not block writers. */
function inSnapshot<Tables, T>(
	db: Database<Tables>,
	read: (snapshot: Kysely<unknown>) => Promise<T>
): Promise<T> {
	return (db as unknown as Kysely<unknown>).connection().execute(async (connection) => {
		const begin =
			db.dialect === 'postgres'
				? 'begin transaction isolation level repeatable read read only'
				: 'begin deferred';
		await sql.raw(begin).execute(connection);
		try {
			return await read(connection);
		} finally {
			await sql`rollback`.execute(connection);
		}
	});
}

/** @throws {AppError} when there is such a file */
function openNew(file: string, code: 'backup.file-exists' | 'backup.unfinished'): number {
	try {
		return openSync(file, 'wx', 0o600);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
		throw new AppError(code, { file }, { cause });
	}
}

/**
 * Writes a consistent copy of all data that cannot be rebuilt from the chains, readable by its owner only. The
 * file does not contain the secret key; values encrypted under it stay encrypted.
 *
 * @param key the backup key, derived from the secret key
 * @param record records the backup in the audit log, once the file can be written and before anything is read
 * @throws {AppError} `backup.file-exists`; `backup.unfinished` for the remainder of a backup that was killed
 */
export async function writeBackup<Tables>(
	db: Database<Tables>,
	key: Uint8Array,
	file: string,
	record?: () => Promise<void>
): Promise<Written> {
	const fresh = `${file}.part`;
	closeSync(openNew(file, 'backup.file-exists'));
	rmSync(file);
	const handle = openNew(fresh, 'backup.unfinished');
	const mac = lineMac(key);
	let bytes = 0;
	/** `writeFileSync` loops: a single `write` may be partial when the disk is nearly full. */
	const write = (line: string): void => {
		onFile(fresh, () => writeFileSync(handle, line));
		bytes += Buffer.byteLength(line);
	};
	const put = (value: unknown): void => {
		// Line readers accept more characters as line ends than JSON escapes, so those are escaped too.
		const line = `${plainJson(JSON.stringify(value))}\n`;
		mac.update(line);
		write(line);
	};
	try {
		await record?.();
		const counted = await inSnapshot(db, async (snapshot) => {
			const { rows: taken } = await sql<{ name: string }>`select name from schema_migrations
				order by name`.execute(snapshot);
			// Steps of a later release are kept: the rows have its columns, so a release without these steps
			// must refuse them.
			const schema = taken.map(({ name }) => name).filter(isMainStep);
			const madeAt = new Date().toISOString();
			put({ komodeck: 'backup', format: FORMAT, madeAt, schema } satisfies Head);
			const tables = (await tableNames(snapshot, db.dialect)).filter(isKept);
			let rows = 0;
			for (const table of tables) {
				const columns = await columnNames(snapshot, db.dialect, table);
				put({ table, columns });
				for await (const chunk of chunksOf(snapshot, db.dialect, table)) {
					for (const row of chunk) put(columns.map((column) => cellOf(row[column])));
					rows += chunk.length;
				}
			}
			return { tables: tables.length, rows };
		});
		write(`${JSON.stringify({ rows: counted.rows, mac: mac.digest('hex') })}\n`);
		onFile(fresh, () => fsyncSync(handle));
		closeSync(handle);
		// A file that was created there in the meantime belongs to another process: refuse to replace it.
		closeSync(openNew(file, 'backup.file-exists'));
		renameSync(fresh, file);
		syncFolder(dirname(file));
		return { ...counted, bytes };
	} catch (error) {
		rmSync(fresh, { force: true });
		throw error;
	}
}
