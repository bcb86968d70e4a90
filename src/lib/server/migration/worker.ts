/** Wakes migrations when they are due. Any number of servers may run one over the same database. */
import type { Engine } from './engine.ts';
import type { MigrationStore } from './store.ts';
import { sleep } from '../sleep.ts';

/** Migrations that one server moves at the same time. */
const PLACES = 4;
/** The longest sleep: another server may have made something due. Milliseconds. */
const LONGEST_SLEEP = 1_000;
const SHORTEST_SLEEP = 20;

export interface WorkerOptions {
	engine: Engine;
	store: MigrationStore;
	/** Hears of what went wrong in a move; the migration is tried again when its lease has ended. */
	onError?: ((error: unknown) => void) | undefined;
}

export class Worker {
	readonly #engine: Engine;
	readonly #store: MigrationStore;
	readonly #onError: (error: unknown) => void;
	#running = false;
	#loops: Promise<void>[] = [];
	#wake = new AbortController();

	constructor({ engine, store, onError }: WorkerOptions) {
		this.#engine = engine;
		this.#store = store;
		this.#onError = onError ?? (() => undefined);
	}

	start(): void {
		if (this.#running) return;
		this.#running = true;
		const freed = this.#store.leases.freeGone().catch(this.#onError);
		this.#loops = Array.from({ length: PLACES }, () => freed.then(() => this.#loop()));
	}

	/** Resolves when no migration is being moved by this server any more. */
	async stop(): Promise<void> {
		this.#running = false;
		this.poke();
		await Promise.all(this.#loops);
		this.#loops = [];
	}

	/** Looks now instead of at the next time. */
	poke(): void {
		this.#wake.abort();
		this.#wake = new AbortController();
	}

	async #loop(): Promise<void> {
		while (this.#running) {
			const { signal } = this.#wake;
			try {
				const outcome = await this.#engine.advanceDue();
				if (outcome === 'held' && this.#running) await sleep(await this.#untilDue(), signal);
			} catch (error) {
				this.#onError(error);
				await sleep(LONGEST_SLEEP, signal);
			}
		}
	}

	async #untilDue(): Promise<number> {
		const next = await this.#store.leases.nextDue();
		if (next === null) return LONGEST_SLEEP;
		return Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, next - this.#store.now));
	}
}
