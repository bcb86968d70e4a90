/**
 * Does work when it is due: takes the lease of what has been due the longest, keeps it while the work takes its
 * time, and gives it back. Any number of servers may run one over the same rows.
 */
import type { QueryExecutorProvider } from 'kysely';
import { sleep } from '../async/sleep.ts';
import { inBackground } from '../database/background.ts';
import type { ChangeStamp } from '../database/kept.ts';
import { backOff } from './backOff.ts';
import { WorkSlots } from './workSlots.ts';
import { AppError, isAppError } from '../errors/appError.ts';
import type { Lease, Leases } from './rows.ts';

/** How long a lease lasts without being renewed; what a killed worker held waits this long. */
export const LEASE_MS = 15_000;
/** The longest sleep: another server may have made something due. Milliseconds. */
const LONGEST_SLEEP = 1_000;
/**
 * How long it counts that nothing was written. A word of a write can be lost with the server that was to say it, and
 * then what became due waits that long: less than what that server held. Milliseconds.
 */
export const LONGEST_STILL = 10_000;
const SHORTEST_SLEEP = 20;
/** Stands for looking what is due, where that fails. */
const NO_ROW = '';

export type Outcome =
	/** It was moved, and rests now. */
	| 'moved'
	/** Somebody else holds it, or it does not move any more. */
	| 'held'
	/** The lease was lost on the way: what was not written is somebody else's now. */
	| 'lost';

/** A lease in the hands of a step. */
export interface Held extends Lease {
	/** Ends with the lease, and when the runner is to stop. */
	readonly signal: AbortSignal;
	/**
	 * Makes sure of the lease before an act.
	 * @param db the transaction that is written only with the lease
	 * @throws {AppError} `lease.lost`
	 */
	keep(db?: QueryExecutorProvider): Promise<void>;
}

export interface RunnerParts {
	leases: Leases;
	/** Moves one as far as it goes now, and writes under its lease when it is due next. */
	step(held: Held): Promise<void>;
	/** How many are moved at the same time, but for those that wait long; see {@link WorkSlots}. */
	maxConcurrency: number;
	leaseMs?: number | undefined;
	/** Says whether anything was written: while nothing was, it is not asked again what is due. */
	news?: ChangeStamp | undefined;
	/** How long {@link Runner.stop} waits for steps, in milliseconds; without it until they end. */
	timeoutMs?: number;
	/** Hears of what went wrong; the step is tried again after a while. */
	onError?: ((error: unknown) => void) | undefined;
	/** Hears how each step ended, for numbers. */
	onStep?: ((outcome: 'moved' | 'lost' | 'failed') => void) | undefined;
}

export class Runner {
	readonly #parts: RunnerParts;
	readonly #leaseMs: number;
	readonly #onError: (error: unknown) => void;
	readonly #slots: WorkSlots;
	/** Failures in a row, by what failed. */
	readonly #failures = new Map<string, number>();
	/** What was told last of what failed. */
	readonly #told = new Map<string, string>();
	#stopping = new AbortController();
	#loop: Promise<void> | undefined;
	#alarm = new AbortController();
	/** What was due next when it was asked, and when that was; moments of the steady clock. */
	#known: { stamp: number | null; at: number; due: number } | null = null;

	constructor(parts: RunnerParts) {
		this.#parts = parts;
		this.#leaseMs = parts.leaseMs ?? LEASE_MS;
		this.#onError = parts.onError ?? (() => undefined);
		this.#slots = new WorkSlots(parts.maxConcurrency, () => this.wake());
	}

	start(): void {
		if (this.#loop !== undefined) return;
		this.#stopping = new AbortController();
		const { signal } = this.#stopping;
		this.#loop = inBackground(() => this.#run(signal));
	}

	/** Takes nothing more, and resolves when no step is done by this server any more, or its timeout is over. */
	async stop(): Promise<void> {
		this.#stopping.abort();
		this.wake();
		const ended = Promise.resolve(this.#loop).then(() => this.#slots.ended());
		this.#loop = undefined;
		const { timeoutMs } = this.#parts;
		if (timeoutMs === undefined) return ended;
		const over = new AbortController();
		await Promise.race([ended, sleep(timeoutMs, over.signal)]);
		over.abort();
	}

	/** Looks now instead of at the next time. */
	wake(): void {
		this.#alarm.abort();
		this.#alarm = new AbortController();
	}

	/** Moves one now, whether it is due or not. */
	async advance(id: string): Promise<Outcome> {
		const lease = await this.#parts.leases.take(id, this.#leaseMs);
		return lease ? this.#move(lease) : 'held';
	}

	/** Moves what is due, one after the other, until nothing is. */
	async advanceDue(): Promise<void> {
		for (;;) {
			const lease = await this.#parts.leases.takeDue(this.#leaseMs);
			if (!lease) return;
			await this.#move(lease);
		}
	}

	async #run(stopped: AbortSignal): Promise<void> {
		/** Something may be due: it was woken, its time has come, or it has just begun what was. */
		let mayBeDue = true;
		let failures = 0;
		while (!stopped.aborted) {
			// SQLite answers within the same turn of the event loop: timers and requests get theirs in between.
			await new Promise((resolve) => setImmediate(resolve));
			const { signal } = this.#alarm;
			try {
				const { isFree } = this.#slots;
				const lease = isFree && mayBeDue ? await this.#parts.leases.takeDue(this.#leaseMs) : null;
				// It was asked for before the stop, which takes nothing more.
				if (lease && stopped.aborted) await this.#parts.leases.release(lease);
				else if (lease) {
					this.#slots.begin(() =>
						this.#move(lease).then(undefined, (error: unknown) =>
							this.#tell(lease.id, error, this.#failures.get(lease.id) ?? 1)
						)
					);
				} else if (!stopped.aborted) {
					const ms = isFree ? await this.#untilDue() : LONGEST_SLEEP;
					failures = 0;
					await sleep(Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, ms)), signal);
					mayBeDue = !isFree || ms <= LONGEST_SLEEP || signal.aborted;
				}
			} catch (error) {
				failures += 1;
				this.#tell(NO_ROW, error, failures);
				await sleep(LONGEST_SLEEP, signal);
				mayBeDue = true;
			}
		}
	}

	/** Milliseconds until something is due; not asked for again while nothing was written. */
	async #untilDue(): Promise<number> {
		const stamp = this.#parts.news?.() ?? null;
		const at = performance.now();
		const known = this.#known;
		const isStill = stamp !== null && stamp === known?.stamp && at - known.at < LONGEST_STILL;
		// What became due and could not be taken is asked about: the clock may have been set back.
		if (!isStill || known.due <= at) {
			const ms = await this.#parts.leases.untilDue();
			this.#known = { stamp, at, due: ms === null ? Infinity : at + ms };
		}
		return this.#known!.due - at;
	}

	/** @throws what the step threw, unless the lease was lost */
	async #move(lease: Lease): Promise<'moved' | 'lost'> {
		const { leases, step, onStep } = this.#parts;
		const lost = new AbortController();
		const renewal = setInterval(() => {
			// Where the database is away, whether it was renewed shows at the next write.
			leases.renew(lease, this.#leaseMs).then(
				(held) => held || lost.abort(),
				() => undefined
			);
		}, this.#leaseMs / 3);
		renewal.unref();
		const held: Held = {
			...lease,
			signal: AbortSignal.any([lost.signal, this.#stopping.signal]),
			keep: async (db) => {
				if (await leases.renew(lease, this.#leaseMs, db)) return;
				throw new AppError('lease.lost', { id: lease.id });
			}
		};
		try {
			await step(held);
			this.#failures.delete(lease.id);
			this.#told.delete(lease.id);
			await leases.release(lease);
			onStep?.('moved');
			return 'moved';
		} catch (error) {
			if (isAppError(error, 'lease')) {
				onStep?.('lost');
				return 'lost';
			}
			await this.#rest(lease);
			onStep?.('failed');
			throw error;
		} finally {
			clearInterval(renewal);
		}
	}

	/** The same again and again is told ever more seldom: a database that is full or away fills no log. */
	#tell(id: string, error: unknown, failures: number): void {
		const text = String(error);
		const isNew = this.#told.get(id) !== text;
		this.#told.set(id, text);
		if (isNew || Number.isInteger(Math.log2(failures))) this.#onError(error);
	}

	/** What failed is left alone for a while. */
	async #rest(lease: Lease): Promise<void> {
		const failures = (this.#failures.get(lease.id) ?? 0) + 1;
		this.#failures.set(lease.id, failures);
		// Where the database is away, the lease ends by itself.
		await this.#parts.leases.rest(lease, backOff(failures)).catch(() => undefined);
	}
}
