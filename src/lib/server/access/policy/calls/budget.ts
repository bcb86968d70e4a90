/**
 * What one person, with all their API tokens together, may ask of daemons and trading nodes within ten seconds. In the
 * memory of this process: it keeps one caller from using up what it can do, so each replica has its own.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { secondsToWait } from '../../../platform/rate-limits/throttleRequests.ts';
import type { Member } from '../identity.ts';

const WINDOW_SECONDS = 10;

interface BudgetLimits {
	/** Calls of one account within ten seconds. */
	callsPer10s: number;
	/** Bytes of their calls. */
	bytesPer10s: number;
}

const LIMITS: BudgetLimits = { callsPer10s: 20_000, bytesPer10s: 32 * 1024 * 1024 };

/** The RPC API and the console share it. */
export interface CallBudget {
	/** Takes calls off; the seconds to wait where that is too much, else null. */
	takeCalls(identity: Member, calls: number): Promise<number | null>;
	/** Takes bytes off; the seconds to wait where that is too much, else null. */
	takeBytes(identity: Member, bytes: number): Promise<number | null>;
}

export function createCallBudget(limits: Partial<BudgetLimits> = {}): CallBudget {
	const { callsPer10s, bytesPer10s } = { ...LIMITS, ...limits };
	const budgetOf = (points: number) => {
		const accounts = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
		return (identity: Member, cost: number): Promise<number | null> =>
			secondsToWait(accounts, identity.account.id, cost);
	};
	return { takeCalls: budgetOf(callsPer10s), takeBytes: budgetOf(bytesPer10s) };
}
