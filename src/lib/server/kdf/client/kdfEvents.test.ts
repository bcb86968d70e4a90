import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KdfEvents, taskOf } from './kdfEvents.ts';

let server: Server;
let url: string;
/** Open streams by client id. */
let open: Map<number, ServerResponse>;
/** Client ids of all connections, in order. */
let asked: number[];
let answer: 'stream' | 'disabled' | 'page' = 'stream';
let events: KdfEvents;
let tasks: number[];
let wake: () => void = () => undefined;

const told = (): void => wake();
async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
}

beforeEach(async () => {
	open = new Map();
	asked = [];
	tasks = [];
	answer = 'stream';
	server = createServer((request, response) => {
		const id = Number(new URL(request.url ?? '', 'http://node').searchParams.get('id'));
		asked.push(id);
		if (answer === 'stream') {
			response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
			open.set(id, response);
			response.on('close', () => open.delete(id));
		} else if (answer === 'page') {
			response
				.writeHead(200, { 'content-type': 'text/html' })
				.end('<p>data: {"_type":"TASK:1"} </p>');
		} else response.writeHead(500).end('Event streaming is disabled');
		told();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
	await events.close();
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

function listen(mayListen: () => Promise<boolean> = () => Promise.resolve(true)): void {
	events = new KdfEvents({
		url,
		connectTimeoutMs: 1_000,
		mayListen,
		onTask: (task) => {
			tasks.push(task);
			told();
		},
		onEnd: () => undefined,
		waits: { first: 1, last: 4 }
	});
	events.start();
}

it('hears of tasks whatever the network cuts the stream into, and of nothing else', async () => {
	listen();
	await until(() => open.size === 1);
	const [id] = asked;
	const response = open.get(id!)!;
	const frames = [
		'data: {"_type":"TASK:7","message":{"status":"InProgress","details":"Grüße"}} \n\n',
		'data: {"_type":"BALANCE:KMD","message":[]} \n\n',
		'data: {"_type":"ERROR:BALANCE:KMD","message":"TASK:9"} \n\n',
		': a comment\n\n',
		'data: not JSON \n\n',
		'data: {"_type":"TASK:-1"} \n\ndata: {"_type":"TASK:99999999999999999999"}\n\n',
		'data:{"_type":"TASK:8"}\r\n\r\n'
	];
	const bytes = Buffer.from(frames.join(''));
	for (let at = 0; at < bytes.length; at += 5) response.write(bytes.subarray(at, at + 5));
	await until(() => tasks.length === 2);
	expect(tasks).toEqual([7, 8]);
	expect(events.listener).toBe(id);
	expect(id).toBeGreaterThan(0);
	expect(Number.isSafeInteger(id)).toBe(true);
});

it('comes back under another number after each loss, and names none meanwhile', async () => {
	listen();
	for (let times = 1; times <= 4; times++) {
		await until(() => asked.length === times && open.size === 1);
		const id = asked.at(-1)!;
		open.get(id)!.write('data: {"_type":"TASK:1"} \n\n');
		await until(() => tasks.length === times);
		expect(events.listener).toBe(id);
		open.get(id)!.destroy();
	}
	expect(new Set(asked).size).toBe(asked.length);
});

it('takes no other answer for a stream, and asks again', async () => {
	for (const other of ['disabled', 'page'] as const) {
		answer = other;
		const before = asked.length;
		listen();
		await until(() => asked.length >= before + 3);
		expect(events.listener).toBeNull();
		await events.close();
	}
	expect(tasks).toEqual([]);
});

it('gives up a line that does not end', async () => {
	listen();
	await until(() => open.size === 1);
	const first = asked[0]!;
	open.get(first)!.write(`data: ${'x'.repeat(1_100_000)}`);
	await until(() => asked.length > 1 && !open.has(first));
});

it('asks nothing of a node that must be left alone', async () => {
	let looks = 0;
	listen(() => {
		looks += 1;
		told();
		return Promise.resolve(false);
	});
	await until(() => looks >= 3);
	expect(asked).toEqual([]);
});

it('reads the number of a task and nothing of what is said of it', () => {
	expect(taskOf('data: {"_type":"TASK:12","message":{}} ')).toBe(12);
	for (const line of ['', 'event: TASK:1', 'data: {"_type":"TASK:"}', 'data: 1', 'data: null']) {
		expect(taskOf(line)).toBeNull();
	}
});
