/** Work that each server repeats without leases: the states of rows guard against concurrent rounds. */
import type { ChangeStamp } from '../database/rowCache.ts';
import { LONGEST_STILL, Runner, type RunnerParts } from './runner.ts';
import type { Lease, Leases } from './rows.ts';

/** Result of a round that has nothing to do as time passes: it is skipped until something is written. */
export const AT_REST = 'at-rest';

interface Round {
	everyMs: number;
	/**
	 * Runs one round. A round that takes longer than the interval does not block the next one, which must skip
	 * what is in progress. The interval doubles with each round in progress: when the database is slow, more
	 * rounds would make it slower.
	 */
	run(): Promise<unknown>;
}

/** Due times of rounds, by a monotonic clock. A failed round is repeated at its next due time. */
class Timetable implements Leases {
	readonly #rounds: ReadonlyMap<string, Round>;
	readonly #due = new Map<string, number>();
	/** Number of running rounds, by name. */
	readonly #underWay = new Map<string, number>();
	readonly #news: ChangeStamp;
	/** Rounds that returned {@link AT_REST}, with change stamp and monotonic time from before they ran. */
	readonly #atRest = new Map<string, { stamp: number; at: number }>();

	constructor(rounds: ReadonlyMap<string, Round>, news: ChangeStamp) {
		this.#rounds = rounds;
		this.#news = news;
		for (const id of rounds.keys()) this.#next(id);
	}

	#next(id: string): void {
		const times = 2 ** (this.#underWay.get(id) ?? 0);
		this.#due.set(id, performance.now() + (this.#rounds.get(id)?.everyMs ?? 0) * times);
	}

	async #look(id: string): Promise<void> {
		const stamp = this.#news();
		const at = performance.now();
		const rest = this.#atRest.get(id);
		if (rest && rest.stamp === stamp && at - rest.at < LONGEST_STILL) return;
		const found = await this.#rounds.get(id)?.run();
		if (found === AT_REST && stamp !== null) this.#atRest.set(id, { stamp, at });
		else this.#atRest.delete(id);
	}

	async run(id: string): Promise<void> {
		const before = this.#underWay.get(id) ?? 0;
		this.#underWay.set(id, before + 1);
		try {
			await this.#look(id);
		} finally {
			this.#underWay.set(id, (this.#underWay.get(id) ?? 1) - 1);
			const due = this.#due.get(id) ?? 0;
			this.#next(id);
			this.#due.set(id, Math.min(due, this.#due.get(id) ?? due));
		}
	}

	#first(): [string, number] | undefined {
		return [...this.#due].sort(([, one], [, other]) => one - other)[0];
	}

	take(id: string): Promise<Lease> {
		this.#next(id);
		return Promise.resolve({ id, fencingToken: 0n });
	}

	async takeDue(): Promise<Lease | null> {
		const [id, due] = this.#first() ?? ['', Infinity];
		return due <= performance.now() ? this.take(id) : null;
	}

	untilDue(): Promise<number | null> {
		const first = this.#first();
		return Promise.resolve(first === undefined ? null : first[1] - performance.now());
	}

	renew = (): Promise<boolean> => Promise.resolve(true);
	release = (): Promise<void> => Promise.resolve();
	rest = (): Promise<void> => Promise.resolve();
}

/** Creates a runner of rounds by name; each first runs after one interval. */
export function createRounds(
	rounds: Readonly<Record<string, Round>>,
	{ news = () => null, ...parts }: Pick<RunnerParts, 'onError' | 'onStep' | 'timeoutMs' | 'news'>
): Runner {
	const timetable = new Timetable(new Map(Object.entries(rounds)), news);
	return new Runner({
		...parts,
		leases: timetable,
		maxConcurrency: Object.keys(rounds).length,
		step: ({ id }) => timetable.run(id)
	});
}
