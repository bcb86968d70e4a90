/**
 * Runs work when it is due: leases the row that has been due the longest, renews the lease while the work runs,
 * and releases it. Any number of servers may run one over the same rows.
 */
import type { QueryExecutorProvider } from 'kysely';
import { endedWithin } from '../async/endedWithin.ts';
import { sleep } from '../async/sleep.ts';
import { inBackground } from '../database/background.ts';
import type { ChangeStamp } from '../database/rowCache.ts';
import { backOff } from '../async/backOff.ts';
import { WorkSlots } from './workSlots.ts';
import { AppError, isAppError } from '../errors/appError.ts';
import type { Lease, Leases } from './rows.ts';

/** Duration of a lease without renewal; rows of a killed worker stay blocked this long. Milliseconds. */
export const LEASE_MS = 15_000;
/** Longest sleep: another server may make a row due in the meantime. Milliseconds. */
const LONGEST_SLEEP = 1_000;
/**
 * How long an unchanged stamp is trusted, in milliseconds. A notification of a write is lost when its server
 * stops before it is sent; a row that the write made due waits this long, which is less than a lease of that
 * server.
 */
export const LONGEST_STILL = 10_000;
const SHORTEST_SLEEP = 20;
/** Key under which errors of the query for due rows are reported. */
const NO_ROW = '';

export type Outcome =
	/** The step ran. */
	| 'moved'
	/** Another worker holds the row, or it has no due time any more. */
	| 'held'
	/** The lease was lost during the step: unsaved work belongs to the new holder. */
	| 'lost';

/** A lease while a step runs under it. */
export interface Held extends Lease {
	/** Aborts when the lease is lost and when the runner stops. */
	readonly signal: AbortSignal;
	/**
	 * Verifies and renews the lease before an action.
	 * @param db the transaction that may only commit while the lease is held
	 * @throws {AppError} `lease.lost`
	 */
	keep(db?: QueryExecutorProvider): Promise<void>;
}

export interface RunnerParts {
	leases: Leases;
	/** Advances a row as far as possible now, and writes its next due time under the lease. */
	step(held: Held): Promise<void>;
	/** Number of concurrent steps, not counting long waits; see {@link WorkSlots}. */
	maxConcurrency: number;
	leaseMs?: number | undefined;
	/** Change stamp: while it is unchanged, the next due time is not queried again. */
	news?: ChangeStamp | undefined;
	/** How long {@link Runner.stop} waits for steps, in milliseconds; without it until they end. */
	timeoutMs?: number;
	/** Receives errors; the step is retried after a backoff. */
	onError?: ((error: unknown) => void) | undefined;
	/** Receives the outcome of each step, for metrics. */
	onStep?: ((outcome: 'moved' | 'lost' | 'failed') => void) | undefined;
}

export class Runner {
	readonly #parts: RunnerParts;
	readonly #leaseMs: number;
	readonly #onError: (error: unknown) => void;
	readonly #slots: WorkSlots;
	/** Consecutive failures, by row id. */
	readonly #failures = new Map<string, number>();
	/** Text of the last error, by row id. */
	readonly #told = new Map<string, string>();
	#stopping = new AbortController();
	#loop: Promise<void> | undefined;
	#alarm = new AbortController();
	/** Last queried next due time, and when it was queried; milliseconds of the monotonic clock. */
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

	/**
	 * Starts no further step, and resolves when all running steps of this server have ended, or after the
	 * timeout.
	 */
	async stop(): Promise<void> {
		this.#stopping.abort();
		this.wake();
		const ended = Promise.resolve(this.#loop).then(() => this.#slots.ended());
		this.#loop = undefined;
		const { timeoutMs } = this.#parts;
		if (timeoutMs === undefined) return ended;
		await endedWithin(ended, timeoutMs);
	}

	/** Checks for due rows now instead of after the current sleep. */
	wake(): void {
		this.#alarm.abort();
		this.#alarm = new AbortController();
	}

	/** Advances one row now, whether it is due or not. */
	async advance(id: string): Promise<Outcome> {
		const lease = await this.#parts.leases.take(id, this.#leaseMs);
		return lease ? this.#move(lease) : 'held';
	}

	/** Advances due rows one after the other, until none is left. */
	async advanceDue(): Promise<void> {
		for (;;) {
			const lease = await this.#parts.leases.takeDue(this.#leaseMs);
			if (!lease) return;
			await this.#move(lease);
		}
	}

	async #run(stopped: AbortSignal): Promise<void> {
		/** Whether a row may be due: after a wake-up, at a due time, and after a due row was begun. */
		let mayBeDue = true;
		let failures = 0;
		while (!stopped.aborted) {
			// SQLite answers within the same turn of the event loop: yield, so that timers and requests are
			// served in between.
			await new Promise((resolve) => setImmediate(resolve));
			const { signal } = this.#alarm;
			try {
				const { isFree } = this.#slots;
				const lease = isFree && mayBeDue ? await this.#parts.leases.takeDue(this.#leaseMs) : null;
				// The runner was stopped during the query, so it must not begin the row.
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

	/** Returns the milliseconds until a row is due, from the last query while nothing was written. */
	async #untilDue(): Promise<number> {
		const stamp = this.#parts.news?.() ?? null;
		const at = performance.now();
		const known = this.#known;
		const isStill = stamp !== null && stamp === known?.stamp && at - known.at < LONGEST_STILL;
		// A row that became due but could not be taken is queried again: the clock may have been set back.
		if (!isStill || known.due <= at) {
			const ms = await this.#parts.leases.untilDue();
			this.#known = { stamp, at, due: ms === null ? Infinity : at + ms };
		}
		return this.#known!.due - at;
	}

	/** @throws the error of the step, unless the lease was lost */
	async #move(lease: Lease): Promise<'moved' | 'lost'> {
		const { leases, step, onStep } = this.#parts;
		const lost = new AbortController();
		const renewal = setInterval(() => {
			// If the database is unavailable, the next write shows whether the lease still holds.
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
			const outcome = lost.signal.aborted ? 'lost' : 'moved';
			onStep?.(outcome);
			return outcome;
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

	/** Reports a repeated error ever more rarely: a full or unavailable database must not fill the log. */
	#tell(id: string, error: unknown, failures: number): void {
		const text = String(error);
		const isNew = this.#told.get(id) !== text;
		this.#told.set(id, text);
		if (isNew || Number.isInteger(Math.log2(failures))) this.#onError(error);
	}

	/** Delays the next attempt at a row whose step failed. */
	async #rest(lease: Lease): Promise<void> {
		const failures = (this.#failures.get(lease.id) ?? 0) + 1;
		this.#failures.set(lease.id, failures);
		// If the database is unavailable, the lease simply expires.
		await this.#parts.leases.rest(lease, backOff(failures)).catch(() => undefined);
	}
}
