/** How many ids may be given: by each member, and by people without an account from each address and all together. */
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Executor } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { DatabaseRateLimiter } from '../../platform/rate-limits/throttle.ts';
import type { CrossChainTables } from '../tables.ts';

/** Ids by one member, or from one address without an account, within the window. */
export const GIVEN_EACH = 30;
/** Ids from all addresses within the window: each makes daemons work. */
export const GIVEN_IN_TOTAL = 600;
/** Seconds. */
export const GIVEN_WINDOW = 10 * 60;

/** Whoever gives an id: the address that it comes from, and the account where somebody is signed in. */
export interface Giver {
	address: string;
	account: string | null;
}

/** Counts one more; returns the seconds to wait when it is too many, else null. */
type GivenLimit = (giver: Giver) => Promise<number | null>;

export function createGivenLimit(db: Executor<CrossChainTables>): GivenLimit {
	const each = new DatabaseRateLimiter(db, {
		keyPrefix: 'approval-address',
		points: GIVEN_EACH,
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
	return async ({ address, account }) => {
		// Strangers, of whom there are as many as there are addresses, keep no member from giving theirs.
		if (account !== null) return consume(each, `member ${account}`);
		// One address that gives too many takes nothing from the others.
		return (await consume(each, networkOf(address))) ?? (await consume(all, 'all'));
	};
}
