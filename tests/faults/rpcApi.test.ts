import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { denialReason } from '#lib/messages/denials.ts';
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { VISITOR, type Account } from '#lib/server/access/identity/identity.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { readAuthorization } from '#lib/server/access/requests/identify.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { AuditEntry } from '#lib/server/platform/audit-trail/entry.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { daemonConfig, gatewayBefore } from '../support/daemons.ts';
import { bySession } from '../support/members.ts';
import { byToken, permissiveCalls, permissiveRights } from '../support/permissive.ts';
import { serveRpcApi, type RpcApiServer } from '../support/rpcApiServer.ts';
import { answer, echo, rpcLine, ScriptedUpstream, wrongPassword } from '../support/upstream.ts';
import { SHAPE } from '#lib/server/rpc-proxy/http/bodyMeter.ts';

const run = promisify(execFile);
const CANARY = 'canary-upstream-password';

let daemon: ScriptedUpstream;
let gateway: Gateway;
let server: RpcApiServer;
let url: string;
let audited: AuditEntry[];
/** An API token that was revoked. */
let revoked: string | null;
/** Whether members may use the daemon's wallet. */
let isGranted: boolean;

/** Tokens are named after their role; the cookie is `session=operator`. */
const accountOf = (role: Role): Account => ({ id: role, name: role, role });

beforeEach(async () => {
	daemon = await new ScriptedUpstream().start();
	audited = [];
	revoked = null;
	isGranted = true;
	const furtherMethods = new Map([
		['oracleslist', 'read'],
		['channelslist', 'notary-query'],
		['dumpprivkey', 'read'],
		['oraclescreate', 'read']
	] as const);
	const { url: at } = daemon;
	gateway = gatewayBefore(
		daemonConfig({ url: at, user: 'rpc', password: CANARY }, { furtherMethods })
	);
	const audit = { append: (entry: AuditEntry) => Promise.resolve(void audited.push(entry)) };
	const rights: Rights = {
		...permissiveRights(gateway),
		walletRefusal: (_person, daemon) =>
			Promise.resolve(isGranted ? null : new AppError('wallet.not-granted', { daemon }))
	};
	server = await serveRpcApi({
		...permissiveCalls(gateway, { audit, rights }),
		limits: {
			body: { ...SHAPE, bytes: 10_000, hexBytes: 12_000, calls: 10 },
			heldBytes: 30_000_000
		},
		identify: (headers) => {
			const given = readAuthorization(headers.get('authorization'));
			if (given !== null && given.token === revoked) {
				return Promise.reject(new AppError('account.token-invalid'));
			}
			if (given?.token === 'viewer' || given?.token === 'operator' || given?.token === 'admin') {
				return Promise.resolve(byToken(accountOf(given.token)));
			}
			if (given !== null) return Promise.reject(new AppError('account.token-invalid'));
			return Promise.resolve(
				headers.get('cookie') === 'session=operator' ? bySession(accountOf('operator')) : VISITOR
			);
		}
	});
	url = `${server.url}/ALPHA`;
	daemon.on('getblockcount', (request, response) => answer(response, rpcLine('7', echo(request))));
	daemon.on('sendrawtransaction', (request, response) =>
		answer(response, rpcLine('"txid"', echo(request)))
	);
	daemon.on('calc_MoM', (request, response) => answer(response, rpcLine('{}', echo(request))));
	daemon.on('batch', (request, response) => {
		const calls = JSON.parse(request.text) as { id: unknown; method: string }[];
		const items = calls.map(
			({ id, method }) => `{"result":"${method}","error":null,"id":${JSON.stringify(id)}}`
		);
		answer(response, `[${items.join(',')}]\n`);
	});
});
afterEach(async () => {
	await server.stop();
	await gateway.close();
	await daemon.stop();
});

const post = (
	body: string | Uint8Array<ArrayBuffer>,
	headers: Record<string, string> = { authorization: 'Bearer operator' }
): Promise<Response> => fetch(url, { method: 'POST', body, headers });
const call = (method: string, params = '[]', id = '"me"'): string =>
	`{"jsonrpc":"1.0","id":${id},"method":"${method}","params":${params}}`;

describe('a method that only the configuration knows', () => {
	const by = (token: string) => ({ authorization: `Bearer ${token}` });

	it('is called by those of its class, goes on record, and comes back as the daemon sent it', async () => {
		daemon.on('oracleslist', (request, response) =>
			answer(response, rpcLine('["ab", {"odd":1.10}]', echo(request)))
		);
		const told = await post(call('oracleslist', '[1.10, {"a":1e2}]', '"x"'), by('viewer'));
		expect([told.status, await told.text()]).toEqual([200, rpcLine('["ab", {"odd":1.10}]', '"x"')]);
		expect(daemon.seen.at(-1)?.text).toContain('"params":[1.10,{"a":1e2}]');
		expect(audited).toMatchObject([
			{ actor: 'viewer', action: 'rpc.oracleslist', target: 'ALPHA', detail: { access: 'read' } }
		]);
		expect(JSON.stringify(audited)).not.toContain('1e2');
		// Not shared with concurrent calls: nothing is known of the method.
		await Promise.all(Array.from({ length: 3 }, () => post(call('oracleslist'), by('viewer'))));
		expect(daemon.count('oracleslist')).toBe(4);
		const no = await post(call('channelslist'), by('viewer'));
		expect([no.status, await no.text()]).toEqual([404, expect.stringContaining('viewer may not')]);
		expect((await post(call('channelslist'))).status).toBe(404);
		expect(daemon.count('channelslist')).toBe(1);
	});

	it('is bounded, and is none that gives keys away, changes something or stands in a batch', async () => {
		daemon.on('oracleslist', (request, response) =>
			answer(response, rpcLine(`"${'x'.repeat(1_100_000)}"`, echo(request)))
		);
		expect((await post(call('oracleslist'))).status).toBe(502);
		for (const name of ['dumpprivkey', 'oraclescreate', 'faucetget', 'OraclesList', '__proto__']) {
			const { status } = await post(call(name), by('admin'));
			expect(status, name).toBeGreaterThanOrEqual(400);
			expect(daemon.count(name), name).toBe(0);
		}
		const batch = await post(`[${call('oracleslist')}]`);
		expect(await batch.text()).toContain('Method not found');
		expect(daemon.count('batch')).toBe(0);
	});
});

describe('a call through the RPC API', () => {
	it.each(['text/plain', 'application/json', 'application/x-www-form-urlencoded'])(
		'is answered with the daemon’s own bytes to curl with %s',
		async (type) => {
			const { stdout } = await run('curl', [
				'-s',
				'-u',
				'anybody:operator',
				'-H',
				`Content-Type: ${type}`,
				'--data-binary',
				call('getblockcount'),
				'-w',
				'%{http_code} %{content_type}',
				url
			]);
			expect(stdout).toBe(`${rpcLine('7', '"me"')}200 application/json`);
		}
	);

	it.each(['1', '"a\\"b"', 'null', '[1,2]', '{"x":1.50}', '12345678901234567890'])(
		'echoes the id %s as it was written',
		async (id) => {
			expect(await (await post(call('getblockcount', '[]', id))).text()).toBe(rpcLine('7', id));
		}
	);

	it('hands on the daemon’s errors with their status', async () => {
		const error = '{"code":-26,"message":"16: mempool conflict"}';
		daemon.on('sendrawtransaction', (request, response) =>
			answer(response, rpcLine('null', echo(request), error), 500)
		);
		const response = await post(call('sendrawtransaction', '["00"]'));
		expect(response.status).toBe(500);
		expect(await response.text()).toBe(rpcLine('null', '"me"', error));
	});

	it.each(['{"result":7,}', '[]', '{"result":{"a":1}', '{result:1}'])(
		'says that %s is no answer, instead of failing itself',
		async (body) => {
			daemon.on('getblockcount', (_request, response) => answer(response, body));
			const response = await post(call('getblockcount'));
			expect(response.status).toBe(502);
			expect(await response.json()).toMatchObject({ id: 'me', error: { code: -32603 } });
		}
	);

	it('gives the caller its id where the daemon names none, or leaves out the error', async () => {
		daemon.on('getblockcount', (_request, response) =>
			answer(response, '\ufeff {"jsonrpc":"2.0", "result": 7}\n')
		);
		const response = await post(call('getblockcount'));
		expect(await response.json()).toEqual({ jsonrpc: '2.0', result: 7, id: 'me' });
	});

	it('turns a number into text from its own digits where the daemon needs text', async () => {
		await post(call('calc_MoM', '[12345678901234567890, 10]'));
		expect(daemon.seen.at(-1)?.text).toContain('"params":["12345678901234567890","10"]');
	});

	it('shares one call among a hundred callers that ask the same, each with its id', async () => {
		daemon.on('getblockcount', (request, response) => {
			setTimeout(() => answer(response, rpcLine('7', echo(request))), 1_000);
		});
		const texts = await Promise.all(
			Array.from({ length: 100 }, async (_, index) =>
				(await post(call('getblockcount', '[]', String(index)))).text()
			)
		);
		expect(texts).toEqual(Array.from({ length: 100 }, (_, index) => rpcLine('7', String(index))));
		expect(daemon.count('getblockcount')).toBe(1);
	});
});

describe('a batch', () => {
	it('is passed on whole, with status 200', async () => {
		const response = await post(`[${call('getblockcount')},${call('getinfo', '[]', '2')}]`);
		expect(response.status).toBe(200);
		expect(await response.text()).toBe(
			'[{"result":"getblockcount","error":null,"id":"me"},{"result":"getinfo","error":null,"id":2}]\n'
		);
	});

	it('gives a forbidden, an unknown and a malformed item an error of its own', async () => {
		const items = [
			call('sendrawtransaction', '["00"]', '1'),
			call('getblockcount', '[]', '2'),
			call('nosuch', '[]', '3'),
			'7',
			call('getinfo', '[]', '4')
		];
		const response = await post(`[${items.join(',')}]`, { authorization: 'Bearer viewer' });
		const lines = (await response.json()) as { id: unknown; error: { code: number } | null }[];
		expect(response.status).toBe(200);
		expect(lines.map(({ id, error }) => [id, error?.code ?? null])).toEqual([
			[1, -32601],
			[2, null],
			[3, -32601],
			[null, -32600],
			[4, null]
		]);
		expect(daemon.seen.at(-1)?.text).not.toContain('sendrawtransaction');
	});

	it.each<[string, (items: string[]) => string[]]>([
		['in another order', (items) => items.toReversed()],
		['without the first', (items) => items.slice(1)]
	])('keeps each answer with its call when the daemon answers %s', async (_how, change) => {
		daemon.on('batch', (request, response) => {
			const calls = parseJson(request.text) as unknown as { id: JsonValue; method: string }[];
			const items = calls.map(({ id, method }) =>
				stringifyJson({ id, result: method, error: null })
			);
			answer(response, `[${change(items).join(',')}]`);
		});
		const items = [
			call('getinfo', '[]', '1'),
			call('nosuch', '[]', '"x"'),
			call('ping', '[]', '3')
		];
		const both = [
			...items,
			call('getblockcount', '[]', '"\\u0061"'),
			call('getinfo', '[]', '5'),
			// As Python writes JSON.
			call('getdifficulty', '[]', '{"n": [1, 2.50]}')
		];
		const response = await post(`[${both.join(',')}]`);
		const lines = (await response.json()) as { id: unknown; result: unknown }[];
		const answered = new Map(lines.map(({ id, result }) => [id, result]));
		expect(lines.map(({ id }) => id)).toEqual([1, 'x', 3, 'a', 5, { n: [1, 2.5] }]);
		expect(lines.at(-1)?.result).toBe('getdifficulty');
		expect(answered.get('a')).toBe('getblockcount');
		expect(answered.get(5)).toBe('getinfo');
	});

	it('beside bytes that are kept back tells what was sent, also where an answer is missing', async () => {
		daemon.on('batch', (_request, response) => {
			const items = [
				`{"result":{"hex":"${'ab'.repeat(100)}"},"error":null,"id":1}`,
				`{"result":"${'cd'.repeat(32)}","error":null,"id":2}`
			];
			answer(response, `[${items.join(',')}]\n`);
		});
		const calls = [
			call('fundrawtransaction', '["00"]', '1'),
			call('sendtoaddress', '["RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92",1]', '2'),
			call('getblockcount', '[]', '3')
		];
		const answers = await (await post(`[${calls.join(',')}]`)).json();
		expect(answers).toMatchObject([
			{ id: 1, result: null, error: { code: -32603 } },
			{ id: 2, result: 'cd'.repeat(32), error: null },
			{ id: 3, result: null, error: { message: expect.stringContaining('did not answer') } }
		]);
	});

	it('makes the other calls of a daemon without a wallet, and not those that would end it', async () => {
		// `getinfo` of this daemon names no wallet.
		await gateway.probe();
		const told = await post(`[${call('getblockcount')},${call('tokencreate', '["A","1"]')}]`);
		expect(await told.json()).toMatchObject([
			{ result: 'getblockcount', error: null },
			{ result: null, error: { message: expect.stringContaining('without a wallet') } }
		]);
		expect(daemon.seen.at(-1)?.text).not.toContain('tokencreate');
		expect(audited.map(({ action }) => action)).toEqual(['rpc.tokencreate', 'rpc.failed']);
	});

	it('of which an item is refused keeps nobody else waiting, however long its answer is', async () => {
		const [first, second] = [1, 2].map(
			(id) => `{"result":[${'"a",'.repeat(6_000_000)}"z"],"error":null,"id":${id}}`
		);
		const long = Buffer.from(`[${second},${first}]`);
		daemon.on('batch', (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			response.end(long);
		});
		const items = [
			call('getrawmempool', '[]', '1'),
			call('nosuch', '[]', '"x"'),
			call('getrawmempool', '[]', '2')
		];
		// The time that this thread computes, because a busy machine makes it wait for other processes.
		const computed = (): number => {
			const { user, system } = process.threadCpuUsage();
			return (user + system) / 1_000;
		};
		let longest = 0;
		let last = computed();
		const beat = setInterval(() => {
			const now = computed();
			longest = Math.max(longest, now - last);
			last = now;
		}, 5);
		const response = await post(`[${items.join(',')}]`);
		const answered = Buffer.from(await response.arrayBuffer());
		clearInterval(beat);
		const refused = '{"result":null,"error":{"code":-32601,"message":"Method not found"},"id":"x"}';
		expect(answered.equals(Buffer.from(`[${first},${refused},${second}]\n`))).toBe(true);
		const began = computed();
		JSON.parse(long.toString());
		expect(longest).toBeLessThan((computed() - began) / 2);
	});

	it('may be empty, and may not be longer than the limit', async () => {
		expect(await (await post('[]')).text()).toBe('[]\n');
		const long = await post(`[${Array.from({ length: 11 }, () => call('getinfo')).join(',')}]`);
		expect(long.status).toBe(400);
	});
});

describe('what is no call', () => {
	it.each([
		['{', 500, -32700],
		['"x"', 500, -32700],
		['{}', 400, -32600],
		['{"method":1}', 400, -32600],
		['{"method":"getinfo","params":{"a":1}}', 400, -32600],
		[call('nosuch'), 404, -32601],
		[call('__proto__'), 404, -32601],
		[`{"method":"getinfo","params":${'['.repeat(100)}${']'.repeat(100)}}`, 500, -32700]
	])('%s is refused as the daemon does', async (body, status, code) => {
		const response = await post(body);
		expect(response.status).toBe(status);
		expect(((await response.json()) as { error: { code: number } }).error.code).toBe(code);
		expect(daemon.seen).toHaveLength(0);
	});

	it.each(['latin1', 'utf16le'] as const)(
		'in the bytes of %s is refused as the daemon does, and no other text is sent',
		async (encoding) => {
			const body = Buffer.from(call('tokencreate', '["Münze", "1"]'), encoding);
			for (const sent of [body, Buffer.concat([Buffer.from('['), body, Buffer.from(']')])]) {
				const response = await post(Uint8Array.from(sent));
				expect(response.status).toBe(500);
				expect(await response.text()).toBe(
					'{"result":null,"error":{"code":-32700,"message":"Parse error"},"id":null}\n'
				);
			}
			expect(daemon.seen).toHaveLength(0);
		}
	);

	it('is refused when it is too large', async () => {
		expect((await post(call('getinfo', `["${'0'.repeat(20_000)}"]`))).status).toBe(413);
		const parts = new ReadableStream({
			pull(controller) {
				controller.enqueue(Buffer.from(' '.repeat(4_000)));
			}
		});
		const streamed = await fetch(url, {
			method: 'POST',
			headers: { authorization: 'Bearer operator' },
			body: parts,
			duplex: 'half'
		} as RequestInit).then(
			({ status }) => status,
			() => 'cut off'
		);
		expect([413, 'cut off']).toContain(streamed);
		// 10,000 bytes, or 12,000 where a parameter is hex.
		expect((await post(call('decoderawtransaction', `["${'0'.repeat(11_000)}"]`))).status).not.toBe(
			413
		);
		expect((await post(call('decoderawtransaction', `["${'0'.repeat(13_000)}"]`))).status).toBe(
			413
		);
		const behind = `{"params":["${'0'.repeat(11_000)}"],"method":"METHOD","id":1}`;
		expect((await post(behind.replace('METHOD', 'getinfo'))).status).toBe(413);
		expect((await post(behind.replace('METHOD', 'decoderawtransaction'))).status).not.toBe(413);
	});

	it('is refused when it is compressed', async () => {
		const headers = { authorization: 'Bearer operator', 'content-encoding': 'gzip' };
		const packed = await fetch(url, { method: 'POST', headers, body: gzipSync(call('getinfo')) });
		expect(packed.status).toBe(415);
		expect(daemon.seen).toHaveLength(0);
	});

	it('is refused when it is no POST, or names no daemon', async () => {
		const get = await fetch(url);
		expect([get.status, await get.text()]).toEqual([
			405,
			'JSONRPC server handles only POST requests'
		]);
		const other = await fetch(url.replace('ALPHA', 'NONE'), {
			method: 'POST',
			body: call('getinfo'),
			headers: { authorization: 'Bearer operator' }
		});
		expect([other.status, await other.text()]).toEqual([404, '']);
	});
});

describe('who may call', () => {
	it.each([{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic !' }])(
		'nobody without a good token: %o',
		async (headers) => {
			const response = await post(call('getinfo'), headers as Record<string, string>);
			expect([response.status, await response.text()]).toEqual([401, '']);
			expect(response.headers.get('www-authenticate')).toBe('Basic realm="jsonrpc"');
			expect(daemon.seen).toHaveLength(0);
		}
	);

	it('only what the role allows, with words that differ from an unknown method', async () => {
		const response = await post(call('sendrawtransaction', '["00"]'), {
			authorization: 'Bearer viewer'
		});
		const { error } = (await response.json()) as { error: { code: number; message: string } };
		expect([response.status, error.code]).toEqual([404, -32601]);
		expect(error.message).toContain(
			denialReason({ code: 'role', role: 'viewer', method: 'sendrawtransaction' })
		);
		expect(daemon.count('sendrawtransaction')).toBe(0);
		expect(audited).toEqual([]);
	});

	it('admins alone with parameters that can keep a daemon from answering', async () => {
		daemon.on('getblocktemplate', (seen, response) => answer(response, rpcLine('{}', echo(seen))));
		const poll = call('getblocktemplate', '[{"longpollid":"ab"}]');
		const by = async (token: string, body: string) => {
			const told = await post(body, { authorization: `Bearer ${token}` });
			return { status: told.status, text: await told.text() };
		};
		for (const token of ['viewer', 'operator']) {
			expect(await by(token, poll)).toMatchObject({
				status: 403,
				text: expect.stringContaining('keep a daemon from answering') as string
			});
			expect((await by(token, `[${poll}]`)).text).toContain('keep a daemon from answering');
			expect((await by(token, call('getlastsegidstakes', '[0]'))).status).toBe(403);
		}
		expect([daemon.count('getblocktemplate'), daemon.count('batch')]).toEqual([0, 0]);
		expect((await by('viewer', call('getblocktemplate'))).status).toBe(200);
		expect((await by('admin', poll)).status).toBe(200);
	});

	it('keeps every byte of a small answer and of the caller’s id', async () => {
		const name = '"\u0000 Grüße 🦎 \xff\xfe"';
		daemon.on('getinfo', (request, response) => answer(response, rpcLine(name, echo(request))));
		const response = await post(call('getinfo', '[]', '"🦎 ü"'));
		expect(response.headers.get('content-length')).toBe(
			String(Buffer.byteLength(`{"result":${name},"error":null,"id":"🦎 ü"}\n`))
		);
		expect(await response.text()).toBe(`{"result":${name},"error":null,"id":"🦎 ü"}\n`);
	});

	it('is not made for a caller who goes before the request is whole', async () => {
		const begun = once(server.http, 'request');
		const socket = connect(Number(new URL(url).port), '127.0.0.1');
		socket.write(
			'POST /api/rpc/ALPHA HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\n' +
				`Content-Length: 500\r\n\r\n${call('getblockcount')}`
		);
		await begun;
		const gone = once(socket, 'close');
		socket.destroy();
		await gone;
		expect((await post(call('getblockcount'))).status).toBe(200);
		expect(daemon.count('getblockcount')).toBe(1);
	});

	it('is not made with a token that was revoked while its body came', async () => {
		const body = call('sendrawtransaction', '["00"]');
		const begun = once(server.http, 'request');
		const socket = connect(Number(new URL(url).port), '127.0.0.1');
		socket.write(
			'POST /api/rpc/ALPHA HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\n' +
				`Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`
		);
		await begun;
		revoked = 'operator';
		await sleep(1_100);
		socket.write(body.slice(5));
		const [answered] = (await once(socket, 'data')) as [Buffer];
		expect(answered.toString()).toContain('HTTP/1.1 401');
		expect(daemon.count('sendrawtransaction')).toBe(0);
		expect(audited).toEqual([]);
		socket.destroy();
	});

	it.each(['listunspent', 'calc_MoM', 'channelslist', 'getblockcount'])(
		'%s is answered to who may still read it when the daemon responds',
		async (method) => {
			let release: () => void = () => undefined;
			daemon.on(method, async (request, response) => {
				await new Promise<void>((resolve) => (release = resolve));
				answer(response, rpcLine('[]', echo(request)));
			});
			const isOfWallet = method === 'listunspent';
			const isOpen = method === 'getblockcount';
			/** The status and the response of a call that takes longer than an identity is kept. */
			const heldUp = async (meanwhile: () => void): Promise<[number, string]> => {
				const before = daemon.count(method);
				const asked = post(call(method));
				await expect.poll(() => daemon.count(method)).toBe(before + 1);
				meanwhile();
				await sleep(1_100);
				release();
				const told = await asked;
				return [told.status, await told.text()];
			};
			const whole = [200, expect.stringContaining('"result":[]')];
			expect(await heldUp(() => undefined)).toEqual(whole);
			expect(await heldUp(() => (isGranted = false))).toEqual(
				isOfWallet ? [403, expect.stringContaining('"result":null')] : whole
			);
			isGranted = true;
			expect(await heldUp(() => (revoked = 'operator'))).toEqual(
				isOpen ? whole : [401, expect.stringContaining('is withheld')]
			);
		}
	);

	it('answers each call of a batch to who may still read it when the daemon responds', async () => {
		let release: () => void = () => undefined;
		daemon.on('batch', async (request, response) => {
			await new Promise<void>((resolve) => (release = resolve));
			const calls = JSON.parse(request.text) as { id: number; method: string }[];
			const items = calls.map(({ id, method }) => ({ result: method, error: null, id }));
			answer(response, JSON.stringify(items));
		});
		const body = `[${[
			call('listunspent', '[]', '1'),
			call('calc_MoM', '[]', '2'),
			call('getblockcount', '[]', '3'),
			call('sendrawtransaction', '["00"]', '4')
		].join(',')}]`;
		const heldUp = async (meanwhile: () => void): Promise<unknown> => {
			const before = daemon.count('batch');
			const asked = post(body);
			await expect.poll(() => daemon.count('batch')).toBe(before + 1);
			meanwhile();
			await sleep(1_100);
			release();
			return (await asked).json();
		};
		const [unspent, mom, height, sent] = [
			{ result: 'listunspent', error: null, id: 1 },
			{ result: 'calc_MoM', error: null, id: 2 },
			{ result: 'getblockcount', error: null, id: 3 },
			{ result: 'sendrawtransaction', error: null, id: 4 }
		];
		const withheld = (id: number): unknown =>
			expect.objectContaining({
				result: null,
				error: { code: -32603, message: expect.stringContaining('is withheld') as string },
				id
			});
		expect(await heldUp(() => undefined)).toEqual([unspent, mom, height, sent]);
		expect(await heldUp(() => (isGranted = false))).toEqual([
			expect.objectContaining({ result: null, id: 1 }),
			mom,
			height,
			sent
		]);
		isGranted = true;
		expect(await heldUp(() => (revoked = 'operator'))).toEqual([
			withheld(1),
			withheld(2),
			height,
			sent
		]);
	});

	it('is on record before a call that can change something, without its parameters', async () => {
		// Longer than a request id could contain by chance.
		const hex = '00aa'.repeat(16);
		await post(call('sendrawtransaction', `["${hex}"]`));
		await post(call('getblockcount'));
		expect(audited.map(({ actor, action, target }) => [actor, action, target])).toEqual([
			['operator', 'rpc.sendrawtransaction', 'ALPHA']
		]);
		expect(JSON.stringify(audited)).not.toContain(hex);
	});

	it.each(['text/plain', 'application/json', 'application/x-www-form-urlencoded'])(
		'not a page of another origin with the person’s cookie (%s)',
		async (type) => {
			const headers = { cookie: 'session=operator', 'content-type': type };
			for (const origin of ['https://evil.example', 'null', undefined]) {
				const response = await post(call('sendrawtransaction', '["00"]'), {
					...headers,
					...(origin === undefined ? {} : { origin })
				});
				expect(response.status).toBe(403);
			}
			expect(daemon.seen).toHaveLength(0);
			const own = await post(call('getblockcount'), { ...headers, origin: new URL(url).origin });
			expect(own.status).toBe(200);
		}
	);
});

describe('a long answer', () => {
	/** Sends requests on one connection and reads nothing of the responses. */
	async function hold(body = call('getrawmempool'), requests = 1): Promise<() => Promise<unknown>> {
		const request =
			'POST /api/rpc/ALPHA HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\n' +
			`Content-Length: ${body.length}\r\n\r\n${body}`;
		const socket = connect(Number(new URL(url).port), '127.0.0.1');
		socket.pause();
		socket.write(request.repeat(requests));
		await once(socket, 'readable');
		return async () => {
			socket.destroy();
			await sleep(50);
		};
	}

	it('that is not taken keeps its caller from holding another one, and no one else', async () => {
		const long = `["${'a'.repeat(8_000_000)}","${'b'.repeat(8_000_000)}"]`;
		daemon.on('getrawmempool', (request, response) =>
			answer(response, rpcLine(long, echo(request)))
		);
		const letGo = await hold();
		const refused = await post(call('getrawmempool'));
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
		expect(await refused.text()).toContain(rpcApi.tooMany('responses', 30));
		expect((await post(call('getblockcount'))).status).toBe(200);
		const other = await post(call('getrawmempool'), { authorization: 'Bearer viewer' });
		expect((await other.text()).length).toBeGreaterThan(16_000_000);
		await letGo();
		const again = await post(call('getrawmempool'));
		expect((await again.text()).length).toBeGreaterThan(16_000_000);
	});

	it('is refused in any request that did nothing, and given to one that may have acted', async () => {
		const item = (id: unknown): string =>
			`{"result":"${'z'.repeat(8_000_000)}","error":null,"id":${JSON.stringify(id)}}`;
		daemon.on('batch', (request, response) => {
			const calls = JSON.parse(request.text) as { id: unknown }[];
			answer(response, `[${calls.map(({ id }) => item(id)).join(',')}]`);
		});
		const reads = [call('getrawmempool', '[]', '1'), call('getrawmempool', '[]', '2')];
		const withRefused = `[${[...reads, call('stop')].join(',')}]`;
		const withBuilt = `[${[reads[0], call('createrawtransaction', '[[],{}]')].join(',')}]`;
		const keyed = { authorization: 'Bearer operator', 'idempotency-key': 'a-long-answer' };
		const letGo = await hold(withRefused);
		for (const headers of [undefined, keyed]) {
			const refused = await post(withRefused, headers);
			expect(refused.status).toBe(429);
			expect(await refused.text()).toContain(rpcApi.tooMany('responses', 30));
		}
		// What was built counts all the same, so that the next request is not even executed.
		const letBuiltGo = await hold(withBuilt);
		const asked = daemon.count('batch');
		expect((await post(withBuilt)).status).toBe(429);
		expect(daemon.count('batch')).toBe(asked);
		await letBuiltGo();
		const built = await post(withBuilt);
		expect((await built.text()).length).toBeGreaterThan(16_000_000);
		await letGo();
		const again = await post(withRefused, keyed);
		expect((await again.text()).length).toBeGreaterThan(16_000_000);
	});

	it('is also one of less than a mebibyte, many of which wait on a connection', async () => {
		daemon.on('getrawmempool', (request, response) =>
			answer(response, rpcLine(`"${'a'.repeat(900_000)}"`, echo(request)))
		);
		// The system takes some of the others from the server, although they are not read.
		const part = `"${'b'.repeat(8_000_000)}"`;
		daemon.on('getblock', (request, response) =>
			answer(response, rpcLine(`[${part},${part},${part}]`, echo(request)))
		);
		const letGo = await hold(call('getrawmempool'), 100);
		const status = async (): Promise<number> => {
			const response = await post(call('getblock', '["1"]'));
			await response.text();
			return response.status;
		};
		await vi.waitFor(async () => expect(await status()).toBe(429), 10_000);
		await letGo();
		expect(await status()).toBe(200);
	});

	it('counts for nobody who has gone before it came', async () => {
		let come = (): void => undefined;
		const long = `["${'a'.repeat(8_000_000)}","${'b'.repeat(8_000_000)}"]`;
		daemon.on('getblock', (request, response) => {
			come = () => answer(response, rpcLine(long, echo(request)));
		});
		for (let gone = 0; gone < 3; gone += 1) {
			const asked = new AbortController();
			const headers = { authorization: 'Bearer operator' };
			const init = { method: 'POST', headers, signal: asked.signal };
			// Different parameters each time, because concurrent callers share a response that is still being
			// read.
			const left = fetch(url, { ...init, body: call('getblock', `["${gone}"]`) }).catch(
				() => 'left'
			);
			await vi.waitUntil(() => daemon.count('getblock') === gone + 1, 10_000);
			asked.abort();
			expect(await left).toBe('left');
			await sleep(50);
			come();
			await sleep(100);
		}
		daemon.on('getblock', (request, response) => answer(response, rpcLine(long, echo(request))));
		// Sooner than the timeout of a response that is not read.
		await vi.waitFor(
			async () => expect((await post(call('getblock', '["3"]'))).status).toBe(200),
			10_000
		);
	});
});

describe('a daemon in trouble', () => {
	it('that is down gives 502 in the daemon’s form, and no credential', async () => {
		await daemon.stop();
		const response = await post(call('getblockcount'));
		const text = await response.text();
		expect(response.status).toBe(502);
		expect(JSON.parse(text)).toMatchObject({ result: null, error: { code: -32603 }, id: 'me' });
		expect(text).not.toContain(CANARY);
	});

	it('that refuses our login does not make the caller’s token look wrong', async () => {
		daemon.on('*', wrongPassword);
		for (const method of ['getblockcount', 'sendrawtransaction']) daemon.on(method, wrongPassword);
		const response = await post(call('getblockcount'));
		const text = await response.text();
		expect(response.status).toBe(502);
		expect(text).not.toContain(CANARY);
		expect(text).not.toContain(Buffer.from(`rpc:${CANARY}`).toString('base64'));
	});
});
