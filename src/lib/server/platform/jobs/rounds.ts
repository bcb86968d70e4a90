/** Work that each server does again and again by itself: what a round finds is guarded by its own states. */
import { Runner, type RunnerParts } from './runner.ts';
import type { Lease, Leases } from './rows.ts';

interface Round {
	everyMs: number;
	/**
	 * A round that takes longer does not hold up the next, which passes by what this one is at. The more are under way,
	 * the longer the next one waits: where it is the database that is slow, each would only make it slower.
	 */
	run(): Promise<unknown>;
}

/** Due times of rounds, by a clock that nobody sets. A round that failed comes again at its time, too. */
class Timetable implements Leases {
	readonly #rounds: ReadonlyMap<string, Round>;
	readonly #due = new Map<string, number>();
	/** How many of each are under way. */
	readonly #underWay = new Map<string, number>();

	constructor(rounds: ReadonlyMap<string, Round>) {
		this.#rounds = rounds;
		for (const id of rounds.keys()) this.#next(id);
	}

	#next(id: string): void {
		const times = 2 ** (this.#underWay.get(id) ?? 0);
		this.#due.set(id, performance.now() + (this.#rounds.get(id)?.everyMs ?? 0) * times);
	}

	async run(id: string): Promise<void> {
		const before = this.#underWay.get(id) ?? 0;
		this.#underWay.set(id, before + 1);
		try {
			await this.#rounds.get(id)?.run();
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

/** A runner of rounds, by their names; the first of each comes after its time. */
export function createRounds(
	rounds: Readonly<Record<string, Round>>,
	parts: Pick<RunnerParts, 'onError' | 'onStep' | 'timeoutMs'>
): Runner {
	const timetable = new Timetable(new Map(Object.entries(rounds)));
	return new Runner({
		...parts,
		leases: timetable,
		maxConcurrency: Object.keys(rounds).length,
		step: ({ id }) => timetable.run(id)
	});
}
