/** In-memory rate limits per caller and time window, so that no single caller exhausts a shared resource. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { BudgetWire } from '../database/writeNotices.ts';

export interface Budget {
	/**
	 * Consumes points of the key.
	 * @returns null, or the seconds to wait when the points are used up
	 */
	take(key: string, cost: number): Promise<number | null>;
	/** Returns the seconds to wait when the points are used up, else null; consumes nothing. */
	wait(key: string): Promise<number | null>;
}

/**
 * Opens a budget.
 * @param name unique per budget, and the same on all servers
 * @param points points of each key per window
 * @param seconds length of a window, which starts with the first use
 */
export type OpenBudget = (name: string, points: number, seconds: number) => Budget;

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number =>
	Math.max(1, Math.ceil(msBeforeNext / 1000));

const budgetOf = (limiter: RateLimiterMemory): Budget => ({
	async take(key, cost) {
		try {
			await limiter.consume(key, cost);
			return null;
		} catch (refusal) {
			if (!(refusal instanceof RateLimiterRes)) throw refusal;
			return secondsOf(refusal);
		}
	},
	async wait(key) {
		const used = await limiter.get(key);
		return used !== null && used.remainingPoints <= 0 ? secondsOf(used) : null;
	}
});

/** Opens a budget of this process alone. */
export const openOwnBudget: OpenBudget = (_name, points, seconds) =>
	budgetOf(new RateLimiterMemory({ points, duration: seconds }));

/** Interval of announcements in milliseconds: until then points count only on this server. */
const TELL_EVERY_MS = 1_000;
/** Fraction of a budget below which use is not announced: normal use of pages stays below it. */
const TOLD_PART = 0.01;
/** PostgreSQL limits the payload of a notification to less than 8,000 bytes. */
const MOST_BYTES = 7_500;
/** Maximum messages per interval: a flood of callers that each take little cannot cause as many messages. */
const MOST_WORDS = 10;

/** Budget, key, and consumed points. */
type Taken = readonly [name: string, key: string, cost: number];

interface Word {
	/** Id of the sending server. */
	by: string;
	taken: readonly Taken[];
}

const isTaken = (value: unknown): value is Taken =>
	Array.isArray(value) &&
	typeof value[0] === 'string' &&
	typeof value[1] === 'string' &&
	Number.isSafeInteger(value[2]) &&
	value[2] > 0;

/** Parses a message; null when it is invalid. */
function readWord(text: string): Word | null {
	try {
		const { by, taken } = JSON.parse(text) as Partial<Word>;
		if (typeof by !== 'string' || !Array.isArray(taken)) return null;
		return { by, taken: taken.filter(isTaken) };
	} catch {
		return null;
	}
}

/** Splits announcements into messages, up to the maximum; the largest consumers come first. */
function wordsOf(by: string, taken: readonly Taken[]): string[] {
	const words: string[] = [];
	let part: Taken[] = [];
	let bytes = 0;
	const close = (): void => {
		if (part.length > 0) words.push(JSON.stringify({ by, taken: part } satisfies Word));
		part = [];
		bytes = 0;
	};
	for (const one of taken.toSorted(([, , a], [, , b]) => b - a)) {
		const size = Buffer.byteLength(JSON.stringify(one)) + 1;
		if (bytes + size > MOST_BYTES - by.length) close();
		if (words.length === MOST_WORDS) return words;
		part.push(one);
		bytes += size;
	}
	close();
	return words.slice(0, MOST_WORDS);
}

/**
 * Budgets shared by several servers: each announces once a second what was consumed, and the others deduct it
 * too.
 */
interface SharedBudgets {
	open: OpenBudget;
	stop(): void;
}

export function createSharedBudgets(
	wire: BudgetWire,
	{ tellEveryMs = TELL_EVERY_MS }: { tellEveryMs?: number } = {}
): SharedBudgets {
	const own = crypto.randomUUID();
	interface Open {
		limiter: RateLimiterMemory;
		/** Points consumed here and not yet announced, with the time of the first in Unix milliseconds. */
		untold: Map<string, { cost: number; since: number }>;
		least: number;
		windowMs: number;
	}
	const budgets = new Map<string, Open>();

	/** Removes and yields what is large enough to announce, and drops what is older than its window. */
	function* toTell(now: number): Generator<Taken> {
		for (const [name, { untold, least, windowMs }] of budgets) {
			for (const [key, { cost, since }] of untold) {
				if (cost >= least) yield [name, key, cost];
				else if (now - since < windowMs) continue;
				untold.delete(key);
			}
		}
	}

	const timer = setInterval(() => {
		for (const word of wordsOf(own, [...toTell(Date.now())])) {
			wire.tell(word).catch(() => undefined);
		}
	}, tellEveryMs).unref();

	wire.onTold((text) => {
		const word = readWord(text);
		if (word === null || word.by === own) return;
		for (const [name, key, cost] of word.taken) {
			const budget = budgets.get(name);
			// More than the whole budget makes no difference.
			if (budget) void budget.limiter.penalty(key, Math.min(cost, budget.limiter.points + 1));
		}
	});

	return {
		open(name, points, seconds) {
			const limiter = new RateLimiterMemory({ points, duration: seconds });
			const untold: Open['untold'] = new Map();
			budgets.set(name, {
				limiter,
				untold,
				least: points * TOLD_PART,
				windowMs: seconds * 1000
			});
			const budget = budgetOf(limiter);
			return {
				take(key, cost) {
					const known = untold.get(key);
					if (known) known.cost += cost;
					else untold.set(key, { cost, since: Date.now() });
					return budget.take(key, cost);
				},
				wait: budget.wait
			};
		},
		stop: () => clearInterval(timer)
	};
}
