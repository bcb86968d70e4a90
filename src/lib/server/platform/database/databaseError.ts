/** The database cannot do its work now, and may again in a moment: told apart from mistakes of ours. */
import { isAppError } from '../errors/appError.ts';

/**
 * `locked`: somebody else holds it; `full`: no room to write; `gone`: it does not answer, or its file cannot be
 * used; `replaced`: its file was removed or replaced while it was open; `damaged`: what it holds cannot be read;
 * `read-only`: it takes no writes.
 */
export type DatabaseErrorKind = 'locked' | 'full' | 'gone' | 'replaced' | 'damaged' | 'read-only';

/** Result codes of SQLite by their beginning: extended codes such as SQLITE_BUSY_SNAPSHOT begin alike. */
const SQLITE: readonly (readonly [string, DatabaseErrorKind])[] = [
	['SQLITE_BUSY', 'locked'],
	['SQLITE_LOCKED', 'locked'],
	['SQLITE_FULL', 'full'],
	['SQLITE_IOERR', 'gone'],
	['SQLITE_CANTOPEN', 'gone'],
	['SQLITE_READONLY', 'read-only'],
	['SQLITE_PROTOCOL', 'gone'],
	['SQLITE_CORRUPT', 'damaged'],
	['SQLITE_NOTADB', 'damaged']
];

/** SQLSTATE of PostgreSQL, appendix A of its manual. */
const POSTGRES: ReadonlyMap<string, DatabaseErrorKind> = new Map([
	['55P03', 'locked'],
	['57014', 'locked'],
	['40P01', 'locked'],
	['53100', 'full'],
	['53200', 'full'],
	['53300', 'locked'],
	['57P01', 'gone'],
	['57P02', 'gone'],
	['57P03', 'gone'],
	['57P05', 'gone'],
	['3D000', 'gone'],
	['28000', 'gone'],
	['28P01', 'gone'],
	['25006', 'read-only'],
	['42501', 'read-only'],
	['XX001', 'damaged'],
	['XX002', 'damaged']
]);

/** Names of failed system calls under a connection to a database server. */
const NETWORK = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'EPIPE',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EAI_AGAIN'
]);

/** What node-postgres says without a code when a connection ends under it. */
const ENDED =
	/^Connection terminated|^Client (?:has encountered a connection error|was closed)|timeout exceeded when trying to connect|not currently accepting connections/;

function ofOne(error: Error): DatabaseErrorKind | null {
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	if (code === 'database.replaced') return 'replaced';
	if (code === 'database.cut-off') return 'damaged';
	const sqlite = SQLITE.find(([start]) => code.startsWith(start));
	if (sqlite) return sqlite[1];
	const server = POSTGRES.get(code) ?? (code.startsWith('08') ? 'gone' : undefined);
	if (server) return server;
	// What does not answer out there has codes of its own; what is left with such a code is the database's.
	if ('syscall' in error && NETWORK.has(code)) return 'gone';
	return ENDED.test(error.message) ? 'gone' : null;
}

/** What is the matter with the database, when that is what an error or its cause says; else null. */
export function databaseErrorKind(error: unknown, depth = 0): DatabaseErrorKind | null {
	if (!(error instanceof Error) || depth > 5) return null;
	if (isAppError(error, 'daemon', 'kdf', 'transport', 'egress')) return null;
	const own = ofOne(error);
	if (own !== null) return own;
	if (error instanceof AggregateError) {
		for (const each of error.errors) {
			const found = databaseErrorKind(each, depth + 1);
			if (found !== null) return found;
		}
	}
	return databaseErrorKind(error.cause, depth + 1);
}

/** Three sentences for people: what happened, what is safe, what to do next. */
interface DatabaseErrorMessage {
	what: string;
	safe: string;
	next: string;
}

const WHAT: Readonly<Record<DatabaseErrorKind, string>> = {
	locked:
		'Something else holds the database of this console, so it could not be read or written now.',
	full: 'The disk of the database of this console is full, so nothing more can be written.',
	gone: 'The database of this console does not answer.',
	replaced:
		'The file of the database of this console was removed, or another was put in its place, while this console runs.',
	damaged: 'The database of this console is damaged: what it holds cannot be read.',
	'read-only': 'The database of this console takes no changes.'
};
const NEXT: Readonly<Record<DatabaseErrorKind, string>> = {
	locked: 'Try again in a few seconds; this mends itself as soon as the database is free.',
	full: 'Tell an admin to make room on that disk; after that it goes on by itself.',
	gone: 'Try again in a few seconds. If it stays so, tell an admin to look whether the database runs; after that this goes on by itself.',
	replaced:
		'Tell an admin: with the file put back this goes on by itself; to go on with another file, or without it, this console has to be started again.',
	damaged:
		'Tell an admin: the database has to be restored from a backup, with this console stopped.',
	'read-only':
		'Tell an admin to let this console write to its database; after that this goes on by itself.'
};
const SAFE =
	'Nothing is half-written: what you asked for was not done, or, where a transaction was already on its way to a chain, its page will show what became of it. Nothing is sent twice.';

const LOST =
	'Since that was noticed nothing is read or written: what you asked for was not done, so that nothing is written that would be lost.';

/** How long to wait before the next attempt, in seconds. */
export const RETRY_SECONDS = 5;

export function databaseErrorMessage(kind: DatabaseErrorKind): DatabaseErrorMessage {
	return { what: WHAT[kind], safe: kind === 'replaced' ? LOST : SAFE, next: NEXT[kind] };
}

export const databaseErrorSentence = (kind: DatabaseErrorKind): string => {
	const { what, safe, next } = databaseErrorMessage(kind);
	return `${what} ${safe} ${next}`;
};
