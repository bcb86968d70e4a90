import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHeldAnswers } from './heldAnswers.ts';

const LONG = 20_000;
const SHORT = 10_000;

let server: Server;
/** Responses that the server has not sent, in order of their requests. */
let responses: ServerResponse[];

beforeEach(async () => {
	responses = [];
	server = createServer((_request, response) => void responses.push(response)).listen(
		0,
		'127.0.0.1'
	);
	await once(server, 'listening');
});
afterEach(() => void server.close().closeAllConnections());

/** Sends requests at once on one connection, and waits until the server has read them. */
async function request(count: number): Promise<Socket> {
	const expected = responses.length + count;
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
	socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
	await vi.waitUntil(() => responses.length === expected);
	return socket;
}

test('a short response counts only behind another one of its connection, and is never refused', async () => {
	const held = createHeldAnswers(2 * SHORT);
	await request(3);
	const [first, second, third] = responses as [ServerResponse, ServerResponse, ServerResponse];
	expect(held.hold('ada', SHORT, first, true)).toBe(true);
	expect(held.hold('ada', SHORT, second, true)).toBe(true);
	expect(held.isFull('ada')).toBe(false);
	expect(held.hold('ada', LONG, first, true)).toBe(false);
	expect(held.hold('ada', SHORT, third, true)).toBe(true);
	expect([held.isFull('ada'), held.isFull('bob')]).toEqual([true, false]);
});

test('responses count until they are sent or their connection closes, once each', async () => {
	const held = createHeldAnswers(2 * LONG);
	const gone = await request(2);
	await request(1);
	const [first, second, other] = responses as [ServerResponse, ServerResponse, ServerResponse];
	for (const response of [first, second, other]) held.hold('ada', LONG, response, false);
	expect(held.isFull('ada')).toBe(true);
	gone.destroy();
	await vi.waitUntil(() => !held.isFull('ada'));
	// The other one still counts.
	await request(2);
	const [fourth, fifth] = responses.slice(3) as [ServerResponse, ServerResponse];
	expect(held.hold('ada', LONG + 1, fourth, true)).toBe(false);
	expect(held.hold('ada', LONG, second, true)).toBe(true);
	expect(held.hold('ada', LONG, fourth, true)).toBe(true);
	expect(held.isFull('ada')).toBe(true);
	fourth.end();
	await vi.waitUntil(() => !held.isFull('ada'));
	expect(held.hold('ada', LONG, fifth, true)).toBe(true);
	expect(held.isFull('ada')).toBe(true);
});

test('a response that grows counts as it does, and no longer once it ended; what may have acted is not refused', () => {
	const held = createHeldAnswers(2 * LONG);
	const [one, other] = [held.grow('ada'), held.grow('ada')];
	expect([one.add(LONG, true), other.add(LONG, true)]).toEqual([true, true]);
	expect([one.isFull(), held.grow('bob').isFull()]).toEqual([true, false]);
	expect([other.add(LONG, true), other.add(SHORT, true), other.add(LONG, false)]).toEqual([
		false,
		true,
		true
	]);
	other.end();
	other.end();
	expect([one.isFull(), one.add(LONG, true), one.isFull()]).toEqual([false, true, true]);
	one.end();
	expect(held.isFull('ada')).toBe(false);
});
