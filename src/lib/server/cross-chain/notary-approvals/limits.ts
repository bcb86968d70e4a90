/** Rate limits for submitting approvals: for each member, and without an account for each address and in total. */
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Executor } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/net/networkOf.ts';
import { DatabaseRateLimiter } from '../../platform/rate-limits/throttle.ts';
import type { CrossChainTables } from '../tables.ts';

/** Submissions by one member, or from one address without an account, within the window. */
export const GIVEN_EACH = 30;
/** Submissions without an account within the window, because each causes calls to daemons. */
export const GIVEN_IN_TOTAL = 600;
/** Seconds. */
export const GIVEN_WINDOW = 10 * 60;

/** Who submits an approval: the address, and the account when signed in. */
export interface Giver {
	address: string;
	account: string | null;
}

/** Counts a submission; returns the seconds to wait when the limit is exceeded, otherwise null. */
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
		// Members have their own limit, so that submissions without an account cannot block them.
		if (account !== null) return consume(each, `member ${account}`);
		// The limit of the address comes first, so that a single address cannot use up the total.
		return (await consume(each, networkOf(address))) ?? (await consume(all, 'all'));
	};
}
