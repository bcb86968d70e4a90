/**
 * A connection to the server's event stream that is kept alive: a lost one is retried with backoff, and
 * resumes after the last event received. Runs in a shared worker, or in the page where there is none.
 */
import type { LiveMessage } from './liveRules.ts';
import { spreadWait } from './spreadWait.ts';

/** An event with its id, whose first part identifies the server process. */
export interface LiveNews {
	id: string;
	message: LiveMessage;
}

/** Whether events arrive, and since when not: Unix milliseconds. */
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
/**
 * Time without a heartbeat after which the connection counts as lost; the server sends one every 15
 * seconds.
 */
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

	/** Id of the last event received; null before the first. */
	get last(): string | null {
		return this.#last;
	}

	/** Current state; null while the first connection is being established. */
	get state(): LiveState | null {
		return this.#state;
	}

	/** Connects, starting after this event if none was received yet; does nothing when connected. */
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

	/** Reconnects after this event, with the account that is signed in now. */
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

	/** Schedules a reconnection: the browser's own retry has no backoff and stops after a response like 503. */
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
