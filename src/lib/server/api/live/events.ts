/** What an open page is told, and the recent past of it for readers that come back. */
import { randomBytes } from 'node:crypto';

export type LiveEvent =
	/** A block is the tip of a chain, or was on the way there. Time: Unix seconds, as the block says. */
	| { type: 'block'; chain: string; height: number; hash: string; time: number }
	/** A notarization of `symbol` is in a block of `chain`; `height` is what it notarizes. */
	| { type: 'notarization'; chain: string; symbol: string; height: number }
	/** A migration moved. */
	| { type: 'migration'; id: string; state: string }
	/** What is known of burns that are published for notaries changed: visitors may see them, too. */
	| { type: 'published' }
	/** An activation on a trading node moved. */
	| { type: 'activation'; id: string; state: string }
	/** A safety control was turned on or off, or a daemon went away or came back. */
	| { type: 'frame' }
	/** What waits for members is more or less than it was. */
	| { type: 'team' }
	/** The list of notices of a member changed; told to that member alone, without the account. */
	| { type: 'notices'; account: string }
	/** How far the index of a chain is. */
	| { type: 'chain'; chain: string; state: string; height: number; target: number };

/** An event with its number in the order of all events of this process. */
export interface Numbered {
	n: number;
	event: LiveEvent;
}

/** Events that are kept for readers that were away: an hour of a busy network. */
const KEPT = 2_000;

/**
 * The last events in their order. An id is the name of this run of the process and a number within it, so
 * that an id of another run, or of another replica, is told from one of this.
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

	/** The id of the last event; before the first one that of the beginning. */
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

	/** What came after this id; null when that is not known here any more. */
	after(id: string): Numbered[] | null {
		const [run, number] = id.split('.', 2);
		const n = Number(number);
		if (run !== this.run || !Number.isSafeInteger(n) || n < 0 || n > this.#last) return null;
		const first = this.#last - Math.min(this.#kept, this.#events.length);
		if (n < first) return null;
		return this.#events.filter((event) => event.n > n);
	}
}

/** An event in the form of an event stream. */
export function eventText(type: string, id: string, data: unknown): string {
	return `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
