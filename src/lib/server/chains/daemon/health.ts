import type { DaemonState, DaemonStateReason } from './types.ts';
import { UnknownRefusals } from './unknownRefusals.ts';

const AWAY: ReadonlySet<DaemonState> = new Set(['down', 'unauthorized', 'warming-up']);

/** What a daemon's last answers say about it. */
export class Health {
	readonly #now: () => number;
	state: DaemonState = 'unknown';
	since: number;
	lastGoodAt: number | null = null;
	reason: DaemonStateReason | null = null;
	mismatches = 0;
	readonly unknownRefusals = new UnknownRefusals();
	/** How often the daemon went away: behind the address may be another one afterwards. */
	absences = 0;

	constructor(now: () => number) {
		this.#now = now;
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

	good(): void {
		this.lastGoodAt = this.#now();
	}
}
