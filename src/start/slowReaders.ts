import type { Socket } from 'node:net';

/** Minimum pace at which a connection must accept pending data. */
interface ReaderPace {
	/** Length of the measurement in milliseconds. */
	windowMs: number;
	/** Minimum bytes per window. */
	bytes: number;
}

/** Undocumented properties of Node's sockets that tell how much was actually sent. */
interface SocketInside {
	_bytesDispatched?: number;
	_handle?: { writeQueueSize?: number } | null;
}

/** Returns the number of bytes that the operating system has accepted. */
function takenBytes(socket: Socket): number {
	const { _bytesDispatched: dispatched, _handle: handle } = socket as unknown as SocketInside;
	if (dispatched === undefined) return socket.bytesWritten - socket.writableLength;
	return dispatched - (handle?.writeQueueSize ?? 0);
}

/**
 * Disconnects clients that request a long response and do not read it: they would hold memory and a database
 * read indefinitely.
 */
export class SlowReaders {
	readonly #pace: ReaderPace;
	/** Connections with pending data: the start of the measurement, and the bytes accepted until then. */
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

	/** Checks all connections; `now` in milliseconds. */
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
