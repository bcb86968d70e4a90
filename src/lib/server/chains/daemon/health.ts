import type { DaemonState, DaemonStateReason } from './types.ts';
import { UnknownRefusals } from './unknownRefusals.ts';

const AWAY: ReadonlySet<DaemonState> = new Set(['down', 'unauthorized', 'warming-up']);

/** Whether nothing speaks against a daemon: its last answer was good, or it was not asked yet. */
export const isHopeful = ({ state }: { readonly state: DaemonState }): boolean =>
	state === 'up' || state === 'unknown';

/** State of a daemon, derived from its last answers. */
export class Health {
	/** Wall clock in Unix milliseconds, for display. */
	readonly #now: () => number;
	readonly #awayAfterMs: number;
	/** When the daemon last answered (or this object was created), by the monotonic clock. */
	#heardAt = performance.now();
	state: DaemonState = 'unknown';
	since: number;
	lastGoodAt: number | null = null;
	reason: DaemonStateReason | null = null;
	mismatches = 0;
	readonly unknownRefusals = new UnknownRefusals();
	/** How often the daemon went away. Another daemon may have taken over its address each time. */
	absences = 0;

	/** @param awayAfterMs milliseconds without an answer after which the daemon counts as away */
	constructor(now: () => number, awayAfterMs: number) {
		this.#now = now;
		this.#awayAfterMs = awayAfterMs;
		this.since = now();
	}

	/** Enters a state; `since` changes only when the state does. */
	enter(state: DaemonState, reason: DaemonStateReason | null): void {
		if (state !== this.state) {
			this.since = this.#now();
			if (AWAY.has(state)) this.absences += 1;
		}
		this.state = state;
		this.reason = reason;
	}

	/** Whether the daemon is not up and has not answered for `awayAfterMs`. */
	get isAway(): boolean {
		if (this.state === 'up') return false;
		return performance.now() - this.#heardAt >= this.#awayAfterMs;
	}

	good(): void {
		this.lastGoodAt = this.#now();
		this.#heardAt = performance.now();
	}
}
