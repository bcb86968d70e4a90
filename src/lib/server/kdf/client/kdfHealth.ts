import type { KdfError } from './kdfError.ts';
import type { KdfInfo, KdfState } from './kdfTypes.ts';

/** A shorter wait says nothing about the node. */
const SLOW_MS = 300;

const AWAY: ReadonlySet<KdfState> = new Set(['down']);

/** What is known of a node from its last answers. */
export class KdfHealth {
	/** The wall clock, for people. */
	readonly #now: () => number;
	readonly #onAway: () => void;
	state: KdfState = 'unknown';
	/** When the state began, Unix milliseconds. */
	since: number;
	lastGoodAt: number | null = null;
	reason: KdfInfo['reason'] = null;
	/** How often it went away. */
	absences = 0;
	/** Somebody waited in vain, and nothing has answered since. */
	silent = false;

	constructor(now: () => number, onAway: () => void) {
		this.#now = now;
		this.#onAway = onAway;
		this.since = now();
	}

	/** Whether a call is worth another try: nothing is known against the node. */
	get promising(): boolean {
		return this.state === 'up' || this.state === 'unknown';
	}

	/** Whether it should be polled again soon. */
	get unhealthy(): boolean {
		return this.state !== 'up';
	}

	/** Takes note of a good answer. */
	good(): void {
		this.lastGoodAt = this.#now();
		this.silent = false;
		this.enter('up', null);
	}

	/** Takes note that somebody waited in vain. Long before the deadline of a call people can see it. */
	noteSilent(waitedMs: number, error: KdfError): void {
		if (waitedMs < SLOW_MS) return;
		this.silent = true;
		if (!this.promising) return;
		this.enter('busy', error);
	}

	/** @param error what the state was found by */
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
