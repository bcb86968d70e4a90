import { hash, parseOptions, verify } from '@node-rs/argon2';
import { AppError } from '../../platform/errors/appError.ts';
import { easyToGuess } from './passwordRules.ts';

/**
 * argon2id (the library's default variant) with 32 MiB and three passes: more than OWASP's minimum, and still
 * fast enough for a login on a small machine.
 */
const COST = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

const MIN_PASSWORD = 12;
/** argon2 accepts any length; the limit prevents megabytes of password in a login. */
const MAX_PASSWORD = 256;
/** Bytes after normalisation, where one character can become many. */
const MOST_BYTES = 4 * MAX_PASSWORD;

/** Hash of a random password. It is verified when there is no account, so that the response takes as long. */
let decoy: Promise<string> | undefined;

function decoyHash(): Promise<string> {
	decoy ??= hash(crypto.getRandomValues(new Uint8Array(32)), COST);
	return decoy;
}

/** Prepares the decoy hash, so that the first login with an unknown name takes no longer than others. */
export async function warmUpPasswords(): Promise<void> {
	await decoyHash();
}

/** Normalises a password: another system may compose the same letters differently. */
function normalised(password: string): string {
	return password.normalize('NFKC');
}

/** Length as people count it: an accent belongs to its letter, and invisible characters do not count. */
const lengthOf = (text: string): number =>
	text.replace(/[\p{M}\p{C}]/gu, '').match(/./gsu)?.length ?? 0;

/** The fault of a password for this name by the current rules; null when it has none. */
export function passwordFault(password: string, name: string): AppError | null {
	const text = normalised(password);
	if (lengthOf(text) < MIN_PASSWORD) {
		return new AppError('account.password-too-short', { least: MIN_PASSWORD });
	}
	if ([...password].length > MAX_PASSWORD || Buffer.byteLength(text) > MOST_BYTES) {
		return new AppError('account.password-too-long', { most: MAX_PASSWORD });
	}
	switch (easyToGuess(text, name)) {
		case 'common':
			return new AppError('account.password-common');
		case 'name':
			return new AppError('account.password-is-name');
		case null:
			return null;
	}
}

/**
 * Refuses a password that is too short, too long or easy to guess.
 * @throws {AppError} with field `password`
 */
export function checkNewPassword(password: string, name: string): void {
	const fault = passwordFault(password, name);
	if (fault !== null) throw fault;
}

/** Returns the argon2id hash in PHC format. */
export function hashPassword(password: string): Promise<string> {
	return hash(normalised(password), COST);
}

/**
 * Verifies a password. Always does one argon2 computation, also when there is no account (`stored` is null)
 * or when the password is longer than any that could have been set.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
	const usable = stored !== null && [...password].length <= MAX_PASSWORD;
	const matches = await verify(
		usable ? stored : await decoyHash(),
		normalised(password.slice(0, MAX_PASSWORD * 2))
	);
	return usable && matches;
}

/** Whether a stored hash was made with other cost parameters than the current ones. */
export function needsRehash(stored: string): boolean {
	const made = parseOptions(stored);
	return (
		made.memoryCost !== COST.memoryCost ||
		made.timeCost !== COST.timeCost ||
		made.parallelism !== COST.parallelism
	);
}
