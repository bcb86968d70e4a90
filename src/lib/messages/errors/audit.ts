import type { ErrorArea } from './define.ts';

/** The audit log, and its records outside of the database. */
export const audit = {
	/** What cannot be parsed may be evidence, so nothing is written after it or in its place. */
	'audit.copy-unreadable': {
		status: 500,
		message: ({ file }: { file: string }) =>
			`The last line of ${file} cannot be read, so the copy of the audit log outside of the database does not go on. Find out who changed the file, and check the log with "npm run komodeck -- audit verify"; then move the file away.`
	}
} satisfies ErrorArea<'audit'>;
