/**
 * The node's event stream: who listens, and what each listener subscribed to. Nothing is repeated: what happens
 * while nobody listens is told to nobody.
 */
import { stringifyJson, type JsonValue } from '#lib/rpc/json.ts';

/** Writes one event of a source to whoever subscribed to it. */
export type Emit = (message: JsonValue) => void;

/** Begins to watch something; the returned function ends it. */
export type Source = (emit: Emit) => () => void;

/** Why a subscription is not made or ended, in the node's word. */
export type StreamProblem = 'UnknownClient' | 'ClientAlreadyListening' | 'StreamerNotFound';

interface Running {
	listeners: Set<bigint>;
	stop: () => void;
}

/** Events that may wait for one listener; further ones are dropped without a word (KDF 2.5.1). */
const MOST_WAITING = 1024;

/** One event as it travels: no name, no id, and a blank before the end of its line. */
const frameOf = (type: string, message: JsonValue): string =>
	`data: ${stringifyJson({ _type: type, message })} \n\n`;

export class Streams {
	readonly #listeners = new Map<bigint, (text: string) => void>();
	readonly #running = new Map<string, Running>();

	/**
	 * Takes a listener in.
	 * @param write writes a text and calls back when it has left
	 * @returns what ends it, with all of its subscriptions; null when the id is in use
	 */
	connect(id: bigint, write: (text: string, left: () => void) => void): (() => void) | null {
		if (this.#listeners.has(id)) return null;
		let waiting = 0;
		this.#listeners.set(id, (text) => {
			if (waiting >= MOST_WAITING) return;
			waiting++;
			write(text, () => waiting--);
		});
		return () => {
			this.#listeners.delete(id);
			for (const streamer of [...this.#running.keys()]) this.#leave(streamer, id);
		};
	}

	/** Sends one event to a listener; to nobody when there is none of the id. */
	tell(id: bigint, type: string, message: JsonValue): void {
		this.#listeners.get(id)?.(frameOf(type, message));
	}

	/** Subscribes a listener; null when that went well. */
	enable(id: bigint, streamer: string, source: Source): StreamProblem | null {
		if (!this.#listeners.has(id)) return 'UnknownClient';
		const running = this.#running.get(streamer);
		if (running?.listeners.has(id)) return 'ClientAlreadyListening';
		if (running) {
			running.listeners.add(id);
			return null;
		}
		const listeners = new Set([id]);
		const stop = source((message) => {
			for (const one of listeners) this.tell(one, streamer, message);
		});
		this.#running.set(streamer, { listeners, stop });
		return null;
	}

	/** Ends a subscription; null when that went well. */
	disable(id: bigint, streamer: string): StreamProblem | null {
		if (!this.#listeners.has(id)) return 'UnknownClient';
		return this.#leave(streamer, id) ? null : 'StreamerNotFound';
	}

	#leave(streamer: string, id: bigint): boolean {
		const running = this.#running.get(streamer);
		if (!running?.listeners.delete(id)) return false;
		if (running.listeners.size === 0) {
			running.stop();
			this.#running.delete(streamer);
		}
		return true;
	}

	/** Ends whatever watches, as the end of the node does. */
	clear(): void {
		for (const { stop } of this.#running.values()) stop();
		this.#running.clear();
		this.#listeners.clear();
	}
}
