import { isIPv6 } from 'node:net';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { sha256Hex } from './digest.ts';
import { stands } from '../guards/stands.ts';
import { AuthError } from './errors.ts';
import { DatabaseRateLimiter } from './throttle.ts';
import { waitWords } from './waitWords.ts';

/** Wrong passwords for one name within the window, whoever sends them. */
export const ATTEMPTS_PER_ACCOUNT = 10;
/** Wrong passwords from one address within the window, whatever the names. */
export const ATTEMPTS_PER_ADDRESS = 50;
/** Seconds. */
export const THROTTLE_WINDOW = 15 * 60;

/** Counts attempts before they are tried, so that guesses sent at the same moment are counted too. */
export interface LoginThrottle {
	/** @throws {AuthError} `throttled` with the seconds to wait */
	attempt(nameKey: string, address: string): Promise<void>;
	/** Takes a right password's attempt back. */
	succeeded(nameKey: string, address: string): Promise<void>;
}

/** One household has one IPv4 address or one IPv6 network of 64 bits. */
export function networkOf(address: string): string {
	const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
	if (!isIPv6(plain)) return plain;
	const [head = '', tail] = plain.toLowerCase().split('::');
	const left = head === '' ? [] : head.split(':');
	const right = tail === undefined || tail === '' ? [] : tail.split(':');
	const missing = tail === undefined ? 0 : 8 - left.length - right.length;
	const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
	return groups
		.slice(0, 4)
		.map((group) => group.replace(/^0+(?=.)/, ''))
		.join(':');
}

export function createLoginThrottle(db: Kysely<Schema>): LoginThrottle {
	const accounts = new DatabaseRateLimiter(db, {
		keyPrefix: 'login-account',
		points: ATTEMPTS_PER_ACCOUNT,
		duration: THROTTLE_WINDOW
	});
	const addresses = new DatabaseRateLimiter(db, {
		keyPrefix: 'login-address',
		points: ATTEMPTS_PER_ADDRESS,
		duration: THROTTLE_WINDOW
	});

	// People type passwords into the name field: the counter's key must not keep them.
	const accountKey = (nameKey: string): string => sha256Hex(nameKey);

	async function consume(limiter: DatabaseRateLimiter, key: string): Promise<void> {
		if (!stands('login-throttle')) return;
		try {
			await limiter.consume(key);
		} catch (refusal) {
			if (!(refusal instanceof RateLimiterRes)) throw refusal;
			const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
			throw new AuthError('throttled', `Too many attempts. Try again in ${waitWords(seconds)}.`, {
				retryAfter: seconds
			});
		}
	}

	return {
		async attempt(nameKey, address) {
			await consume(addresses, networkOf(address));
			await consume(accounts, accountKey(nameKey));
		},
		async succeeded(nameKey, address) {
			await accounts.delete(accountKey(nameKey));
			await addresses.reward(networkOf(address));
			await accounts.clearExpired(Date.now());
		}
	};
}
