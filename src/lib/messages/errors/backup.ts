import { databaseErrorMessage, type DatabaseErrorKind } from '../database.ts';
import { withStatus, type ErrorArea } from './define.ts';

const DAMAGED = {
	end: 'its end is missing',
	rows: 'rows are missing',
	row: 'a row does not fit its table',
	value: 'it holds a value of an unknown kind'
} as const;

/** A backup that cannot be made or restored. */
export const backup = {
	...withStatus(409, {
		'backup.file-exists': ({ file }: { file: string }) =>
			`There is a file ${file} already; name another one.`,
		/** @param file the unfinished backup */
		'backup.unfinished': ({ file }: { file: string }) =>
			`There is an unfinished backup ${file}: another command is writing it, or one was ended before its end. If none runs, remove this file and run the same command again.`,
		'backup.server-running': ({ pid, address }: { pid: string; address: string | null }) =>
			`A server runs over this database, or a connection of one is left${address === null ? '' : `, from ${address}`}. Stop all its servers, then restore. The connection of a machine that is gone ends by itself within a minute, or with "select pg_terminate_backend(${pid})". Nothing was restored.`,
		/** Only for failures after which the transaction is known to be rolled back. */
		'backup.database-failed': ({ kind }: { kind: DatabaseErrorKind }) =>
			`${databaseErrorMessage(kind).what} Nothing was restored: once that is mended, run the same command again.`,
		'backup.database-not-empty': () =>
			'There is data in this database already. Name an empty data folder (KOMODECK_DATA) or an empty database (DATABASE_URL). Nothing was restored.'
	}),
	...withStatus(400, {
		'backup.not-a-backup': () => 'This is no backup of Komodeck. Nothing was restored.',
		'backup.empty': () => 'The file is empty.',
		'backup.newer': () =>
			'The backup was made by a newer Komodeck. Restore it with that one. Nothing was restored.',
		'backup.newer-tables': ({ step }: { step: string }) =>
			`The backup has tables of a newer Komodeck (${step}). Restore it with that one. Nothing was restored.`,
		'backup.without-accounts': () =>
			'The backup lacks the tables of accounts. Nothing was restored.',
		'backup.damaged': ({ what }: { what: keyof typeof DAMAGED }) =>
			`The backup is damaged: ${DAMAGED[what]}. Nothing was restored.`,
		'backup.unknown-table': ({ table }: { table: string }) =>
			`The backup is damaged: there is no table ${table}. Nothing was restored.`,
		'backup.mac-wrong': () =>
			'The backup was changed, or made under another key: KOMODECK_SECRET_KEY, or secret.key of the data folder, has to be the one that it was made with; an earlier one can be named in KOMODECK_SECRET_KEY_PREVIOUS. Nothing was restored.'
	})
} satisfies ErrorArea<'backup'>;
