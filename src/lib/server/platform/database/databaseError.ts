/** Recognizes errors that mean that the database is unavailable or unusable, as opposed to programming errors. */
import type { DatabaseErrorKind } from '#lib/messages/database.ts';
import { isAppError } from '../errors/appError.ts';

/**
 * SQLite result codes by prefix: extended codes such as SQLITE_BUSY_SNAPSHOT share the prefix of their base
 * code.
 */
const SQLITE: readonly (readonly [string, DatabaseErrorKind])[] = [
	['SQLITE_BUSY', 'locked'],
	['SQLITE_LOCKED', 'locked'],
	['SQLITE_FULL', 'full'],
	// The shared-memory file of the write-ahead log is on the same disk.
	['SQLITE_IOERR_SHMSIZE', 'full'],
	['SQLITE_IOERR', 'gone'],
	['SQLITE_CANTOPEN', 'gone'],
	['SQLITE_READONLY', 'read-only'],
	['SQLITE_PROTOCOL', 'gone'],
	['SQLITE_CORRUPT', 'damaged'],
	['SQLITE_NOTADB', 'damaged'],
	// A column without a value: this release writes all that it knows of, so a later one added it.
	['SQLITE_CONSTRAINT_NOTNULL', 'schema']
];

/** SQLSTATE of PostgreSQL, appendix A of its manual. */
const POSTGRES: ReadonlyMap<string, DatabaseErrorKind> = new Map([
	['55P03', 'locked'],
	['57014', 'canceled'],
	['40001', 'locked'],
	['40P01', 'locked'],
	['53000', 'overloaded'],
	['53100', 'full'],
	['53200', 'overloaded'],
	['53300', 'overloaded'],
	['53400', 'overloaded'],
	['25P03', 'gone'],
	['25P04', 'gone'],
	['57P01', 'gone'],
	['57P02', 'gone'],
	['57P03', 'gone'],
	['57P04', 'gone'],
	['57P05', 'gone'],
	['58000', 'gone'],
	['58030', 'gone'],
	// A file of the server's data folder is missing: that of a table, or the state of transactions.
	['58P01', 'damaged'],
	['3D000', 'refused'],
	['28000', 'refused'],
	['28P01', 'refused'],
	['25006', 'read-only'],
	['42501', 'denied'],
	['42P01', 'schema'],
	['42703', 'schema'],
	['23502', 'schema'],
	['XX001', 'damaged'],
	['XX002', 'damaged']
]);

/** Messages of SQLite, which has no code of its own for a missing table or column. */
const SCHEMA = /^no such (?:table|column):|^table \S+ has no column named /;

/** System error codes of a failed connection to a database server. */
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

/** Error codes that count only when the system call is `connect`: for a file they would mean something else. */
const CONNECTING = new Set([
	...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENETDOWN', 'ECONNABORTED', 'EADDRNOTAVAIL'],
	// A server that is reached by a Unix socket removes the socket when it stops.
	...['ENOENT', 'EACCES', 'EPERM']
]);

/** Messages that node-postgres gives without a code when a connection breaks or cannot be established. */
const ENDED =
	/^Connection terminated|^Client (?:has encountered a connection error|was closed)|timeout exceeded when trying to connect|^Query read timeout$|not currently accepting connections/;
/** The same for a server that is there, with which no TLS connection or no login is possible. */
const REFUSED =
	/^The server does not support SSL connections|^There was an error establishing an SSL connection|^SASL: /;
/**
 * Codes of Node for a certificate that is not accepted, or for a failed TLS handshake (manual of Node, tls,
 * X509 certificate error codes).
 */
export const TLS_CODE =
	/CERT|^CRL_|^ERR_(?:TLS|SSL)|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/;

function ofOne(error: Error): DatabaseErrorKind | null {
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	if (code === 'database.replaced') return 'replaced';
	if (code === 'database.cut-off') return 'damaged';
	const sqlite = SQLITE.find(([start]) => code.startsWith(start));
	if (sqlite) {
		return sqlite[1] === 'damaged' && 'isOfIndex' in error ? 'index-damaged' : sqlite[1];
	}
	if (code === 'SQLITE_ERROR' && SCHEMA.test(error.message)) return 'schema';
	const server = POSTGRES.get(code) ?? (code.startsWith('08') ? 'gone' : undefined);
	if (server) return server;
	// Errors of other upstreams have AppError codes, so a network code that is left here comes from the
	// database.
	if ('syscall' in error) {
		if (NETWORK.has(code)) return 'gone';
		if (error.syscall === 'connect' && CONNECTING.has(code)) return 'gone';
	}
	if (TLS_CODE.test(code) || REFUSED.test(error.message)) return 'refused';
	return ENDED.test(error.message) ? 'gone' : null;
}

/**
 * Returns the kind of database failure that an error or one of its causes reports; null when it is no such
 * failure.
 */
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

/** Ignores database errors, and rethrows all others: for what requests must not fail of. */
export function unlessDatabaseError(error: unknown): void {
	if (databaseErrorKind(error) === null) throw error;
}

/**
 * Marks an error as one of the index in its own SQLite file: who restored a backup for it would lose what was sent
 * since the backup, for a file that can be built anew.
 */
export function markOfIndex(error: unknown): void {
	if (error instanceof Error) Object.assign(error, { isOfIndex: true });
}

/** How long clients should wait before the next attempt, in seconds. */
export const RETRY_SECONDS = 5;
