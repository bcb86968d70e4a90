import type { ErrorArea } from './define.ts';

/** The audit log, and what is kept of it outside of the database. */
export const audit = {
	/** No checkpoint is added behind a line that says nothing. */
	'audit.copy-unreadable': {
		status: 500,
		message: ({ file }: { file: string }) => `The last line of ${file} cannot be read.`
	}
} satisfies ErrorArea<'audit'>;
