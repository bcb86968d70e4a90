import { withStatus, type ErrorArea } from './define.ts';

const BEGIN = 'npm run komodeck -- installation begin';

const NEXT = {
	locked: 'is held by something else; end that program, then start again',
	canceled: 'canceled a query; raise statement_timeout for this user, then start again',
	overloaded:
		'has no connection or no memory left; end what else uses it or raise its limits, then start again',
	full: 'has no room left on its disk; make room, then start again',
	gone: 'cannot be reached; look whether it runs and may be read and written, then start again',
	'no-database': 'is not there; create it or correct its name, then start again',
	login: 'refuses this user or this password; correct them, then start again',
	tls: 'and this server find no TLS connection that both take; look at sslmode and the certificates that the address names, then start again',
	unopened:
		'cannot be opened; look whether it and its folder may be read and written, then start again',
	replaced: 'was removed or replaced meanwhile; put the right one back, then start again',
	damaged:
		'is damaged; move it away and run "npm run komodeck -- restore FILE" with the last backup',
	'read-only': 'cannot be written; let this user write to it, then start again',
	denied: 'denies this user a right; let it read, write and create tables, then start again',
	'server-read-only':
		'accepts no changes: its server is a standby, or the database is set to read-only; name the primary or let it take changes, then start again',
	/** The index can be rebuilt from the daemons, so no backup is needed. */
	'index-damaged': 'is damaged; remove it, then start again: it is built anew from the daemons'
} as const;

const STANDBY = {
	'no-standby': 'is not a standby',
	'other-database': 'is a standby of another installation',
	behind: 'is too far behind',
	ahead: 'has writes that the primary does not have: it still follows a former primary'
} as const;

/** The database: its file, its schema, and its installation. */
export const database = {
	...withStatus(503, {
		'database.replaced': ({ file }: { file: string }) =>
			`${file} is not the file that was opened: it was removed, or another is in its place.`,
		'database.cut-off': ({ file }: { file: string }) =>
			`${file} was cut off: it is shorter than it was.`,
		/** Appears only in the log, because the primary is read instead. */
		'database.standby-unused': ({ why }: { why: keyof typeof STANDBY }) =>
			`The server of DATABASE_READ_URL ${STANDBY[why]}.`
	}),
	...withStatus(500, {
		'database.step-failed': ({ step }: { step: string }) =>
			`The database schema step ${step} failed.`,
		/** Cannot be opened at start. The URL is not repeated, because it may contain a password. */
		'database.unusable': ({ file, why }: { file: string | null; why: keyof typeof NEXT }) =>
			`${file === null ? 'The PostgreSQL database (DATABASE_URL)' : `The file ${file}`} ${NEXT[why]}. Nothing was changed.`,
		'database.in-use': ({ dataDir }: { dataDir: string }) =>
			`Another server runs over the data folder ${dataDir}, so this one was not started. End that one, or name another folder in KOMODECK_DATA; several servers need a PostgreSQL database (DATABASE_URL).`,
		/** `index`: the file of the index, when only that was changed; it can be rebuilt from the daemons. */
		'database.newer': ({ step, index }: { step: string; index: string | null }) =>
			index === null
				? `A later release has changed the database (schema step ${step}), and this server would lose what that release stores, so it was not started. Start that release or a later one. To go back, restore the last backup from before the update into an empty database, with the release that made it.`
				: `A later release has changed the index (schema step ${step}), so this server was not started. Start that release or a later one. To go back, remove ${index}, ${index}-wal and ${index}-shm: the index is built anew from the daemons.`,
		'database.restore-unfinished': () =>
			`The restore of a backup into this database was broken off: its API tokens, accounts and transfers are not closed yet, so nothing was started or changed. Empty the database (for SQLite, move komodeck.sqlite and the files komodeck.sqlite-wal and komodeck.sqlite-shm away), then run "npm run komodeck -- restore FILE" again.`,
		'database.missing': ({ dataDir }: { dataDir: string }) =>
			`The database of this installation is missing or empty although the data folder ${dataDir} belongs to one, so nothing was started or changed. Put the database back or run "npm run komodeck -- restore FILE" with a backup; to discard what the database held and start anew, run "${BEGIN}".`,
		'database.none': ({ dataDir }: { dataDir: string }) =>
			`There is no installation of Komodeck in the data folder ${dataDir} and its database. Nothing was done. Set KOMODECK_DATA and DATABASE_URL as the server has them.`,
		'database.of-another-installation': ({ dataDir }: { dataDir: string }) =>
			`The database does not belong to the data folder ${dataDir}, so nothing was started or changed. Set KOMODECK_DATA and DATABASE_URL to the folder and the database of one installation; to go on with this folder and this database together, run "${BEGIN}".`
	})
} satisfies ErrorArea<'database'>;
