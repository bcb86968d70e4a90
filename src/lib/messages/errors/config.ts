import { withStatus, type ErrorArea } from './define.ts';

/** Invalid settings. Messages never contain the value of a secret. */
export const config = {
	...withStatus(500, {
		/** Several mistakes at once, one sentence each. */
		'config.invalid': ({ problems }: { problems: readonly string[] }) => problems.join('\n'),
		'config.secret-file-empty': ({ name, file }: { name: string; file: string }) =>
			`${name}_FILE names ${file}, which is empty.`,
		'config.secret-set-twice': ({ name }: { name: string }) =>
			`${name} and ${name}_FILE are both set: take one of them away.`,
		'config.certificate-unreadable': ({ file, id }: { file: string; id: string }) =>
			`${file}, the certificate of ${id}, cannot be read.`,
		'config.certificate-missing': ({ file, id }: { file: string; id: string }) =>
			`${file} holds no certificate for ${id}.`,
		'config.certificate-without-https': ({ file, id }: { file: string; id: string }) =>
			`${file}: ${id} names a certificate, but its address is not https.`,
		'config.file-not-json': ({ name, file }: { name: string; file: string }) =>
			`${name} names ${file}, which is not JSON.`,
		'config.file-unreadable': ({
			name,
			file,
			reason
		}: {
			name: string;
			file: string;
			reason: string;
		}) => `${name} names ${file}, which cannot be read (${reason}).`,
		/** `why`: a sentence about the account that cannot be created. */
		'config.first-account': ({ why }: { why: string }) =>
			`The first account (KOMODECK_ADMIN_USER, KOMODECK_ADMIN_PASSWORD) cannot be created: ${why}`,
		'config.port-of-pages': ({
			kind,
			id,
			port
		}: {
			kind: 'daemon' | 'node';
			id: string;
			port: number;
		}) =>
			`${kind === 'daemon' ? 'The daemon' : 'The trading node'} ${id} has the port ${port}, on which the pages are: give it another one.`
	})
} satisfies ErrorArea<'config'>;
