import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../net/networkOf.ts';

/** What a request takes from the budgets: an answer that is read costs one. */
export const COST = { read: 1, change: 3, export: 20 } as const;

/** The window of all budgets, in seconds. */
const WINDOW = 10;
/** An address is a whole team behind one router or proxy. */
const PEOPLE_PER_ADDRESS = 5;

/** Who asks, as far as budgets go. */
export interface Asking {
	/** Id of the account; null for a visitor. */
	account: string | null;
	address: string;
}

/**
 * What one person, with all their API tokens together, or one address may ask of pages and the JSON API within ten
 * seconds.
 */
export interface RequestBudget {
	/**
	 * Takes from every budget that a request concerns.
	 * @returns the seconds to wait when one of them is used up, else null
	 */
	take(asking: Asking, cost: number): Promise<number | null>;
}

/** The seconds to wait when a budget refused, else null. */
export async function secondsToWait(
	budget: RateLimiterMemory,
	key: string,
	cost: number
): Promise<number | null> {
	try {
		await budget.consume(key, cost);
		return null;
	} catch (refusal) {
		if (!(refusal instanceof RateLimiterRes)) throw refusal;
		return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
	}
}

/**
 * Budgets in the memory of this process: they keep one caller from using up what it can do, so each replica
 * has its own.
 *
 * @param perPerson requests of one person within ten seconds; an address has five times as many
 */
export function createRequestBudget(perPerson: number): RequestBudget {
	const limiter = (points: number) => new RateLimiterMemory({ points, duration: WINDOW });
	const people = limiter(perPerson);
	const addresses = limiter(perPerson * PEOPLE_PER_ADDRESS);
	return {
		async take({ account, address }, cost) {
			const waits = [await secondsToWait(addresses, networkOf(address), cost)];
			if (account !== null) waits.push(await secondsToWait(people, account, cost));
			const refused = waits.filter((wait) => wait !== null);
			return refused.length === 0 ? null : Math.max(...refused);
		}
	};
}
