/**
 * The node's event stream: its listeners and their subscriptions. Events are not stored; those without a
 * listener are lost.
 */
import { stringifyJson, type JsonValue } from '#lib/rpc/json.ts';

/** Sends an event of a source to its subscribers. */
export type Emit = (message: JsonValue) => void;

/** Starts a source of events; the returned function stops it. */
export type Source = (emit: Emit) => () => void;

/** Why a subscription could not be made or ended, in the node's words. */
export type StreamProblem = 'UnknownClient' | 'ClientAlreadyListening' | 'StreamerNotFound';

interface Running {
	listeners: Set<bigint>;
	stop: () => void;
}

/** Maximum number of unsent events per listener; further ones are silently dropped (KDF 2.5.1). */
const MOST_WAITING = 1024;

/** Formats an event as sent: no name, no id, and a space before the end of the line. */
const frameOf = (type: string, message: JsonValue): string =>
	`data: ${stringifyJson({ _type: type, message })} \n\n`;

export class Streams {
	readonly #listeners = new Map<bigint, (text: string) => void>();
	readonly #running = new Map<string, Running>();

	/**
	 * Connects a listener.
	 * @param write writes a text and calls back when it has been sent
	 * @returns a function that disconnects it and ends its subscriptions; null when the id is in use
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

	/** Sends an event to one listener; does nothing when it is not connected. */
	tell(id: bigint, type: string, message: JsonValue): void {
		this.#listeners.get(id)?.(frameOf(type, message));
	}

	/** Subscribes a listener; returns null on success. */
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

	/** Ends a subscription; returns null on success. */
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

	/** Stops all sources, when the node stops. */
	clear(): void {
		for (const { stop } of this.#running.values()) stop();
		this.#running.clear();
		this.#listeners.clear();
	}
}
