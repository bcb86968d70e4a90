import { hash, parseOptions, verify } from '@node-rs/argon2';
import { stands } from '../guards/stands.ts';
import { AuthError } from './errors.ts';

/**
 * argon2id (the library's default kind) with 32 MiB and three passes: above the least that OWASP asks
 * for, below what a login page on a small machine would be felt to wait for.
 */
const COST = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

export const MIN_PASSWORD = 10;
/** argon2 takes any length; the limit keeps a login from being a way to send megabytes. */
export const MAX_PASSWORD = 256;

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

/**
 * Refuses a password that is too short, too long or the name itself.
 *
 * @throws {AuthError} with field `password`
 */
export function checkNewPassword(password: string, name: string): void {
	const length = [...password].length;
	if (length < MIN_PASSWORD) {
		throw new AuthError('password-too-short', `Use at least ${MIN_PASSWORD} characters.`, {
			field: 'password'
		});
	}
	if (length > MAX_PASSWORD) {
		throw new AuthError('password-too-long', `Use at most ${MAX_PASSWORD} characters.`, {
			field: 'password'
		});
	}
	if (normalised(password).toLowerCase() === name.normalize('NFKC').toLowerCase()) {
		throw new AuthError('password-is-name', 'The password must not be the name.', {
			field: 'password'
		});
	}
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
	if (stored === null && !stands('same-work')) return false;
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
