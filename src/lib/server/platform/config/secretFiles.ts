/** Secret settings may be given as files instead of environment variables, as container platforms mount them. */
import { AppError } from '../errors/appError.ts';
import type { KeySource } from '../secrets/secretKey.ts';
import { readNamed } from './namedFile.ts';

/** Each may be given as NAME, or as NAME_FILE with the path of a file that contains the value. */
export const SECRET_SETTINGS = [
	'DATABASE_URL',
	'DATABASE_READ_URL',
	'KOMODECK_ADMIN_PASSWORD',
	'KOMODECK_SECRET_KEY',
	'KOMODECK_SECRET_KEY_PREVIOUS',
	'KOMODECK_SIGN_ON_CLIENT_SECRET',
	'KOMODECK_SMTP_PASSWORD',
	'KOMODECK_AUDIT_EXPORT_TOKEN'
] as const;

function readSecret(name: string, file: string): string {
	const text = readNamed(`${name}_FILE`, file).replace(/\r?\n$/, '');
	if (text === '') throw new AppError('config.secret-file-empty', { name, file });
	return text;
}

/**
 * Returns the environment with the secrets from files filled in.
 * @throws {AppError} `config` when a file cannot be read, or a secret is given both ways
 */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const read: NodeJS.ProcessEnv = {};
	for (const name of SECRET_SETTINGS) {
		const file = env[`${name}_FILE`];
		if (!file) continue;
		if (env[name]) {
			throw new AppError('config.secret-set-twice', { name });
		}
		read[name] = readSecret(name, file);
	}
	return { ...env, ...read };
}

/** Returns the configured secret keys. @throws {AppError} `config` */
export function keySettings(env: NodeJS.ProcessEnv): Omit<KeySource, 'dataDir'> {
	const values = withSecretFiles(env);
	return {
		secretKey: values['KOMODECK_SECRET_KEY'],
		previousKey: values['KOMODECK_SECRET_KEY_PREVIOUS']
	};
}
