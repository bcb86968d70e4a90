import type { ErrorArea } from './define.ts';

/** Settings that cannot be used. No message holds the value of a secret. */
export const config = {
	/** Several mistakes at once, each as a sentence. */
	'config.invalid': {
		status: 500,
		message: ({ problems }: { problems: readonly string[] }) => problems.join('\n')
	},
	'config.secret-file-unreadable': {
		status: 500,
		message: ({ name, file, reason }: { name: string; file: string; reason: string }) =>
			`${name}_FILE names ${file}, which cannot be read (${reason}).`
	},
	'config.secret-file-empty': {
		status: 500,
		message: ({ name, file }: { name: string; file: string }) =>
			`${name}_FILE names ${file}, which is empty.`
	},
	'config.secret-set-twice': {
		status: 500,
		message: ({ name }: { name: string }) =>
			`${name} and ${name}_FILE are both set: take one of them away.`
	},
	'config.certificate-unreadable': {
		status: 500,
		message: ({ file, id }: { file: string; id: string }) =>
			`${file}, the certificate of ${id}, cannot be read.`
	},
	'config.certificate-missing': {
		status: 500,
		message: ({ file, id }: { file: string; id: string }) =>
			`${file} holds no certificate for ${id}.`
	},
	'config.certificate-without-https': {
		status: 500,
		message: ({ file, id }: { file: string; id: string }) =>
			`${file}: ${id} names a certificate, but its address is not https.`
	},
	'config.file-not-json': {
		status: 500,
		message: ({ file }: { file: string }) => `${file} is not JSON.`
	},
	'config.file-unreadable': {
		status: 500,
		message: ({ file }: { file: string }) => `${file} cannot be read.`
	},
	/** `why`: a sentence of the account that cannot be made. */
	'config.first-account': {
		status: 500,
		message: ({ why }: { why: string }) =>
			`The first account (KOMODECK_ADMIN_USER, KOMODECK_ADMIN_PASSWORD) cannot be created: ${why}`
	},
	'config.port-of-pages': {
		status: 500,
		message: ({ kind, id, port }: { kind: 'daemon' | 'node'; id: string; port: number }) =>
			`${kind === 'daemon' ? 'The daemon' : 'The trading node'} ${id} has the port ${port}, on which the pages are: give it another one.`
	}
} satisfies ErrorArea<'config'>;
