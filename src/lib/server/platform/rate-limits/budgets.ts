/** Counters in memory of what one caller may take within a window. They keep one caller from using up what there is. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface Budget {
	/**
	 * Takes from what the caller under the key has.
	 * @returns the seconds to wait when it is used up, else null
	 */
	take(key: string, cost: number): Promise<number | null>;
	/** The seconds to wait when it is used up, else null; takes nothing. */
	wait(key: string): Promise<number | null>;
}

/**
 * Opens a budget.
 * @param name another one for each budget; the same at all servers
 * @param points what each key has within a window
 * @param seconds how long a window is; it begins with the first take
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

/** A budget of this process alone. */
export const openOwnBudget: OpenBudget = (_name, points, seconds) =>
	budgetOf(new RateLimiterMemory({ points, duration: seconds }));

/** How servers tell each other what was taken; a word may be lost. */
export interface BudgetWire {
	tell(text: string): Promise<unknown>;
	onTold(hear: (text: string) => void): void;
}

/** Between two words to the other servers, in milliseconds: as long as what was taken here counts here alone. */
const TELL_EVERY_MS = 1_000;
/** The part of a budget below which nobody is told: what people use of pages never is. */
const TOLD_PART = 0.01;
/** PostgreSQL carries less than 8,000 bytes in a notice. */
const MOST_BYTES = 7_500;
/** Words at once: callers without number, of whom each takes little, do not become as many words. */
const MOST_WORDS = 10;

/** Budget, key, and what was taken from it. */
type Taken = readonly [name: string, key: string, cost: number];

interface Word {
	/** The server that tells. */
	by: string;
	taken: readonly Taken[];
}

const isTaken = (value: unknown): value is Taken =>
	Array.isArray(value) &&
	typeof value[0] === 'string' &&
	typeof value[1] === 'string' &&
	Number.isSafeInteger(value[2]) &&
	value[2] > 0;

/** What a word says; nothing when it is none of ours. */
function readWord(text: string): Word | null {
	try {
		const { by, taken } = JSON.parse(text) as Partial<Word>;
		if (typeof by !== 'string' || !Array.isArray(taken)) return null;
		return { by, taken: taken.filter(isTaken) };
	} catch {
		return null;
	}
}

/** As many words as it takes, and no more than are sent; what was taken most goes first. */
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

/** Budgets that several servers share: each tells once a second what was taken from it, and the others take it, too. */
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
		/** Taken here and told to nobody yet, and since when, in Unix milliseconds. */
		untold: Map<string, { cost: number; since: number }>;
		least: number;
		windowMs: number;
	}
	const budgets = new Map<string, Open>();

	/** Takes out what has become enough to tell, and forgets what its window has forgotten. */
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
			// More than all of it says no more.
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
