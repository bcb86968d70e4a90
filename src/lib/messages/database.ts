/** Texts for database failures: what happened, what is safe, what to do next. */
import { FAILED_BEHIND } from './requests.ts';

const WHAT = {
	locked: 'The database of Komodeck is locked, so it could not be read or written now.',
	canceled:
		'The database of Komodeck canceled a query: it took longer than the database allows, or an operator ended it.',
	overloaded: 'The database of Komodeck has no connection or no memory left.',
	full: 'The disk of the database of Komodeck is full, so nothing more can be written.',
	gone: 'The database of Komodeck does not respond.',
	refused: 'The database of Komodeck refuses the connection, or its certificate is not accepted.',
	replaced: 'The database file of Komodeck was removed or replaced while Komodeck runs.',
	damaged: 'The database of Komodeck is damaged: its content cannot be read.',
	'index-damaged': 'The index of Komodeck is damaged: its content cannot be read.',
	'read-only': 'The database of Komodeck accepts no changes.',
	denied:
		'The database of Komodeck denies its user a right to read or change what Komodeck keeps there.',
	schema: 'The database of Komodeck has other tables or columns than this server needs.'
} as const;

/**
 * `locked`: another program holds a lock; `canceled`: a query was ended by `statement_timeout` or by hand;
 * `overloaded`: no free connections; `full`: no disk space; `gone`: it does not respond, or its file cannot be
 * used; `refused`: the login, the database name or a certificate is rejected; `replaced`: its file was removed
 * or replaced while open; `damaged`: its content cannot be read; `index-damaged`: that of the index, in a file of its
 * own, which is built anew from the daemons; `read-only`: it accepts no writes; `denied`: its
 * user lacks a right to a table; `schema`: a table or a column is missing, or another is required, because another
 * release changed the database, or because it was emptied.
 */
export type DatabaseErrorKind = keyof typeof WHAT;

export const DATABASE_ERROR_KINDS = Object.keys(WHAT) as DatabaseErrorKind[];

/** Why the server is not ready, for probes of load balancers. */
export const databaseUnready = {
	locked: 'the database is held by something else',
	canceled: 'the database cancels queries',
	overloaded: 'the database has no connection or memory left',
	full: 'the disk of the database is full',
	gone: 'the database does not answer',
	refused: 'the database refuses the connection',
	replaced: 'the file of the database was removed or replaced',
	damaged: 'the database is damaged',
	'index-damaged': 'the index is damaged',
	'read-only': 'the database takes no changes',
	denied: 'the database denies its user a right',
	schema: 'the database lacks a table or a column of this release'
} as const satisfies Readonly<Record<DatabaseErrorKind, string>>;

/** For operators, while a schema step waits. */
export const stepWaits = (step: string): string =>
	`The database schema step ${step} waits for a table that another program uses, for example a backup that is being made. It is tried again every few seconds, and running servers continue.`;

/** For failures that may resolve themselves in a moment. */
const AGAIN = 'Try again in a few seconds.';
const BRIEF: ReadonlySet<DatabaseErrorKind> = new Set<DatabaseErrorKind>([
	'locked',
	'canceled',
	'overloaded',
	'gone'
]);

const NEXT: Readonly<Record<DatabaseErrorKind, string>> = {
	locked: 'Komodeck continues as soon as the database is free.',
	canceled:
		'If this persists, ask an admin to raise statement_timeout for the user of Komodeck, or to relieve the database. Komodeck then continues without a restart.',
	overloaded:
		'If this persists, ask an admin to let the database have more connections or memory. Komodeck then continues without a restart.',
	full: 'Ask an admin to free space on that disk. Komodeck then continues without a restart.',
	gone: 'If this persists, ask an admin to check that the database runs. Komodeck then continues without a restart.',
	refused:
		'Ask an admin to check the login, the database name and the certificates of DATABASE_URL; the log of Komodeck names the reason. Once the database accepts them again, Komodeck continues without a restart.',
	replaced:
		'Tell an admin: with the file put back, Komodeck continues without a restart; with another file, or without one, it must be restarted.',
	damaged: 'Tell an admin: stop Komodeck and restore the database from a backup.',
	'index-damaged':
		'Tell an admin: stop Komodeck, remove index.sqlite, index.sqlite-wal and index.sqlite-shm from its data folder, and start it again. The index is built anew from the daemons, and no backup is needed.',
	'read-only':
		'Ask an admin to let Komodeck write to its database. Komodeck then continues without a restart.',
	denied:
		'Ask an admin to give the user of DATABASE_URL its rights to all tables back; the log of Komodeck names the table. Komodeck then continues without a restart.',
	schema:
		'Tell an admin: if another release of Komodeck has changed the database, start that release here too; if the database was emptied, stop Komodeck and restore a backup.'
};

/**
 * - `nothing`: the request was not processed;
 * - `page`: it only requested a page, possibly after a form was processed;
 * - `perhaps`: it was processed in part, or may have been.
 */
export type RequestOutcome = 'nothing' | 'page' | 'perhaps';

const SAFE: Readonly<Record<RequestOutcome, string>> = {
	nothing:
		'Nothing is half-written: the request was not processed. If a transaction was already broadcast, its page will show the outcome. Nothing is sent twice.',
	page: 'Only this page could not be shown, and opening it changes nothing. If you sent a form just before, it may have been processed: do not send it again before you have checked.',
	perhaps: FAILED_BEHIND.safe
};

const LOST =
	'Nothing has been read or written since: the request was not processed, so nothing is lost.';

/** A failure in three parts: what happened, what is safe, what to do next. */
interface DatabaseErrorMessage {
	what: string;
	safe: string;
	next: string;
}

export function databaseErrorMessage(
	kind: DatabaseErrorKind,
	outcome: RequestOutcome = 'nothing'
): DatabaseErrorMessage {
	const lead = outcome === 'perhaps' ? [FAILED_BEHIND.next] : BRIEF.has(kind) ? [AGAIN] : [];
	return {
		what: WHAT[kind],
		safe: kind === 'replaced' && outcome === 'nothing' ? LOST : SAFE[outcome],
		next: [...lead, NEXT[kind]].join(' ')
	};
}

export const databaseErrorSentence = (kind: DatabaseErrorKind): string => {
	const { what, safe, next } = databaseErrorMessage(kind);
	return `${what} ${safe} ${next}`;
};

/** Message of a command that a database failure interrupted. */
export const databaseCommandSentence = (kind: DatabaseErrorKind): string =>
	`${WHAT[kind]} The command did not finish: check what it changed before you run it again.`;
