/**
 * Call budget of one account, shared by all its API tokens, for daemons and trading nodes within ten seconds.
 */
import type { OpenBudget } from '../../platform/rate-limits/budgets.ts';
import type { Member } from '../identity/identity.ts';

const WINDOW_SECONDS = 10;

interface BudgetLimits {
	/** Calls of one account within ten seconds. */
	callsPer10s: number;
	/** Bytes of the requests of these calls. */
	bytesPer10s: number;
}

const LIMITS: BudgetLimits = { callsPer10s: 20_000, bytesPer10s: 32 * 1024 * 1024 };

/** Shared by the RPC API and the console. */
export interface CallBudget {
	/**
	 * Takes calls from the budget. Returns the seconds to wait when the budget does not suffice, else null.
	 */
	takeCalls(identity: Member, calls: number): Promise<number | null>;
	/**
	 * Takes bytes from the budget. Returns the seconds to wait when the budget does not suffice, else null.
	 */
	takeBytes(identity: Member, bytes: number): Promise<number | null>;
}

/** @param open opens a counter for what is taken */
export function createCallBudget(open: OpenBudget, limits: Partial<BudgetLimits> = {}): CallBudget {
	const { callsPer10s, bytesPer10s } = { ...LIMITS, ...limits };
	const calls = open('calls', callsPer10s, WINDOW_SECONDS);
	const bytes = open('bytes of calls', bytesPer10s, WINDOW_SECONDS);
	return {
		takeCalls: (identity, cost) => calls.take(identity.account.id, cost),
		takeBytes: (identity, cost) => bytes.take(identity.account.id, cost)
	};
}
