/** Events that open pages receive, and a buffer of recent ones for clients that reconnect. */
import { randomBytes } from 'node:crypto';

export type LiveEvent =
	/**
	 * A block became the tip of a chain or was connected before it. Time: Unix seconds, as in the block's
	 * header.
	 */
	| { type: 'block'; chain: string; height: number; hash: string; time: number }
	/** A block of `chain` contains a notarization of `symbol`; `height` is the notarized height. */
	| { type: 'notarization'; chain: string; symbol: string; height: number }
	/** A migration changed its state. */
	| { type: 'migration'; id: string; state: string }
	/** Published burns or their notary approvals changed; visitors may see these, too. */
	| { type: 'published' }
	/** An activation on a trading node progressed. */
	| { type: 'activation'; id: string; state: string }
	/** A safety control was turned on or off, or the state of a daemon changed. */
	| { type: 'frame' }
	/** The amount of open work of members changed. */
	| { type: 'team' }
	/** The list of notices of a member changed. Sent to that member only, without the account. */
	| { type: 'notices'; account: string }
	/** Progress of the index of a chain. */
	| { type: 'chain'; chain: string; state: string; height: number; target: number };

/** An event with its sequence number in this process. */
export interface Numbered {
	n: number;
	event: LiveEvent;
}

/** Number of events kept for clients that reconnect: an hour of a busy network. */
const KEPT = 2_000;

/**
 * The last events in order. An event id consists of a random id of the process and a sequence number, so that
 * ids of an earlier process or of another replica are recognized.
 */
export class RecentEvents {
	readonly run: string;
	readonly #kept: number;
	#events: Numbered[] = [];
	#last = 0;

	constructor(kept = KEPT, run = randomBytes(6).toString('hex')) {
		this.#kept = kept;
		this.run = run;
	}

	/** The id of the last event; before the first one, the id of the start. */
	get position(): string {
		return this.idOf(this.#last);
	}

	idOf(n: number): string {
		return `${this.run}.${n}`;
	}

	add(event: LiveEvent): Numbered {
		this.#last += 1;
		const numbered = { n: this.#last, event };
		this.#events.push(numbered);
		if (this.#events.length > this.#kept * 2) this.#events = this.#events.slice(-this.#kept);
		return numbered;
	}

	/** Returns the events after this id; null when the buffer does not reach back that far, or for a foreign id. */
	after(id: string): Numbered[] | null {
		const [run, number] = id.split('.', 2);
		const n = Number(number);
		if (run !== this.run || !Number.isSafeInteger(n) || n < 0 || n > this.#last) return null;
		const first = this.#last - Math.min(this.#kept, this.#events.length);
		if (n < first) return null;
		return this.#events.filter((event) => event.n > n);
	}
}

/** Formats an event for an event stream. */
export function eventText(type: string, id: string, data: unknown): string {
	return `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
