import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { DatabaseRateLimiter, startPause } from '../../platform/rate-limits/throttle.ts';
import { sha256Hex } from '../../platform/secrets/digest.ts';
import type { AccessTables } from '../tables.ts';

/** Attempts for one name from one network without a pause. */
export const FREE_TRIES = 5;
/** Attempts of a known device, counted separately. */
export const DEVICE_TRIES = 10;
/**
 * From this many attempts for one name on, from all networks together, each further network must pause before
 * its first attempt.
 */
export const NAME_TRIES = 20;
/**
 * From this many attempts from one network on, for all names together, each further name must pause before
 * its first attempt.
 */
export const NETWORK_TRIES = 100;
/** How long an attempt counts, in seconds. */
export const THROTTLE_WINDOW = 60 * 60;
/**
 * The pause between two attempts for one name from one network doubles from the shortest to the longest, in
 * seconds.
 */
const SHORTEST_PAUSE = 15;
export const LONGEST_LOGIN_PAUSE = 5 * 60;
/** The pause before the first attempt, in seconds; it doubles from `least` to `most`. */
const FIRST_PAUSE = { least: 5, most: 60 } as const;
/** How often expired counters are removed, in milliseconds. */
const CLEAR_EVERY = 60_000;

export interface Attempt {
	nameKey: string;
	address: string;
	/** A device cookie or session that shows an earlier sign-in under this name; null: none. */
	device: string | null;
}

/** Reverts the counting of an attempt whose password was right. */
interface TakeBack {
	(): Promise<void>;
	/**
	 * The attempt was one of the device's own, so the limit for all networks together does not apply to it.
	 */
	readonly byDevice: boolean;
}

/**
 * Slows guessing down, without a lock that an attacker could use to shut a member out. An attacker's attempts
 * count for the name together with the attacker's own network, and a browser in which the member has signed
 * in before has attempts of its own that no other browser can use up. A member who comes from elsewhere while
 * the name is being guessed waits once, for a minute at most. (OWASP, "Slow down online guessing attacks with
 * device cookies".) Attempts are counted before the password is checked, so that concurrent guesses count,
 * too.
 */
export interface LoginThrottle {
	/**
	 * Counts an attempt.
	 * @throws {AppError} `account.throttled` with the seconds to wait
	 */
	attempt(attempt: Attempt): Promise<TakeBack>;
}

/** The pause after the `over`th attempt beyond the free ones, in seconds; 0 for a free one. */
const pauseAfter = (over: number): number =>
	over <= 0 ? 0 : Math.min(LONGEST_LOGIN_PAUSE, SHORTEST_PAUSE * 2 ** (over - 1));

/**
 * The pause before a first attempt when `count` attempts have reached the limit `most`, in seconds; 0 below
 * it.
 */
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

	// People type passwords into the name field, so the counter's key must not hold the name itself.
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
		if (Math.abs(now - cleared) < CLEAR_EVERY) return;
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
				// The first attempt from a network only starts its pause; the next one, after the pause, is
				// let through.
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
