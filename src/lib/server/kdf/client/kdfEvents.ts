/**
 * Event stream of a trading node: one permanent connection, under an id that cannot be guessed, because the
 * stream asks for no password. An event is only a hint to poll, and its content is not trusted (KDF 2.5.1:
 * events are dropped when there are too many, and none is repeated).
 */
import { randomInt } from 'node:crypto';
import { Client, type Dispatcher } from 'undici';
import { isJsonObject, readableJson } from '#lib/rpc/json.ts';
import { Lines } from '../../chains/upstream/answers/lines.ts';
import { connectorOf } from '../../chains/upstream/trust.ts';
import type { CertificateTrust } from '../../platform/config/types.ts';

interface KdfEventsOptions {
	/** Base address of the node. */
	url: string;
	trust?: CertificateTrust | undefined;
	connectTimeoutMs: number;
	/** Whether the node may be contacted now. */
	mayListen: () => Promise<boolean>;
	/** Called with the id of a task that has an event. */
	onTask: (task: number) => void;
	/** Called when an open stream has ended: the node may have been started again. */
	onEnd: () => void;
	/** Backoff in milliseconds before a lost connection is opened again: doubles from the first to the last. */
	waits?: { first: number; last: number };
}

const PATH = '/event-stream';
const WAITS = { first: 500, last: 60_000 };
/** A connection that lasted this long resets the backoff. Milliseconds. */
const STEADY_MS = 10_000;
const HEADERS_MS = 10_000;
/** Maximum length of a line; no event of a task is longer. Bytes. */
const MOST_LINE = 64 * 1024;
/** A node that sends more within a second is disconnected for now: polling continues. Bytes. */
const MOST_IN_A_SECOND = 1024 * 1024;
/** Upper bound of client ids: the registry's numbers are safe integers. 0 is the id of clients that name none. */
const MOST_ID = 2 ** 48 - 1;
const TASK = /^TASK:(\d{1,15})$/;

/** Returns the task that a line of the stream is about; null for every other line. */
export function taskOf(line: string): number | null {
	// Most events are about other things, and are skipped without parsing.
	if (!line.startsWith('data:') || !line.includes('TASK:')) return null;
	const event = readableJson(line.slice('data:'.length).trim());
	const type = isJsonObject(event) ? event['_type'] : undefined;
	const found = typeof type === 'string' ? TASK.exec(type) : null;
	return found === null ? null : Number(found[1]);
}

export class KdfEvents {
	readonly #options: KdfEventsOptions;
	readonly #waits: { first: number; last: number };
	/** Created once: a certificate file that is removed later must not end the server. */
	readonly #connect: ReturnType<typeof connectorOf>;
	#client: Client | null = null;
	#id: number | null = null;
	#timer: NodeJS.Timeout | undefined;
	#wait: number;
	#running = false;

	constructor(options: KdfEventsOptions) {
		this.#options = options;
		this.#waits = options.waits ?? WAITS;
		this.#connect = connectorOf(options.trust, { timeout: options.connectTimeoutMs });
		this.#wait = this.#waits.first;
	}

	/** Client id under which the node sends events of tasks; null while there is no connection. */
	get listener(): number | null {
		return this.#id;
	}

	start(): void {
		if (this.#running) return;
		this.#running = true;
		void this.#open();
	}

	async close(): Promise<void> {
		this.#running = false;
		clearTimeout(this.#timer);
		this.#id = null;
		await this.#client?.destroy();
		this.#client = null;
	}

	async #open(): Promise<void> {
		const { url, mayListen } = this.#options;
		if (!(await mayListen().catch(() => false))) return this.#later();
		if (!this.#running) return;
		const target = new URL(url);
		if (target.hostname === 'localhost') target.hostname = '127.0.0.1';
		// A new id for each connection: the node may not have noticed the end of the last one.
		const id = randomInt(1, MOST_ID);
		const client = new Client(target.origin, {
			connect: this.#connect,
			headersTimeout: HEADERS_MS,
			bodyTimeout: 0
		});
		this.#client = client;
		let over = false;
		const end = (): void => {
			if (over) return;
			over = true;
			if (this.#id === id) {
				this.#id = null;
				this.#options.onEnd();
			}
			void client.destroy().catch(() => undefined);
			if (this.#client === client) this.#client = null;
			this.#later();
		};
		client.dispatch(
			{ path: `${PATH}?id=${id}`, method: 'GET', headers: { accept: 'text/event-stream' } },
			this.#reader(id, end)
		);
	}

	readonly #hear = (line: string): void => {
		const task = taskOf(line);
		if (task !== null) this.#options.onTask(task);
	};

	#reader(id: number, end: () => void): Dispatcher.DispatchHandler {
		const lines = new Lines(MOST_LINE);
		let since = 0;
		let second = 0;
		let heard = 0;
		/** Counts `size`; whether the node is still within its limit for the current second. */
		const bearable = (size: number): boolean => {
			const now = Math.floor(performance.now() / 1_000);
			if (now !== second) [second, heard] = [now, 0];
			heard += size;
			return heard <= MOST_IN_A_SECOND;
		};
		const over = (): void => {
			if (since > 0 && performance.now() - since > STEADY_MS) this.#wait = this.#waits.first;
			end();
		};
		return {
			onRequestStart: () => undefined,
			onResponseStart: (controller, status, headers) => {
				const type = String(headers['content-type'] ?? '');
				if (status !== 200 || !type.startsWith('text/event-stream')) {
					// The node has no event stream, or another service answers.
					controller.abort(new Error('This is no stream of events.'));
					return;
				}
				since = performance.now();
				this.#id = id;
			},
			onResponseData: (controller, chunk) => {
				if (!bearable(chunk.length) || !lines.add(chunk, this.#hear)) {
					controller.abort(new Error('The node says too much.'));
				}
			},
			onResponseEnd: over,
			onResponseError: over
		};
	}

	#later(): void {
		if (!this.#running) return;
		// Jitter: after a network outage, not all nodes are contacted at once.
		const wait = this.#wait * (0.75 + Math.random() / 2);
		this.#wait = Math.min(this.#waits.last, this.#wait * 2);
		this.#timer = setTimeout(() => void this.#open(), wait);
		this.#timer.unref();
	}
}
