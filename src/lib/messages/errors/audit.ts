import type { ErrorArea } from './define.ts';

/** The audit log, and its records outside of the database. */
export const audit = {
	/** No checkpoint is appended after a line that cannot be parsed. */
	'audit.copy-unreadable': {
		status: 500,
		message: ({ file }: { file: string }) => `The last line of ${file} cannot be read.`
	}
} satisfies ErrorArea<'audit'>;
