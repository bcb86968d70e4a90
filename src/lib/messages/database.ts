/** What is the matter with the database of this installation: what happened, what is safe, what to do next. */
import { FAILED_BEHIND } from './requests.ts';

const WHAT = {
	locked: 'The database of Komodeck is locked, so it could not be read or written now.',
	overloaded: 'The database of Komodeck has no connection or no memory left.',
	full: 'The disk of the database of Komodeck is full, so nothing more can be written.',
	gone: 'The database of Komodeck does not respond.',
	replaced: 'The database file of Komodeck was removed or replaced while Komodeck runs.',
	damaged: 'The database of Komodeck is damaged: its content cannot be read.',
	'read-only': 'The database of Komodeck accepts no changes.'
} as const;

/**
 * `locked`: another program holds it; `overloaded`: it takes nobody more; `full`: no room to write; `gone`: it does not
 * answer, or its file cannot be used; `replaced`: its file was removed or replaced while it was open; `damaged`: what it
 * holds cannot be read; `read-only`: it takes no writes.
 */
export type DatabaseErrorKind = keyof typeof WHAT;

export const DATABASE_ERROR_KINDS = Object.keys(WHAT) as DatabaseErrorKind[];

/** A moment later it may work again. */
const AGAIN = 'Try again in a few seconds.';
const BRIEF: ReadonlySet<DatabaseErrorKind> = new Set(['locked', 'overloaded', 'gone']);

const NEXT: Readonly<Record<DatabaseErrorKind, string>> = {
	locked: 'Komodeck continues as soon as the database is free.',
	overloaded:
		'If this persists, ask an admin to let the database have more connections or memory. Komodeck then continues without a restart.',
	full: 'Ask an admin to free space on that disk. Komodeck then continues without a restart.',
	gone: 'If this persists, ask an admin to check that the database runs. Komodeck then continues without a restart.',
	replaced:
		'Tell an admin: with the file put back, Komodeck continues without a restart; with another file, or without one, it must be restarted.',
	damaged: 'Tell an admin: stop Komodeck and restore the database from a backup.',
	'read-only':
		'Ask an admin to let Komodeck write to its database. Komodeck then continues without a restart.'
};

/**
 * - `nothing`: it was not processed;
 * - `page`: it only asked for a page, which may be the one behind a form that was processed;
 * - `perhaps`: something of it was done, or may have been.
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

/** Three parts for people: what happened, what is safe, what to do next. */
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

/** What a command says that the database left in its middle. */
export const databaseCommandSentence = (kind: DatabaseErrorKind): string =>
	`${WHAT[kind]} The command did not finish: check what it changed before you run it again.`;
