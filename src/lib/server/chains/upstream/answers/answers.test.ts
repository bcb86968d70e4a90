import { afterAll, describe, expect, it } from 'vitest';
import { JsonNumber } from '#lib/rpc/json.ts';
import { asWritten } from '#lib/rpc/tolerant.ts';
import { Collected } from './collected.ts';
import { packed, unpacked } from './crossing.ts';
import { measureJson } from './measure.ts';
import { read } from './read.ts';
import { Readers } from './readers.ts';
import { isAppError } from '../../../platform/errors/appError.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const result = (text: string): Buffer => bytes(`{"result":${text},"error":null,"id":"me"}\n`);
const many = (count: number, one: string): string => `[${Array(count).fill(one).join(',')}]`;
const HASH = 'ab'.repeat(32);

describe('measuring an answer', () => {
	it('counts its values and finds the id of the outermost object', () => {
		const text = '{"result":[1,"a,b",{"id":7}],"error":null,"id": "me" }';
		const { id, excess, values } = measureJson(bytes(text), 100);
		expect(excess).toBeNull();
		expect(values).toBeGreaterThanOrEqual(6);
		expect(text.slice(id!.start, id!.end).trim()).toBe('"me"');
	});

	it.each([
		['{"result":"\\"id\\":1","error":null}', null],
		['{"result":"id","error":null}', null],
		['{"result":{"id":1}}', null],
		['{"id":1,"result":2,"id":3}', '3'],
		['["id",1]', null]
	])('takes nothing else for the id: %s', (text, expected) => {
		const { id } = measureJson(bytes(text), 100);
		expect(id === null ? null : text.slice(id.start, id.end)).toBe(expected);
	});

	it.each([
		['values', many(200, '0')],
		['values', many(200, '[]')],
		['values', `{${Array.from({ length: 200 }, (_, at) => `"${at}":1`).join(',')}}`],
		['depth', '['.repeat(90)],
		['digits', `[${'1'.repeat(500)}]`],
		['text', `["${'x'.repeat(10 * 1024 * 1024)}"]`]
	])('ends at too many %s', (excess, text) => {
		expect(measureJson(bytes(text), 100).excess).toBe(excess);
	});

	it('does not count what stands in texts', () => {
		expect(measureJson(bytes(`["${'[,'.repeat(1_000)}\\""]`), 10).excess).toBeNull();
	});
});

describe('reading an answer', () => {
	it('ends at the first fault, and says where in a few words', () => {
		const body = result(many(9_000, `{"${'x'.repeat(30)}":1}`));
		const began = performance.now();
		const said = read({ kind: 'daemon', method: 'tokenlist', dialect: 'komodod', body });
		expect(performance.now() - began).toBeLessThan(5_000);
		expect(said.kind).toBe('mismatch');
		expect(JSON.stringify(said).length).toBeLessThan(600);
	});

	it.each([
		['getblockcount', many(30_000, '0'), 'values'],
		['getblockcount', `${'['.repeat(100)}${']'.repeat(100)}`, 'depth'],
		['getblockcount', '9'.repeat(100_000), 'digits'],
		['getrawmempool', `["${'x'.repeat(10 * 1024 * 1024)}"]`, 'text']
	] as const)('refuses what %s cannot be', (method, text, what) => {
		const said = read({ kind: 'daemon', method, dialect: 'komodod', body: result(text) });
		expect(said).toEqual({ kind: 'excess', what });
	});

	it('cuts the words of a refusal', () => {
		const message = 'x'.repeat(500_000);
		const body = bytes(`{"result":null,"error":{"code":-1,"message":"${message}"},"id":"me"}`);
		const said = read({ kind: 'daemon', method: 'getblockcount', dialect: 'komodod', body });
		expect(said.kind === 'error' && said.message.length).toBeLessThan(20_000);
	});

	it('takes a member called __proto__ for a member', () => {
		const body = result('{"__proto__":{"ismine":true},"isvalid":false}');
		const said = read({ kind: 'daemon', method: 'validateaddress', dialect: 'komodod', body });
		expect(({} as { ismine?: boolean }).ismine).toBeUndefined();
		expect(said.kind === 'result' && (said.native as { ismine?: boolean }).ismine).toBeFalsy();
	});

	it('tells an answer to another call of a node', () => {
		const body = bytes('{"mmrpc":"2.0","result":{"coins":[]},"id":8}');
		const ask = (id: bigint) =>
			read({ kind: 'node-said', method: 'get_enabled_coins', id, body }).kind;
		expect([ask(7n), ask(8n)]).toEqual(['other-call', 'said']);
	});
});

describe('bytes that come in', () => {
	it('are in one piece, and dropped when they are too many', () => {
		const collected = new Collected(100_000);
		for (let at = 0; at < 50_000; at += 1) expect(collected.add(bytes('x'))).toBe(true);
		expect(collected.bytes().toString()).toBe('x'.repeat(50_000));
		expect(collected.add(Buffer.alloc(60_000))).toBe(false);
		expect(collected.bytes()).toHaveLength(0);
	});

	it('are whole in whatever pieces they come', async () => {
		for (const piece of [1_000, 16_000, 20_000, 70_000]) {
			const collected = new Collected(4_000_000);
			const pieces = Array.from({ length: 50 }, (_, at) => String(at % 10).repeat(piece));
			for (const one of pieces) {
				expect(collected.add(bytes(one))).toBe(true);
				expect(collected.add(bytes('.'))).toBe(true);
			}
			const all = pieces.map((one) => `${one}.`).join('');
			expect((await collected.whole()).toString() === all).toBe(true);
			expect(collected.bytes().toString() === all).toBe(true);
		}
	});
});

describe('values between threads', () => {
	it('keep their digits', () => {
		const value = { a: [new JsonNumber('1.50'), 7n, null], b: { c: new JsonNumber('2e9') } };
		const over: unknown = structuredClone(packed(value));
		expect(unpacked(over)).toEqual({
			a: [new JsonNumber('1.50'), 7n, null],
			b: { c: new JsonNumber('2e9') }
		});
	});
});

describe('threads that read', () => {
	const open: Readers[] = [];
	const readersOf = (options: ConstructorParameters<typeof Readers>[0] = {}): Readers => {
		const made = new Readers(options);
		open.push(made);
		return made;
	};
	afterAll(() => Promise.all(open.map((one) => one.close())));

	it('give what is read here, of a daemon and of a node', async () => {
		const readers = readersOf();
		const info = result(
			'[{"txid":"' +
				HASH +
				'","vout":1,"generated":false,"address":"RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92","scriptPubKey":"76","segid":-2,"amount":1.50000000,"confirmations":3,"rawconfirmations":3,"spendable":true}]'
		);
		const reading = {
			kind: 'daemon',
			method: 'listunspent',
			dialect: 'komodod',
			body: info
		} as const;
		const here = read(reading);
		expect(here.kind).toBe('result');
		expect(await readers.away(reading)).toEqual(here);
		const body = bytes('{"mmrpc":"2.0","result":{"coins":[{"ticker":"KMD"}]},"id":0}');
		const node = { kind: 'node', method: 'get_enabled_coins', dialect: 'kdf', body } as const;
		expect(await readers.away(node)).toEqual(read(node));
	});

	it('take what is large, and leave the event loop to others', async () => {
		const readers = readersOf();
		// Started the thread.
		await readers.away({ kind: 'id', body: result('1') });
		const body = result(many(2_000_000, '0'));
		let longest = 0;
		let last = performance.now();
		const timer = setInterval(() => {
			const now = performance.now();
			longest = Math.max(longest, now - last);
			last = now;
		}, 5);
		const said = await readers.read({
			kind: 'daemon',
			method: 'tokenlist',
			dialect: 'komodod',
			body
		});
		clearInterval(timer);
		expect(said).toEqual({ kind: 'excess', what: 'values' });
		// The goal is 200 ms; this is for a machine with other work.
		expect(longest).toBeLessThan(2_000);
	});

	it('refuse more than may wait', async () => {
		const readers = readersOf({ threads: 1, queue: { answers: 2, bytes: 1_000 } });
		const ask = () =>
			readers.away({ kind: 'id', body: result('1') }).catch((error: unknown) => error);
		const answers = await Promise.all([ask(), ask(), ask(), ask()]);
		expect(answers.flatMap((one) => (isAppError(one, 'answer') ? [one.code] : []))).toEqual([
			'answer.readers-busy'
		]);
	});

	it('end alone when one takes too long or too much, and the next answer is read', async () => {
		const readers = readersOf({ threads: 1, timeoutMs: 1 });
		const body = result(many(400_000, `"${HASH}"`));
		const failed: unknown = await readers
			.away({ kind: 'daemon', method: 'tokenlist', dialect: 'komodod', body })
			.catch((error: unknown) => error);
		expect(failed).toMatchObject({ code: 'answer.reading-failed' });
		const small = readersOf({ threads: 1, heapMb: 32 });
		const starved: unknown = await small
			.away({ kind: 'daemon', method: 'tokenlist', dialect: 'komodod', body })
			.catch((error: unknown) => error);
		expect(starved).toMatchObject({ code: 'answer.reading-failed' });
		expect(await small.away({ kind: 'id', body: result('1') })).not.toBeNull();
	});

	it('tell what was written where that was read tolerantly', async () => {
		const readers = readersOf();
		const body = result('"42"');
		const said = await readers.away({
			kind: 'daemon',
			method: 'getblockcount',
			dialect: 'komodod',
			body
		});
		expect(said).toEqual({ kind: 'result', native: 42, written: '42', leftOut: [] });
		expect(asWritten(42)).toBeUndefined();
	});
});
