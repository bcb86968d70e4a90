import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AuthError } from './errors.ts';

/** The shortest text that is taken as a key from the environment. */
const MIN_KEY_TEXT = 32;

/**
 * The key under which things are sealed. It comes from the environment or from a file of the data
 * folder, made on the first run and readable by its owner only; never from the database.
 *
 * @returns 32 bytes. Use {@link deriveKey} for each purpose.
 * @throws {AuthError} `secret-key-invalid`
 */
export function loadSecretKey(dataDir: string, fromEnvironment?: string): Uint8Array {
	if (fromEnvironment !== undefined && fromEnvironment !== '') {
		if (fromEnvironment.length < MIN_KEY_TEXT) {
			throw new AuthError(
				'secret-key-invalid',
				`KOMODECK_SECRET_KEY is too short: it needs at least ${MIN_KEY_TEXT} characters.`
			);
		}
		return createHash('sha256').update(fromEnvironment, 'utf8').digest();
	}
	const file = join(dataDir, 'secret.key');
	const made = makeKeyFile(dataDir, file);
	const text = made ?? readFileSync(file, 'utf8').trim();
	if (!/^[0-9a-f]{64}$/.test(text)) {
		throw new AuthError(
			'secret-key-invalid',
			`The key file ${file} is damaged: it should hold 64 hexadecimal digits.`
		);
	}
	return Buffer.from(text, 'hex');
}

/** Writes a new key unless the file is there already. */
function makeKeyFile(dataDir: string, file: string): string | null {
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	let handle: number;
	try {
		handle = openSync(file, 'wx', 0o600);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
		throw error;
	}
	try {
		const text = randomBytes(32).toString('hex');
		writeSync(handle, `${text}\n`);
		// What is sealed under a key that a power cut takes away is lost.
		fsyncSync(handle);
		return text;
	} finally {
		closeSync(handle);
	}
}

/** A key for one purpose: keys of two purposes say nothing about each other. */
export function deriveKey(secretKey: Uint8Array, purpose: string): Uint8Array {
	return new Uint8Array(
		hkdfSync('sha256', secretKey, new Uint8Array(0), `komodeck ${purpose}`, 32)
	);
}
