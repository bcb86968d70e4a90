/** How many ids people without an account may give: for each address, and all together. */
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Executor } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { DatabaseRateLimiter } from '../../platform/rate-limits/throttle.ts';
import type { CrossChainTables } from '../tables.ts';

/** Ids from one address within the window. */
export const GIVEN_PER_ADDRESS = 30;
/** Ids from all addresses within the window: each makes daemons work. */
const GIVEN_IN_TOTAL = 600;
/** Seconds. */
export const GIVEN_WINDOW = 10 * 60;

/** Counts one more; returns the seconds to wait when it is too many, else null. */
type GivenLimit = (address: string) => Promise<number | null>;

export function createGivenLimit(db: Executor<CrossChainTables>): GivenLimit {
	const each = new DatabaseRateLimiter(db, {
		keyPrefix: 'approval-address',
		points: GIVEN_PER_ADDRESS,
		duration: GIVEN_WINDOW
	});
	const all = new DatabaseRateLimiter(db, {
		keyPrefix: 'approval-total',
		points: GIVEN_IN_TOTAL,
		duration: GIVEN_WINDOW
	});
	async function consume(limiter: DatabaseRateLimiter, key: string): Promise<number | null> {
		try {
			await limiter.consume(key);
			return null;
		} catch (refusal) {
			if (!(refusal instanceof RateLimiterRes)) throw refusal;
			return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
		}
	}
	// One address that gives too many takes nothing from the others.
	return async (address) =>
		(await consume(each, networkOf(address))) ?? (await consume(all, 'all'));
}
