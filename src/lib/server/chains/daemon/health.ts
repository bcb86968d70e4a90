import type { DaemonState, DaemonStateReason } from './types.ts';
import { UnknownRefusals } from './unknownRefusals.ts';

const AWAY: ReadonlySet<DaemonState> = new Set(['down', 'unauthorized', 'warming-up']);

/** Whether nothing is known against a daemon: it answered, or was not asked yet. */
export const isHopeful = ({ state }: { readonly state: DaemonState }): boolean =>
	state === 'up' || state === 'unknown';

/** What a daemon's last answers say about it. */
export class Health {
	/** The wall clock, for people. */
	readonly #now: () => number;
	readonly #awayAfterMs: number;
	/** When it answered last, or was not asked yet, by a clock that nobody sets. */
	#heardAt = performance.now();
	state: DaemonState = 'unknown';
	since: number;
	lastGoodAt: number | null = null;
	reason: DaemonStateReason | null = null;
	mismatches = 0;
	readonly unknownRefusals = new UnknownRefusals();
	/** How often the daemon went away: behind the address may be another one afterwards. */
	absences = 0;

	/** @param awayAfterMs for how long it may not answer until it counts as away */
	constructor(now: () => number, awayAfterMs: number) {
		this.#now = now;
		this.#awayAfterMs = awayAfterMs;
		this.since = now();
	}

	/** Enters a state; `since` moves only when it is another one. */
	enter(state: DaemonState, reason: DaemonStateReason | null): void {
		if (state !== this.state) {
			this.since = this.#now();
			if (AWAY.has(state)) this.absences += 1;
		}
		this.state = state;
		this.reason = reason;
	}

	/** Whether it has not answered for a while. */
	get isAway(): boolean {
		if (this.state === 'up') return false;
		return performance.now() - this.#heardAt >= this.#awayAfterMs;
	}

	good(): void {
		this.lastGoodAt = this.#now();
		this.#heardAt = performance.now();
	}
}
