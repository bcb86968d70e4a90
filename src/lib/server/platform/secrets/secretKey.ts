import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFile } from '../disk/wholeFile.ts';
import { AppError } from '../errors/appError.ts';

/** Minimum length of a key from the environment. */
const MIN_KEY_TEXT = 32;

/** Minimum number of different characters: fewer were not drawn at random. */
const MIN_DIFFERENT = 8;
/** Content of the key file. */
const KEY_FILE = /^[0-9a-f]{64}$/;

/** Sources of the secret key. */
export interface KeySource {
	dataDir: string;
	/** KOMODECK_SECRET_KEY; without it the key file of the data folder. */
	secretKey?: string | undefined;
	/** KOMODECK_SECRET_KEY_PREVIOUS: the text of the previous key, or the content of its key file. */
	previousKey?: string | undefined;
}

const keyFile = (dataDir: string): string => join(dataDir, 'secret.key');

const keyOfText = (text: string): Uint8Array => createHash('sha256').update(text, 'utf8').digest();

/**
 * Reads the secret key. It comes from the environment or from a file in the data folder, which is created at
 * the first run and readable by its owner only; never from the database.
 *
 * @param mayMake whether a new installation may create a key
 * @returns 32 bytes. Use {@link deriveKey} for each purpose.
 * @throws {AppError} `secret.key-weak`, `secret.key-missing`, `secret.key-damaged`
 */
export function readSecretKey({ dataDir, secretKey }: KeySource, mayMake: boolean): Uint8Array {
	if (secretKey !== undefined && secretKey !== '') {
		if (secretKey.length < MIN_KEY_TEXT || new Set(secretKey).size < MIN_DIFFERENT) {
			throw new AppError('secret.key-weak', { least: MIN_KEY_TEXT });
		}
		return keyOfText(secretKey);
	}
	const file = keyFile(dataDir);
	const made = mayMake ? makeKeyFile(file) : null;
	if (made === null && !existsSync(file)) {
		throw new AppError('secret.key-missing', { dataDir });
	}
	const text = made ?? readFileSync(file, 'utf8').trim();
	if (!KEY_FILE.test(text)) {
		throw new AppError('secret.key-damaged', { file });
	}
	return Buffer.from(text, 'hex');
}

/** Returns the keys that the previous key's text may stand for: it was set in the environment, or in a key file. */
export function previousKeys({ previousKey }: KeySource): Uint8Array[] {
	const text = previousKey?.trim() ?? '';
	if (text === '') return [];
	return KEY_FILE.test(text) ? [Buffer.from(text, 'hex'), keyOfText(text)] : [keyOfText(text)];
}

/**
 * Creates the key file unless it exists, also when several processes start at the same moment. A partial file,
 * left by a full disk or a killed process, would be reported as a damaged key at every later start, and values
 * encrypted under a key that a power cut removes would be lost.
 * @returns its content; null when it exists
 */
function makeKeyFile(file: string): string | null {
	if (existsSync(file)) return null;
	const text = randomBytes(32).toString('hex');
	return createFile(file, `${text}\n`) ? text : null;
}

/** Derives a key for one purpose; keys of different purposes reveal nothing about each other. */
export function deriveKey(secretKey: Uint8Array, purpose: string): Uint8Array {
	return new Uint8Array(
		hkdfSync('sha256', secretKey, new Uint8Array(0), `komodeck ${purpose}`, 32)
	);
}
