import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DataFolderError } from './store.ts';

/** How long to wait for a process that is about to end, because its parent was killed. Milliseconds. */
const MOST_WAIT_MS = 10_000;

/**
 * Holds a folder for one network: two would overwrite each other's chains. The lock is an SQLite lock, which the
 * operating system releases however this process ends.
 *
 * @returns a function that releases it
 * @throws {DataFolderError} when another network holds it
 */
export function holdFolder(dir: string): () => void {
	mkdirSync(dir, { recursive: true, mode: 0o700 });
	const file = join(dir, 'lock');
	// Opened first without SQLite, which would not report why it cannot be opened.
	closeSync(openSync(file, 'a'));
	const lock = new Database(file, { timeout: MOST_WAIT_MS });
	try {
		lock.exec('begin exclusive');
	} catch (cause) {
		lock.close();
		if (!(cause instanceof Database.SqliteError && cause.code === 'SQLITE_BUSY')) throw cause;
		throw new DataFolderError(
			'in-use',
			`${dir} is used by another devnet, which still runs: end it, or name another folder`,
			{
				cause
			}
		);
	}
	return () => void lock.close();
}
