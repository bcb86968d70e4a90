import { RateLimiterRes } from 'rate-limiter-flexible';
import type { CallBudget } from '../daemon/door.ts';

/** Counts a call of a person; gives the seconds to wait when that was too much, else 0. */
export async function secondsToWait(budget: CallBudget, accountId: string): Promise<number> {
	try {
		await budget.consume(accountId, 1);
		return 0;
	} catch (reason) {
		if (!(reason instanceof RateLimiterRes)) throw reason;
		return Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
	}
}
