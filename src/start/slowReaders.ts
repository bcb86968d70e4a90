import type { Socket } from 'node:net';

/** What a connection must take of what waits for it. */
export interface ReaderPace {
	/** Milliseconds over which it is measured. */
	windowMs: number;
	/** Bytes within the window. */
	bytes: number;
}

/** What Node knows of a connection and does not document: how much of it has really gone out. */
interface SocketInside {
	_bytesDispatched?: number;
	_handle?: { writeQueueSize?: number } | null;
}

/** Bytes that the operating system has taken of what was written. */
function takenBytes(socket: Socket): number {
	const { _bytesDispatched: dispatched, _handle: handle } = socket as unknown as SocketInside;
	if (dispatched === undefined) return socket.bytesWritten - socket.writableLength;
	return dispatched - (handle?.writeQueueSize ?? 0);
}

/**
 * Cuts off who asks for a long answer and does not take it: it would hold memory, and a read of the database,
 * for as long as it likes.
 */
export class SlowReaders {
	readonly #pace: ReaderPace;
	/** Since when something waits for a connection, and what it had taken then. */
	readonly #waiting = new Map<Socket, { since: number; taken: number }>();
	readonly #sockets = new Set<Socket>();

	constructor(pace: ReaderPace) {
		this.#pace = pace;
	}

	watch(socket: Socket): void {
		this.#sockets.add(socket);
		socket.once('close', () => {
			this.#sockets.delete(socket);
			this.#waiting.delete(socket);
		});
	}

	/** Looks at every connection; `now` in milliseconds. */
	look(now: number): void {
		for (const socket of this.#sockets) {
			if (socket.writableLength === 0) {
				this.#waiting.delete(socket);
				continue;
			}
			const taken = takenBytes(socket);
			const before = this.#waiting.get(socket);
			if (before === undefined) this.#waiting.set(socket, { since: now, taken });
			else if (now - before.since >= this.#pace.windowMs) {
				if (taken - before.taken < this.#pace.bytes) socket.destroy();
				else this.#waiting.set(socket, { since: now, taken });
			}
		}
	}
}
