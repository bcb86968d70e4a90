import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addressOfPubkey, encodeAddress, SCRIPT_ADDRESS_VERSION } from '#lib/chain/address.ts';
import { recognizeError } from '#lib/rpc/errors/index.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const net = shared(() => startDevnet());

interface Raw {
	status: number;
	headers: { [name: string]: string | string[] | undefined };
	body: string;
	ms: number;
}

/** Sends a request exactly as given: the test sets method, path and credentials. */
const ask = (options: {
	method?: string;
	path?: string;
	auth?: string | null;
	body?: string | Buffer;
}): Promise<Raw> => {
	const { url, user, password } = net.chains.get('ALPHA')!;
	const auth = options.auth === undefined ? `${user}:${password}` : options.auth;
	const started = performance.now();
	return new Promise((resolve, reject) => {
		const sent = request(
			{
				port: new URL(url).port,
				host: '127.0.0.1',
				// A connection that is kept open may be closed by devnet while the next request is on its way.
				agent: false,
				method: options.method ?? 'POST',
				path: options.path ?? '/',
				...(auth === null ? {} : { auth })
			},
			(response) => {
				let body = '';
				response.on('data', (part: Buffer) => (body += part.toString()));
				response.on('error', reject);
				response.on('end', () =>
					resolve({
						status: response.statusCode!,
						headers: response.headers,
						body,
						ms: performance.now() - started
					})
				);
			}
		);
		sent.on('error', reject);
		sent.end(options.body ?? '');
	});
};

const call = (method: unknown, params?: unknown, id: unknown = 'a'): string =>
	JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('the HTTP face of a daemon', () => {
	test('answers one line in the order result, error, id and without jsonrpc', async () => {
		const reply = await ask({ body: call('getblockcount', []) });
		expect(reply.status).toBe(200);
		expect(reply.headers['content-type']).toBe('application/json');
		expect(reply.body).toMatch(/^\{"result":\d+,"error":null,"id":"a"\}\n$/);
	});

	test('any other path is 404 with nothing in it', async () => {
		for (const path of ['/x', '/?a', '/wallet/x']) {
			expect(await ask({ path, body: call('getinfo') })).toMatchObject({ status: 404, body: '' });
		}
	});

	test('only POST is served, and that is said before anybody asks for a password', async () => {
		const reply = await ask({ method: 'GET', auth: null });
		expect(reply).toMatchObject({
			status: 405,
			body: 'JSONRPC server handles only POST requests'
		});
		expect(reply.headers['content-type']).toBe('text/html; charset=ISO-8859-1');
	});

	test('no password is refused at once, a wrong one after a quarter of a second', async () => {
		const none = await ask({ auth: null, body: call('getinfo') });
		expect(none).toMatchObject({ status: 401, body: '' });
		expect(none.headers['www-authenticate']).toBe('Basic realm="jsonrpc"');
		const wrong = await ask({ auth: 'user:wrong', body: call('getinfo') });
		expect(wrong).toMatchObject({ status: 401, body: '' });
		expect(wrong.ms).toBeGreaterThan(240);
	});

	test('every id comes back as it was sent', async () => {
		for (const id of ['x', 7, null, [1, 'b'], { c: 1.5 }]) {
			const reply = await ask({ body: call('getblockcount', [], id) });
			expect(JSON.parse(reply.body)).toMatchObject({ id });
		}
		const big = await ask({ body: '{"method":"getblockcount","id":12345678901234567890.10}' });
		expect(big.body).toContain('"id":12345678901234567890.10}');
	});

	test('malformed requests get the status of their code', async () => {
		const cases: [string | Buffer, number, number, string][] = [
			[Buffer.from('{"method":"getinfo","id":"é"}', 'latin1'), 500, -32700, 'Parse error'],
			['{"method":', 500, -32700, 'Parse error'],
			['5', 500, -32700, 'Top-level object parse error'],
			['"hello"', 500, -32700, 'Top-level object parse error'],
			['{"id":"a","params":[]}', 400, -32600, 'Missing method'],
			['{"id":"a","method":5}', 400, -32600, 'Method must be a string'],
			['{"id":"a","method":"getinfo","params":{"a":1}}', 400, -32600, 'Params must be an array'],
			['{"id":"a","method":"getinfo","params":"1"}', 400, -32600, 'Params must be an array'],
			['{"id":"a","method":"nosuch"}', 404, -32601, 'Method not found'],
			['{"id":"a","method":"GetInfo"}', 404, -32601, 'Method not found'],
			['{"id":"a","method":"toString"}', 404, -32601, 'Method not found']
		];
		for (const [body, status, code, message] of cases) {
			const reply = await ask({ body });
			expect(reply.status).toBe(status);
			expect(JSON.parse(reply.body)).toMatchObject({ result: null, error: { code, message } });
		}
	});

	test('a batch is always 200, each item with its own error', async () => {
		const reply = await ask({
			body: `[${call('getblockcount', [], 1)},${call('nosuch', [], 2)},5]`
		});
		expect(reply.status).toBe(200);
		expect(JSON.parse(reply.body)).toEqual([
			{ result: expect.any(Number), error: null, id: 1 },
			{ result: null, error: { code: -32601, message: 'Method not found' }, id: 2 },
			{ result: null, error: { code: -32600, message: 'Invalid Request object' }, id: null }
		]);
		expect(await ask({ body: '[]' })).toMatchObject({ status: 200, body: '[]\n' });
	});

	test('a wrong number of parameters is answered with the help text', async () => {
		const help = await net.rpc<string>('ALPHA', 'help', 'tokencreate');
		expect(help).toBe('tokencreate name supply [description][data]\n');
		await expect(net.rpc('ALPHA', 'tokencreate', 'ONLYNAME')).rejects.toMatchObject({
			status: 500,
			code: -1,
			message: help
		});
		expect(await net.rpc('ALPHA', 'help', 'nosuchthing')).toBe(
			'help: unknown command: nosuchthing'
		);
	});

	test('parameters are strict about the kind of JSON value', async () => {
		const string = 'JSON value is not a string as expected';
		const integer = 'JSON value is not an integer as expected';
		const cases: [string, unknown[], string][] = [
			['tokeninfo', [5], string],
			['tokencreate', ['NUM', 1], string],
			['calc_MoM', [5, 3], string],
			['getimports', [13], string],
			['getwalletburntransactions', [1], string],
			['getblockhash', ['13'], integer],
			['getNotarisationsForBlock', ['13'], integer],
			['getrawtransaction', ['00'.repeat(32), true], integer],
			['getblockhash', [1.5], 'JSON integer out of range'],
			['getblockhash', [4294967296], 'JSON integer out of range']
		];
		for (const [method, params, message] of cases) {
			await expect(net.rpc('ALPHA', method, ...params)).rejects.toMatchObject({
				code: -1,
				message
			});
		}
	});

	test('questions to the index of addresses are refused as the daemon refuses them', async () => {
		const own = await net.rpc<string>('ALPHA', 'getnewaddress');
		const of = (more: object) => ({ addresses: [own], ...more });
		const cases: [string, unknown, string][] = [
			['getaddressbalance', 'nobody', 'Invalid address'],
			['getaddressbalance', { addresses: [own, 'nobody'] }, 'Invalid addresses'],
			['getaddressutxos', 5, 'Invalid addresse'],
			['getaddressutxos', {}, 'Addresses is expected to be an array'],
			[
				'getaddressdeltas',
				of({ start: 0, end: 5 }),
				'Start and end is expected to be greater than zero'
			],
			[
				'getaddressdeltas',
				of({ start: 5, end: 4 }),
				'End value is expected to be greater than start'
			],
			[
				'getaddressdeltas',
				of({ start: 1, end: 1_000_000, chainInfo: true }),
				'Start or end is outside chain range'
			]
		];
		for (const [method, asked, message] of cases) {
			const refused = { code: -5, message };
			await expect(net.rpc('ALPHA', method, asked), message).rejects.toMatchObject(refused);
			expect(recognizeError(method, message), message).not.toBeNull();
		}
		// It needs a list of addresses, and a range without a start counts as none.
		await expect(net.rpc('ALPHA', 'getaddressdeltas', own)).rejects.toMatchObject({ code: -1 });
		const address = await net.rpc<{ pubkey: string }>('ALPHA', 'getinfo');
		const mine = { addresses: [addressOfPubkey(address.pubkey)] };
		const all = await net.rpc<string[]>('ALPHA', 'getaddresstxids', mine);
		expect(all.length).toBeGreaterThan(0);
		const range = { ...mine, start: 0, end: 1 };
		expect(await net.rpc('ALPHA', 'getaddresstxids', range)).toEqual(all);
		const chainInfo = { ...mine, start: 1, end: 2, chainInfo: true };
		expect(await net.rpc('ALPHA', 'getaddressdeltas', chainInfo)).toMatchObject({
			start: { height: 1 },
			end: { height: 2 }
		});
	});

	test('a P2SH address has one index, whether or not crypto-condition outputs are asked for', async () => {
		const script = encodeAddress(new Uint8Array(20).fill(0x5c), SCRIPT_ADDRESS_VERSION);
		const person = await net.rpc<string>('ALPHA', 'getnewaddress');
		for (const address of [script, person]) await net.rpc('ALPHA', 'sendtoaddress', address, 1);
		const answers = (method: string, addresses: string[], ...conditions: number[]) =>
			net.rpc('ALPHA', method, { addresses }, ...conditions);
		const pending = await answers('getaddressmempool', [script]);
		expect(pending).toHaveLength(1);
		expect(await answers('getaddressmempool', [script], 1)).toEqual(pending);
		await net.control.mine('ALPHA');
		for (const method of [
			'getaddressbalance',
			'getaddressutxos',
			'getaddresstxids',
			'getaddressdeltas'
		]) {
			const plain = await answers(method, [script]);
			expect(JSON.stringify(plain), method).toMatch(/[1-9]/);
			expect(await answers(method, [script], 1), method).toEqual(plain);
			// The ordinary outputs of the other address are left out.
			expect(await answers(method, [script, person], 1), method).toEqual(plain);
		}
	});
});

describe('faults', () => {
	const reply = () => ask({ body: call('getblockcount', []) });
	const clear = () => net.control.fault('ALPHA', 'none');

	test('a full work queue is plain text with 500', async () => {
		await net.control.fault('ALPHA', 'work-queue-full', { count: 1 });
		expect(await reply()).toMatchObject({ status: 500, body: 'Work queue depth exceeded' });
		expect(await reply()).toMatchObject({ status: 200 });
	});

	test('while warming up only help answers', async () => {
		await net.control.fault('ALPHA', 'warm-up');
		const starting = await reply();
		expect(starting.status).toBe(500);
		expect(JSON.parse(starting.body)).toMatchObject({ result: null, error: { code: -28 } });
		expect(await net.rpc('ALPHA', 'help', 'tokenlist')).toBe('tokenlist\n');
		await clear();
		expect(await reply()).toMatchObject({ status: 200 });
	});

	test('latency holds back one method and no other', async () => {
		await net.control.fault('ALPHA', 'latency', { ms: 300, method: 'getinfo', count: 1 });
		expect((await reply()).ms).toBeLessThan(250);
		expect((await ask({ body: call('getinfo', []) })).ms).toBeGreaterThan(290);
	});

	test('a connection can break before the method ran', async () => {
		await net.control.fault('ALPHA', 'drop', { count: 1 });
		await expect(reply()).rejects.toThrow();
		expect(await reply()).toMatchObject({ status: 200 });
	});

	test('a connection can break after the method did its work', async () => {
		const before = (await net.rpc<string[]>('ALPHA', 'getrawmempool')).length;
		await net.control.fault('ALPHA', 'drop', {
			method: 'sendtoaddress',
			phase: 'after',
			count: 1
		});
		const { address } = (await net.control.state()).daemons.find((d) => d.id === 'BETA')!;
		await expect(net.rpc('ALPHA', 'sendtoaddress', address, 1)).rejects.toThrow();
		expect((await net.rpc<string[]>('ALPHA', 'getrawmempool')).length).toBe(before + 1);
	});

	test('an answer can be cut off in the middle', async () => {
		await net.control.fault('ALPHA', 'truncate', { count: 1 });
		await expect(reply()).rejects.toThrow();
	});

	test('a password can stop working', async () => {
		await net.control.fault('ALPHA', 'wrong-password');
		expect(await reply()).toMatchObject({ status: 401, body: '' });
		await clear();
		expect(await reply()).toMatchObject({ status: 200 });
	});

	test('a daemon that is down refuses connections until it is back', async () => {
		await net.control.fault('ALPHA', 'down');
		await expect(reply()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		expect(await net.rpc('BETA', 'getblockcount')).toEqual(expect.any(Number));
		await clear();
		expect(await reply()).toMatchObject({ status: 200 });
	});

	test('the control API wants its own password', async () => {
		const response = await fetch(`${net.control.url}/state`, {
			headers: { authorization: 'Bearer wrong' }
		});
		expect(response.status).toBe(401);
	});
});
