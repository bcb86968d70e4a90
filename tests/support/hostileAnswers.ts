/**
 * A server with responses that no daemon would send: endless, malformed, false, of the wrong size. It writes
 * bytes to a plain socket, because an HTTP library would refuse to write half of them.
 */
import { createServer, type Socket, type AddressInfo } from 'node:net';

/** Facts about the request. */
interface Asked {
	id: string;
	method: string;
}

/** Writes the answer to one request. */
type Answer = (socket: Socket, asked: Asked) => void;

const head = (length: number | string, status = '200 OK', more = ''): string =>
	`HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

const whole =
	(body: (asked: Asked) => string, status?: string, more?: string): Answer =>
	(socket, asked) => {
		const bytes = Buffer.from(body(asked), 'utf8');
		socket.write(head(bytes.length, status, more));
		socket.write(bytes);
	};
const result = (text: string): Answer =>
	whole(({ id }) => `{"result":${text},"error":null,"id":${id}}\n`);
const many = (count: number, one: string): string => `[${Array(count).fill(one).join(',')}]`;

/** Writes the same bytes again and again until the reader is gone. */
const endless =
	(before: string, piece: string): Answer =>
	(socket) => {
		socket.write(before);
		const more = (): void => {
			while (!socket.destroyed && socket.write(piece));
		};
		socket.on('drain', more);
		more();
	};

/** Writes a few bytes at a time. */
const dripping =
	(before: string, piece: string): Answer =>
	(socket) => {
		socket.write(before);
		const timer = setInterval(() => socket.write(piece), 50);
		socket.on('close', () => clearInterval(timer));
	};

const KIB = 'x'.repeat(1024);
const HASH = 'ab'.repeat(32);

/** The hostile responses by name. */
export const hostileAnswers: Readonly<Record<string, Answer>> = {
	'a million zeros': result(many(1_000_000, '0')),
	'twenty million zeros': result(many(20_000_000, '0')),
	'a million empty arrays': result(many(1_000_000, '[]')),
	'a million empty objects': result(many(1_000_000, '{}')),
	'objects with unknown members': result(many(100_000, '{"a":1,"b":[2,3],"c":"d"}')),
	'a hundred thousand names': result(
		`{${Array.from({ length: 100_000 }, (_, at) => `"name${at}":${at}`).join(',')}}`
	),
	'one name a hundred thousand times': result(`{${Array(100_000).fill('"a":1').join(',')}}`),
	'a member __proto__': result('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
	'arrays a hundred thousand deep': result(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
	'objects a hundred thousand deep': result(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
	'a number of a hundred thousand digits': result('9'.repeat(100_000)),
	'an exponent beyond all numbers': result('1e999999999'),
	'a text of fifty megabytes': result(`"${'x'.repeat(50 * 1024 * 1024)}"`),
	'a text of escapes': result(`"${'\\u0000'.repeat(200_000)}"`),
	'many hashes': result(many(60_000, `"${HASH}"`)),
	'a huge message': whole(
		({ id }) => `{"result":null,"error":{"code":-1,"message":"${KIB.repeat(900)}"},"id":${id}}`,
		'500 Internal Server Error'
	),
	'the id of another call': whole(() => '{"result":1,"error":null,"id":"another"}'),
	'a huge id': whole(() => `{"result":1,"error":null,"id":"${KIB.repeat(500)}"}`),
	'an array for one call': whole(({ id }) => `[{"result":1,"error":null,"id":${id}}]`),
	'an array of answers': whole(({ id }) => many(10_000, `{"result":1,"error":null,"id":${id}}`)),
	null: whole(() => 'null'),
	nothing: whole(() => ''),
	'no content': (socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
	'a page of HTML': whole(() => `<html>${KIB.repeat(900)}</html>`, '502 Bad Gateway'),
	'a redirect': whole(
		({ id }) => `{"result":1,"error":null,"id":${id}}`,
		'307 Temporary Redirect',
		'Location: http://127.0.0.1:1/\r\n'
	),
	'bytes that are no text': (socket) => {
		socket.write(head(200_000));
		socket.write(Buffer.alloc(200_000, 0xff));
	},
	'a length that is a lie': (socket) => void socket.write(`${head(5_000_000_000)}{"result":`),
	'a length that is too short': (socket, { id }) =>
		void socket.write(`${head(10)}{"result":1,"error":null,"id":${id}}${KIB}`),
	'an endless body': endless(`${CHUNKED}b\r\n{"result":"\r\n`, `400\r\n${KIB}\r\n`),
	'an endless body, byte by byte': endless(CHUNKED, '1\r\n[\r\n'.repeat(2_000)),
	'an endless head': endless('HTTP/1.1 200 OK\r\n', `X-More: ${KIB}\r\n`),
	'endless early hints': endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100)),
	'a dripping head': dripping('HTTP/1.1 200 OK\r\n', 'X-A: 1\r\n'),
	'a dripping body': dripping(`${CHUNKED}`, '1\r\n \r\n'),
	silence: () => undefined,
	'the end at once': (socket) => void socket.destroy(),
	'no HTTP': (socket) => void socket.write(`220 mail.example ESMTP\r\n${KIB}`)
};

/** The server; `answer` is its response to `methods`, all other methods are answered like a daemon. */
export class HostileServer {
	answer: Answer | null = null;
	/** Number of requests that got the hostile response. */
	given = 0;
	readonly #sockets = new Set<Socket>();
	readonly #usual: (asked: Asked) => string | null;
	readonly #server = createServer((socket) => this.#serve(socket));

	/** @param usual returns the result text of methods that are always answered correctly; else null */
	constructor(usual: (asked: Asked) => string | null) {
		this.#usual = usual;
	}

	async start(): Promise<string> {
		await new Promise<void>((done) => {
			this.#server.listen(0, '127.0.0.1', done);
		});
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.release();
		await new Promise((done) => {
			this.#server.close(done);
		});
	}

	/** Ends responses that are still being written. */
	release(): void {
		for (const socket of this.#sockets) socket.destroy();
	}

	#serve(socket: Socket): void {
		this.#sockets.add(socket);
		socket.on('close', () => this.#sockets.delete(socket));
		socket.on('error', () => undefined);
		let text = '';
		socket.on('data', (chunk: Buffer) => {
			text += chunk.toString('latin1');
			const body = text.split('\r\n\r\n')[1];
			const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? '0');
			if (body === undefined || body.length < length) return;
			text = '';
			const asked: Asked = {
				id: /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null',
				method: /"method":"([^"]*)"/.exec(body)?.[1] ?? ''
			};
			const usual = this.#usual(asked);
			if (usual !== null) return whole(() => usual)(socket, asked);
			if (this.answer === null) {
				const error = '{"code":-32601,"message":"Method not found"}';
				return whole(() => `{"result":null,"error":${error},"id":${asked.id}}\n`)(socket, asked);
			}
			this.given += 1;
			this.answer(socket, asked);
		});
	}
}
