import { hash, parseOptions, verify } from '@node-rs/argon2';
import { AppError } from '../../platform/errors/appError.ts';
import { easyToGuess } from './passwordRules.ts';

/**
 * argon2id (the library's default kind) with 32 MiB and three passes: above the least that OWASP asks
 * for, below what a login page on a small machine would be felt to wait for.
 */
const COST = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

const MIN_PASSWORD = 12;
/** argon2 takes any length; the limit keeps a login from being a way to send megabytes. */
const MAX_PASSWORD = 256;
/** One sign can stand for many when it is normalised. */
const MOST_BYTES = 4 * MAX_PASSWORD;

/** A hash of nothing anybody knows: checked when there is no account, so that the work is the same. */
let decoy: Promise<string> | undefined;

function decoyHash(): Promise<string> {
	decoy ??= hash(crypto.getRandomValues(new Uint8Array(32)), COST);
	return decoy;
}

/** Prepares the decoy, so that the first login of an unknown name takes no longer than the others. */
export async function warmUpPasswords(): Promise<void> {
	await decoyHash();
}

/** The same person typing on another system may send another composition of the same letters. */
function normalised(password: string): string {
	return password.normalize('NFKC');
}

/** As people count: an accent belongs to its letter, and what cannot be seen is nothing. */
const lengthOf = (text: string): number =>
	text.replace(/[\p{M}\p{C}]/gu, '').match(/./gsu)?.length ?? 0;

/** What is wrong with a password for this name by today's rules; null when nothing is. */
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
 *
 * @throws {AppError} with field `password`
 */
export function checkNewPassword(password: string, name: string): void {
	const fault = passwordFault(password, name);
	if (fault !== null) throw fault;
}

/** argon2id in PHC form. */
export function hashPassword(password: string): Promise<string> {
	return hash(normalised(password), COST);
}

/**
 * Does one argon2 computation in every case, also when there is no account (`stored` is null) or
 * when the password is longer than any that could have been set.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
	const usable = stored !== null && [...password].length <= MAX_PASSWORD;
	const matches = await verify(
		usable ? stored : await decoyHash(),
		normalised(password.slice(0, MAX_PASSWORD * 2))
	);
	return usable && matches;
}

/** True when a stored hash was made with another cost than today's. */
export function needsRehash(stored: string): boolean {
	const made = parseOptions(stored);
	return (
		made.memoryCost !== COST.memoryCost ||
		made.timeCost !== COST.timeCost ||
		made.parallelism !== COST.parallelism
	);
}
