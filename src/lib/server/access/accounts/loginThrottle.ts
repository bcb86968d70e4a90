import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { DatabaseRateLimiter, startPause } from '../../platform/rate-limits/throttle.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { AccessTables } from '../tables.ts';

/** Passwords for one name from one network without a pause. */
export const FREE_TRIES = 5;
/** Passwords that a known device has for itself. */
export const DEVICE_TRIES = 10;
/** From so many passwords for one name on, whoever sent them, each other network pauses before its first. */
export const NAME_TRIES = 20;
/** From so many passwords from one network on, whatever the names, each other name pauses before its first. */
export const NETWORK_TRIES = 100;
/** How long a password counts, in seconds. */
export const THROTTLE_WINDOW = 60 * 60;
/** The pauses between two passwords for one name from one network double from this to that, in seconds. */
const SHORTEST_PAUSE = 15;
export const LONGEST_LOGIN_PAUSE = 5 * 60;
/** The pause before the first, in seconds: it grows from one to the other. */
const FIRST_PAUSE = { least: 5, most: 60 } as const;
/** How often counters that ended are removed, in milliseconds. */
const CLEAR_EVERY = 60_000;

export interface Attempt {
	nameKey: string;
	address: string;
	/** What shows that the person of this name was here before: a device, a session. Null: nothing does. */
	device: string | null;
}

/** Takes an attempt back, for when the password was right. */
interface TakeBack {
	(): Promise<void>;
	/** It was one of those that a device has for itself: what all networks together may try is not counted for it. */
	readonly byDevice: boolean;
}

/**
 * Slows guesses down, and never by a lock that somebody else could close: what an attacker sends counts for
 * the name together with the attacker's own network, and a browser in which the person has signed in before
 * has tries of its own that nobody without it can use up. Whoever comes from elsewhere for a name that is
 * being guessed waits once, for a minute at most. (OWASP, "Slow down online guessing attacks with device
 * cookies".) Counts attempts before they are tried, so that guesses sent at the same moment are counted too.
 */
export interface LoginThrottle {
	/** @throws {AppError} `account.throttled` with the seconds to wait */
	attempt(attempt: Attempt): Promise<TakeBack>;
}

/** The pause after the try that is the `over`th beyond the free ones, in seconds; 0 for a free one. */
const pauseAfter = (over: number): number =>
	over <= 0 ? 0 : Math.min(LONGEST_LOGIN_PAUSE, SHORTEST_PAUSE * 2 ** (over - 1));

/** The pause before a first try where `count` passwords reached `most`, in seconds; 0 below that. */
function pauseBefore(count: number, most: number): number {
	if (count < most) return 0;
	return Math.min(FIRST_PAUSE.most, FIRST_PAUSE.least * 2 ** Math.floor(count / most - 1));
}

export function createLoginThrottle(db: Executor<AccessTables>): LoginThrottle {
	const counter = (keyPrefix: string) =>
		new DatabaseRateLimiter(db, {
			keyPrefix,
			points: Number.MAX_SAFE_INTEGER,
			duration: THROTTLE_WINDOW
		});
	const devices = counter('login-device');
	const pairs = counter('login-pair');
	const names = counter('login-name');
	const networks = counter('login-network');
	let cleared = 0;

	// People type passwords into the name field: the counter's key must not keep them.
	const keysOf = ({ nameKey, address, device }: Attempt) => ({
		device: sha256Hex(JSON.stringify([nameKey, device])),
		pair: sha256Hex(JSON.stringify([nameKey, networkOf(address)])),
		name: sha256Hex(nameKey),
		network: networkOf(address)
	});

	function throttled(milliseconds: number): AppError {
		return new AppError('account.throttled', {
			retryAfter: Math.max(1, Math.ceil(milliseconds / 1000))
		});
	}

	const countOf = async (limiter: DatabaseRateLimiter, key: string): Promise<number> =>
		(await limiter.get(key))?.consumedPoints ?? 0;

	async function clearNowAndThen(): Promise<void> {
		const now = Date.now();
		if (now - cleared < CLEAR_EVERY) return;
		cleared = now;
		await pairs.clearExpired(now);
	}

	return {
		async attempt(attempt) {
			await clearNowAndThen();
			const keys = keysOf(attempt);
			if (attempt.device !== null) {
				const { consumedPoints } = await devices.penalty(keys.device);
				if (consumedPoints <= DEVICE_TRIES) {
					const takeBack = async (): Promise<void> => void (await devices.delete(keys.device));
					return Object.assign(takeBack, { byDevice: true });
				}
			}
			const before = Math.max(
				pauseBefore(await countOf(names, keys.name), NAME_TRIES),
				pauseBefore(await countOf(networks, keys.network), NETWORK_TRIES)
			);
			const { consumedPoints: tries } = await pairs.penalty(keys.pair);
			const over = tries - (before > 0 ? 1 : FREE_TRIES);
			const pause = 1000 * Math.max(before, pauseAfter(over));
			if (pause > 0) {
				const left = await startPause(db, `login-pause:${keys.pair}`, pause);
				if (left !== null) {
					await pairs.reward(keys.pair);
					throw throttled(left);
				}
				// The first of a network waits for its turn, which then is its own.
				if (over === 0) throw throttled(pause);
			}
			await names.penalty(keys.name);
			await networks.penalty(keys.network);
			const takeBack = async (): Promise<void> => {
				await pairs.delete(keys.pair);
				await names.reward(keys.name);
				await networks.reward(keys.network);
			};
			return Object.assign(takeBack, { byDevice: false });
		}
	};
}
