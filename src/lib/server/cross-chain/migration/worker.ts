/** Wakes migrations when they are due. Any number of servers may run one over the same database. */
import { sleep } from '../../platform/async/sleep.ts';
import { Places } from '../../platform/jobs/places.ts';
import type { Lease } from '../../platform/jobs/rows.ts';
import type { Engine } from './engine.ts';
import type { MigrationStore } from './store.ts';

/** Migrations that one server moves at the same time, but for those that wait for an answer. */
const PLACES = 4;
/** The longest sleep: another server may have made something due. Milliseconds. */
const LONGEST_SLEEP = 1_000;
const SHORTEST_SLEEP = 20;

interface WorkerOptions {
	engine: Engine;
	store: MigrationStore;
	/** Hears of what went wrong in a move; the migration is tried again when its lease has ended. */
	onError?: ((error: unknown) => void) | undefined;
}

export class Worker {
	readonly #engine: Engine;
	readonly #store: MigrationStore;
	readonly #onError: (error: unknown) => void;
	readonly #places = new Places(PLACES, () => this.poke());
	#running = false;
	#loop: Promise<void> = Promise.resolve();
	#wake = new AbortController();

	constructor({ engine, store, onError }: WorkerOptions) {
		this.#engine = engine;
		this.#store = store;
		this.#onError = onError ?? (() => undefined);
	}

	start(): void {
		if (this.#running) return;
		this.#running = true;
		this.#loop = this.#run();
	}

	/** Resolves when no migration is being moved by this server any more. */
	async stop(): Promise<void> {
		this.#running = false;
		this.poke();
		await this.#loop;
		await this.#places.ended();
	}

	/** Looks now instead of at the next time. */
	poke(): void {
		this.#wake.abort();
		this.#wake = new AbortController();
	}

	async #run(): Promise<void> {
		await this.#store.leases.freeGone().catch(this.#onError);
		while (this.#running) {
			const { signal } = this.#wake;
			try {
				const lease = this.#places.isFree ? await this.#engine.takeDue() : null;
				if (lease) this.#places.begin(() => this.#move(lease));
				else if (this.#running) await sleep(await this.#untilDue(), signal);
			} catch (error) {
				this.#onError(error);
				await sleep(LONGEST_SLEEP, signal);
			}
		}
	}

	async #move(lease: Lease): Promise<void> {
		try {
			await this.#engine.move(lease);
		} catch (error) {
			this.#onError(error);
		}
	}

	async #untilDue(): Promise<number> {
		if (!this.#places.isFree) return LONGEST_SLEEP;
		const next = await this.#store.leases.nextDue();
		if (next === null) return LONGEST_SLEEP;
		return Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, next - this.#store.now));
	}
}
