/**
 * One connection to the server's event stream, kept up: lost ones are tried again after growing waits and
 * go on behind the last event that came. Runs in a shared worker, or in the page where there is none.
 */
import type { LiveMessage } from './liveRules.ts';
import { spreadWait } from './spreadWait.ts';

/** An event with its id, whose first part names the run of the server that counts it. */
export interface LiveNews {
	id: string;
	message: LiveMessage;
}

/** Whether events come, and since when not: Unix milliseconds. */
export type LiveState = { live: true } | { live: false; since: number };

export interface LiveListener {
	news(news: LiveNews): void;
	state(state: LiveState): void;
}

const TYPES = [
	'block',
	'notarization',
	'migration',
	'published',
	'activation',
	'chain',
	'frame',
	'team',
	'notices',
	'reset'
] as const;
/** The server shows a sign of life every 15 seconds; after this long without one it is gone. */
const SILENCE_MS = 40_000;
const RETRY_MS = { first: 500, last: 30_000 };

export class LiveStream {
	readonly #listener: LiveListener;
	#source: EventSource | null = null;
	#last: string | null = null;
	#heardAt = Date.now();
	#retry = RETRY_MS.first;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#state: LiveState | null = null;

	constructor(listener: LiveListener) {
		this.#listener = listener;
	}

	/** The id of the last event that came; null before the first. */
	get last(): string | null {
		return this.#last;
	}

	/** How it stands; null while the first connection is being made. */
	get state(): LiveState | null {
		return this.#state;
	}

	/** Connects, behind this event when there was none yet; nothing when it is connected. */
	connect(after: string | null): void {
		if (this.#source !== null) return;
		this.#last ??= after;
		const query = this.#last === null ? '' : `?after=${encodeURIComponent(this.#last)}`;
		const source = new EventSource(`/api/events${query}`);
		this.#source = source;
		for (const type of TYPES) {
			source.addEventListener(type, (event: MessageEvent<string>) => {
				if (this.#source !== source) return;
				this.#heard(event.lastEventId);
				const data = JSON.parse(event.data) as Record<string, unknown>;
				const message = { ...data, type } as LiveMessage;
				this.#listener.news({ id: event.lastEventId, message });
			});
		}
		source.addEventListener('beat', (event: MessageEvent<string>) => {
			if (this.#source === source) this.#heard(event.lastEventId);
		});
		source.addEventListener('error', () => {
			if (this.#source === source) this.#lost();
		});
		this.#watch();
	}

	/** Connects anew behind this event, as whoever is logged in now. */
	reopen(after: string | null): void {
		this.close();
		this.#last = after;
		this.connect(null);
	}

	close(): void {
		clearTimeout(this.#timer);
		this.#source?.close();
		this.#source = null;
	}

	#heard(id: string): void {
		this.#last = id;
		this.#heardAt = Date.now();
		this.#retry = RETRY_MS.first;
		this.#watch();
		if (this.#state?.live) return;
		this.#state = { live: true };
		this.#listener.state(this.#state);
	}

	#watch(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#lost(), SILENCE_MS);
	}

	/** Tries again by itself: the browser's own retry knows no growing waits and gives up at an answer like 503. */
	#lost(): void {
		this.close();
		if (this.#state?.live !== false) {
			this.#state = { live: false, since: this.#heardAt };
			this.#listener.state(this.#state);
		}
		const wait = spreadWait(this.#retry);
		this.#retry = Math.min(RETRY_MS.last, this.#retry * 2);
		this.#timer = setTimeout(() => this.connect(null), wait);
	}
}
