import { withStatus, type ErrorArea } from './define.ts';

/** The login of a daemon cannot be read. The message names the file, never its content. */
export const credentials = {
	...withStatus(502, {
		'credentials.file-unreadable': ({ file }: { file: string }) =>
			`The file ${file} cannot be read.`,
		'credentials.cookie-empty': ({ file }: { file: string }) =>
			`The cookie file ${file} holds no login.`
	})
} satisfies ErrorArea<'credentials'>;
