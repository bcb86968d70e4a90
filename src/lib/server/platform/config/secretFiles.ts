/** Settings that are secrets may stand in files instead of the environment, as container platforms mount them. */
import { readFileSync } from 'node:fs';
import type { KeySource } from '../secrets/secretKey.ts';
import { ConfigError } from './error.ts';

/** Each may be given as NAME, or as NAME_FILE with the path of a file that holds it. */
export const SECRET_SETTINGS = [
	'DATABASE_URL',
	'KOMODECK_ADMIN_PASSWORD',
	'KOMODECK_SECRET_KEY',
	'KOMODECK_SECRET_KEY_PREVIOUS'
] as const;

function readSecret(name: string, file: string): string {
	let text: string;
	try {
		text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new ConfigError([`${name}_FILE names ${file}, which cannot be read (${code}).`]);
	}
	if (text === '') throw new ConfigError([`${name}_FILE names ${file}, which is empty.`]);
	return text;
}

/**
 * The environment with the secrets that stand in files.
 * @throws {ConfigError} where a file cannot be read, or a secret is given both ways
 */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const read: NodeJS.ProcessEnv = {};
	for (const name of SECRET_SETTINGS) {
		const file = env[`${name}_FILE`];
		if (!file) continue;
		if (env[name]) {
			throw new ConfigError([`${name} and ${name}_FILE are both set: take one of them away.`]);
		}
		read[name] = readSecret(name, file);
	}
	return { ...env, ...read };
}

/** Where the secret key comes from. @throws {ConfigError} */
export function keySettings(env: NodeJS.ProcessEnv): Omit<KeySource, 'dataDir'> {
	const values = withSecretFiles(env);
	return {
		secretKey: values['KOMODECK_SECRET_KEY'],
		previousKey: values['KOMODECK_SECRET_KEY_PREVIOUS']
	};
}
