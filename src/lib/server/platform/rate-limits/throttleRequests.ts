import { networkOf } from '../net/networkOf.ts';
import type { OpenBudget } from './budgets.ts';

/**
 * What a request takes from the budgets: an answer that is read costs one. A login that begins is a row in the
 * database for minutes, whoever asks.
 */
export const COST = { read: 1, change: 3, export: 20, login: 25 } as const;

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

/**
 * @param open where what is taken is counted
 * @param perPerson requests of one person within ten seconds; an address has five times as many
 */
export function createRequestBudget(open: OpenBudget, perPerson: number): RequestBudget {
	const people = open('requests of a member', perPerson, WINDOW);
	const addresses = open('requests of an address', perPerson * PEOPLE_PER_ADDRESS, WINDOW);
	return {
		async take({ account, address }, cost) {
			const waits = [await addresses.take(networkOf(address), cost)];
			if (account !== null) waits.push(await people.take(account, cost));
			const refused = waits.filter((wait) => wait !== null);
			return refused.length === 0 ? null : Math.max(...refused);
		}
	};
}
