import { withStatus, type ErrorArea } from './define.ts';

/** The secret key of this installation, or a value encrypted under it, is unusable. */
export const secret = {
	...withStatus(500, {
		'secret.key-weak': ({ least }: { least: number }) =>
			`KOMODECK_SECRET_KEY is too weak: it needs at least ${least} characters, drawn at random, as "openssl rand -hex 32" prints them.`,
		'secret.key-missing': ({ dataDir }: { dataDir: string }) =>
			`The key of this database is missing: put its secret.key into ${dataDir}, or set KOMODECK_SECRET_KEY to the text that it had. Nothing was changed.`,
		'secret.key-damaged': ({ file }: { file: string }) =>
			`The key file ${file} is damaged: it should hold 64 hexadecimal digits.`,
		'secret.key-of-another': () =>
			'This database was written under another key. Put its secret.key into the data folder, or set KOMODECK_SECRET_KEY to the text that it had; to change the key, set KOMODECK_SECRET_KEY_PREVIOUS to the earlier one. Nothing was changed.',
		/** Another process changed the key of the audit log. */
		'secret.key-changed': () =>
			'The secret key was changed while this process was running, so nothing was written. Start it again with the new key.',
		'secret.undecryptable': () =>
			'Something that was encrypted in the database cannot be read: it was changed, or the key is another one.'
	})
} satisfies ErrorArea<'secret'>;
