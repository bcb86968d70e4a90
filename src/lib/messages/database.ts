/** What is the matter with the database of this installation: what happened, what is safe, what to do next. */

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

const NEXT: Readonly<Record<DatabaseErrorKind, string>> = {
	locked: 'Try again in a few seconds. Komodeck continues as soon as the database is free.',
	overloaded:
		'Try again in a few seconds. If this persists, ask an admin to let the database have more connections or memory. Komodeck then continues without a restart.',
	full: 'Ask an admin to free space on that disk. Komodeck then continues without a restart.',
	gone: 'Try again in a few seconds. If this persists, ask an admin to check that the database runs. Komodeck then continues without a restart.',
	replaced:
		'Tell an admin: with the file put back, Komodeck continues without a restart; with another file, or without one, it must be restarted.',
	damaged: 'Tell an admin: stop Komodeck and restore the database from a backup.',
	'read-only':
		'Ask an admin to let Komodeck write to its database. Komodeck then continues without a restart.'
};

const SAFE =
	'Nothing is half-written: the request was not processed. If a transaction was already broadcast, its page will show the outcome. Nothing is sent twice.';

const LOST =
	'Nothing has been read or written since: the request was not processed, so nothing is lost.';

/** Three parts for people: what happened, what is safe, what to do next. */
interface DatabaseErrorMessage {
	what: string;
	safe: string;
	next: string;
}

export function databaseErrorMessage(kind: DatabaseErrorKind): DatabaseErrorMessage {
	return { what: WHAT[kind], safe: kind === 'replaced' ? LOST : SAFE, next: NEXT[kind] };
}

export const databaseErrorSentence = (kind: DatabaseErrorKind): string => {
	const { what, safe, next } = databaseErrorMessage(kind);
	return `${what} ${safe} ${next}`;
};
