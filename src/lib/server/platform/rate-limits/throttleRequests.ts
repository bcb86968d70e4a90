import { networkOf } from '../net/networkOf.ts';
import type { OpenBudget } from './budgets.ts';

/**
 * Cost of a request in points; reading costs one. A search can ask every daemon, a proof reads whole blocks from
 * several, and a MoM up to 2,000 of one. Any caller who starts a login makes a row for minutes.
 */
export const COST = { read: 1, change: 3, daemons: 10, export: 20, login: 25 } as const;

/** The window of all request budgets, in seconds. */
const WINDOW = 10;
/**
 * Factor for the budget of the members at an address, and for that of its visitors: a whole team may share one router or
 * proxy.
 */
const MEMBERS_PER_ADDRESS = 5;

/** The caller, as far as budgets are concerned. */
export interface Asking {
	/** Id of the account; null for a visitor. */
	account: string | null;
	address: string;
}

/**
 * Limits the requests for pages and the JSON API within ten seconds, per person (with all their API tokens) and
 * per address. Visitors do not use up what the members at their address have.
 */
export interface RequestBudget {
	/**
	 * Consumes points of every budget that the request concerns.
	 * @returns null, or the seconds to wait when one of them is used up
	 */
	take(asking: Asking, cost: number): Promise<number | null>;
}

/**
 * @param open opens the budgets
 * @param perPerson requests of one person within ten seconds; the members at an address together have five times as
 * many, and so have its visitors
 */
export function createRequestBudget(open: OpenBudget, perPerson: number): RequestBudget {
	const people = open('requests of a member', perPerson, WINDOW);
	const addresses = open('requests of an address', perPerson * MEMBERS_PER_ADDRESS, WINDOW);
	return {
		async take({ account, address }, cost) {
			const kind = account === null ? 'visitors' : 'members';
			const waits = [await addresses.take(`${kind} ${networkOf(address)}`, cost)];
			if (account !== null) waits.push(await people.take(account, cost));
			const refused = waits.filter((wait) => wait !== null);
			return refused.length === 0 ? null : Math.max(...refused);
		}
	};
}
