/** Why a database cannot be opened, in a sentence: whoever starts the server or a command needs no stack. */
import { join } from 'node:path';
import { databaseTrouble, type DatabaseTrouble } from './trouble.ts';

/** The database cannot be used from the start; the cause is kept. */
class DatabaseStartError extends Error {
	override readonly name = 'DatabaseStartError';
	readonly code = 'database-start';
}

/** Where a database is, for people; an address may hold a password, so it is not repeated. */
interface Place {
	url?: string | undefined;
	dataDir: string;
}

const NEXT: Readonly<Record<DatabaseTrouble, string>> = {
	locked: 'is held by something else; end that program, then start again',
	full: 'has no room left on its disk; make room, then start again',
	gone: 'cannot be reached; look whether it runs and may be read and written, then start again',
	replaced: 'was removed or replaced meanwhile; put the right one back, then start again',
	damaged:
		'is damaged; move it away and run "npm run komodeck -- restore FILE" with the last backup',
	'read-only': 'cannot be written; let this user write to it, then start again'
};
/** The index of the chains is built anew from the daemons, so no backup is needed. */
const INDEX_DAMAGED = 'is damaged; remove it, then start again: it is built anew from the daemons';

/**
 * What is thrown instead of an error of a database that cannot be opened.
 *
 * @param file name of the SQLite file in the data folder
 * @param isIndex whether it can be built again from the chains
 */
export function startError(
	error: unknown,
	{ url, dataDir }: Place,
	{ file, isIndex }: { file: string; isIndex: boolean }
): unknown {
	const trouble = databaseTrouble(error);
	if (trouble === null) return error;
	const what = url ? 'The PostgreSQL database (DATABASE_URL)' : `The file ${join(dataDir, file)}`;
	const next = isIndex && trouble === 'damaged' && !url ? INDEX_DAMAGED : NEXT[trouble];
	return new DatabaseStartError(`${what} ${next}. Nothing was changed.`, { cause: error });
}
