import { createConnection, type Socket } from 'node:net';
import { connect } from 'node:tls';

interface Told {
	method: string;
	params: unknown[];
}

interface Answered {
	id: number;
	result?: unknown;
	error?: unknown;
}

/** A minimal client of an Electrum server: one line of JSON in each direction. */
export class ElectrumSocket {
	readonly #socket: Socket;
	readonly #answers = new Map<number, (answer: Answered) => void>();
	readonly #told: Told[] = [];
	#hear: ((told: Told) => void) | null = null;
	#rest = '';
	#next = 0;

	private constructor(socket: Socket) {
		this.#socket = socket;
		socket.setEncoding('utf8');
		socket.on('data', (part) => {
			const lines = (this.#rest + String(part)).split('\n');
			this.#rest = lines.pop()!;
			for (const line of lines) this.#take(JSON.parse(line) as Told | Answered);
		});
		socket.on('error', () => socket.destroy());
	}

	static open(port: number, line: 'tcp' | 'ssl'): Promise<ElectrumSocket> {
		return new Promise((resolve, reject) => {
			const socket =
				line === 'tcp'
					? createConnection({ host: '127.0.0.1', port })
					: connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
			socket.once('error', reject);
			socket.once(line === 'tcp' ? 'connect' : 'secureConnect', () =>
				resolve(new ElectrumSocket(socket))
			);
		});
	}

	#take(message: Told | Answered): void {
		if ('id' in message) {
			this.#answers.get(message.id)?.(message);
			this.#answers.delete(message.id);
		} else if (this.#hear) {
			this.#hear(message);
			this.#hear = null;
		} else this.#told.push(message);
	}

	/** The result of a method, or its error as a rejection. */
	async call<T>(method: string, ...params: unknown[]): Promise<T> {
		const id = this.#next++;
		const answer = new Promise<Answered>((resolve) => this.#answers.set(id, resolve));
		this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
		const { result, error } = await answer;
		if (error !== undefined) throw new Error((error as { message: string }).message);
		return result as T;
	}

	/** The next notification of the server. */
	told(): Promise<Told> {
		const first = this.#told.shift();
		return first ? Promise.resolve(first) : new Promise((resolve) => (this.#hear = resolve));
	}

	/** Resolves when the server closes the connection. */
	ended(): Promise<void> {
		return new Promise((resolve) => this.#socket.once('close', () => resolve()));
	}

	close(): void {
		this.#socket.destroy();
	}
}
