import type { KdfError } from './kdfError.ts';
import type { KdfInfo, KdfState } from './kdfTypes.ts';

/** A shorter wait says nothing about the node. Milliseconds. */
const SLOW_MS = 300;

const AWAY: ReadonlySet<KdfState> = new Set(['down']);

/** Health of a node, by its last answers. */
export class KdfHealth {
	/** Wall clock, for display. */
	readonly #now: () => number;
	readonly #onAway: () => void;
	state: KdfState = 'unknown';
	/** When the state began, Unix milliseconds. */
	since: number;
	lastGoodAt: number | null = null;
	reason: KdfInfo['reason'] = null;
	/** How often the node went down. */
	absences = 0;
	/** Whether a caller's wait timed out, and the node has not answered since. */
	silent = false;

	constructor(now: () => number, onAway: () => void) {
		this.#now = now;
		this.#onAway = onAway;
		this.since = now();
	}

	/** Whether a call is worth another try: no failure of the node is known. */
	get promising(): boolean {
		return this.state === 'up' || this.state === 'unknown';
	}

	/** Whether it should be polled again soon. */
	get unhealthy(): boolean {
		return this.state !== 'up';
	}

	/** Records a good answer. */
	good(): void {
		this.lastGoodAt = this.#now();
		this.silent = false;
		this.enter('up', null);
	}

	/**
	 * Records that a caller's wait timed out, so that the state is visible long before the deadline of a call.
	 */
	noteSilent(waitedMs: number, error: KdfError): void {
		if (waitedMs < SLOW_MS) return;
		this.silent = true;
		if (!this.promising) return;
		this.enter('busy', error);
	}

	/**
	 * Changes the state.
	 * @param error the error from which the state follows
	 */
	enter(state: KdfState, error: KdfError | null): void {
		if (state !== this.state) {
			this.since = this.#now();
			if (AWAY.has(state)) {
				this.absences += 1;
				this.#onAway();
			}
		}
		this.state = state;
		this.reason = error?.coded ?? null;
	}
}
