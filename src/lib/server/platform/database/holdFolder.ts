/**
 * Holds a data folder with SQLite for one server. Two would do the same background work, and each would miss what the
 * other writes until it asks.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { giveToOwner } from '../disk/giveToOwner.ts';
import { makeFolder } from '../disk/makeFolder.ts';
import { AppError } from '../errors/appError.ts';
import { databaseErrorKind } from './databaseError.ts';
import { startError } from './startError.ts';

/** An empty database beside the others: commands open those while a server runs. */
const FILE = 'server.lock';
/** How long to wait for a server that is about to end. Milliseconds. */
const MOST_WAIT_MS = 10_000;
const TRY_EVERY_MS = 100;

/**
 * Waits for the folder. The lock is an SQLite lock, which the operating system releases however this process ends; Node
 * has no file locks.
 *
 * @returns a function that releases it
 * @throws {AppError} `database.in-use` when another server holds it
 */
export async function holdFolder(dataDir: string): Promise<() => void> {
	makeFolder(dataDir);
	const path = join(dataDir, FILE);
	const isNew = !existsSync(path);
	let lock: SqliteDatabase.Database | undefined;
	const end = performance.now() + MOST_WAIT_MS;
	try {
		lock = new SqliteDatabase(path, { timeout: 0 });
		if (isNew) giveToOwner(path);
		const held = lock;
		for (;;) {
			try {
				held.exec('begin exclusive');
				return () => void held.close();
			} catch (error) {
				if (databaseErrorKind(error) !== 'locked' || performance.now() > end) throw error;
			}
			await sleep(TRY_EVERY_MS);
		}
	} catch (error) {
		lock?.close();
		if (databaseErrorKind(error) === 'locked') {
			throw new AppError('database.in-use', { dataDir }, { cause: error });
		}
		throw startError(error, { dataDir }, { file: FILE, isIndex: false });
	}
}
