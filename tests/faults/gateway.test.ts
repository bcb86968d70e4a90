import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, readsOnly } from '#lib/server/chains/daemon/gateway.ts';
import { daemonClientOf } from '#lib/server/chains/daemon/daemonClient.ts';
import { findTransaction } from '#lib/server/chains/daemon/findTransaction.ts';
import type { GatewayOptions } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { daemonConfig } from '../support/daemons.ts';
import { neverSwitchedOff } from '../support/permissive.ts';
import {
	answer,
	echo,
	rpcLine,
	ScriptedUpstream,
	warmingUp,
	workQueueFull,
	type Script
} from '../support/upstream.ts';
import { AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { explainDaemon } from '#lib/messages/errors/explainDaemon.ts';
import type { DaemonError } from '#lib/server/chains/daemon/daemonError.ts';

const HASH = 'ab'.repeat(32);
const TXID = 'cd'.repeat(32);
/** As a page calls. */
const PAGE = { timeout: 750 };

let daemon: ScriptedUpstream;
const open: Gateway[] = [];

function gatewayOf(
	expected: DaemonConfig['expect'] | null = null,
	options: Partial<GatewayOptions> = {}
): Gateway {
	const config = daemonConfig(daemon, expected === null ? {} : { expect: expected });
	const gateway = createGateway(
		{ daemons: [config] },
		{ pollEvery: null, refusal: neverSwitchedOff, ...options }
	);
	open.push(gateway);
	return gateway;
}

async function failure(promise: Promise<unknown>): Promise<DaemonError> {
	const error = await promise.then(
		() => null,
		(reason: unknown) => reason
	);
	if (!isAppError(error, 'daemon')) throw new Error(`No DaemonError: ${String(error)}`);
	return error;
}

beforeEach(async () => {
	daemon = await new ScriptedUpstream().start();
});
afterEach(async () => {
	await Promise.all(open.splice(0).map((gateway) => gateway.close()));
	await daemon.stop();
});

it('of a program that only reads lets reads through, alone and in a batch, and nothing else', async () => {
	daemon
		.on('getblockcount', (request, response) => answer(response, rpcLine('42', echo(request))))
		.on('batch', (_request, response) => answer(response, `[${rpcLine('42', '1').trim()}]`));
	const gateway = gatewayOf(null, { refusal: readsOnly });
	const read = { method: 'getblockcount', paramsText: '[]', idText: '1' } as const;
	expect(await gateway.call('ALPHA', 'getblockcount', [])).toBe(42);
	expect((await gateway.proxyBatch('ALPHA', [read])).body.toString()).toContain('42');
	const send = { method: 'sendrawtransaction', paramsText: '["00"]', idText: '2' } as const;
	for (const sent of [
		gateway.call('ALPHA', 'sendrawtransaction', ['00']),
		gateway.proxyBatch('ALPHA', [read, send])
	]) {
		expect((await failure(sent)).code).toBe('daemon.safety-control');
	}
	expect(daemon.count('sendrawtransaction')).toBe(0);
});

it('holds back what waited for its place while a safety control was thrown', async () => {
	const held: (() => void)[] = [];
	daemon
		.on('sendrawtransaction', (request, response) => {
			held.push(() => answer(response, rpcLine(`"${TXID}"`, echo(request))));
		})
		.on('batch', (_request, response) => answer(response, `[${rpcLine('42', '1').trim()}]`));
	let isFrozen = false;
	const gateway = gatewayOf(null, {
		limits: { maxConcurrency: 1 },
		refusal: () =>
			Promise.resolve(
				isFrozen ? new AppError('safety.sends-frozen', { by: 'ada', reason: 'stop' }) : null
			)
	});
	await gateway.probe();
	const authorized = true as const;
	const first = gateway.call('ALPHA', 'sendrawtransaction', ['00']);
	await expect.poll(() => held.length).toBe(1);
	const send = { method: 'sendrawtransaction', paramsText: '["00"]', idText: '1' } as const;
	const waiting = [
		gateway.call('ALPHA', 'sendrawtransaction', ['00']),
		gateway.proxy('ALPHA', 'sendrawtransaction', '["00"]', { authorized }),
		gateway.proxyBatch('ALPHA', [send], { authorized })
	].map(failure);
	await expect.poll(() => gateway.health('ALPHA').queued).toBe(3);
	isFrozen = true;
	held[0]!();
	expect(await first).toBe(TXID);
	for (const { code, params } of await Promise.all(waiting)) {
		expect([code, params.delivery]).toEqual(['daemon.safety-control', 'not-sent']);
	}
	expect([daemon.count('sendrawtransaction'), daemon.count('batch')]).toEqual([1, 0]);
});

it.each([
	['a safety control was turned on', true],
	['its caller lost the right', false]
])('holds back what waited for the daemon to identify itself while %s', async (_why, isFrozen) => {
	const held: (() => void)[] = [];
	daemon.on('getinfo', (request, response) => {
		held.push(() => answer(response, rpcLine('{"name":"ALPHA"}', echo(request))));
	});
	let isLate = false;
	const frozen = new AppError('safety.sends-frozen', { by: 'ada', reason: 'stop' });
	const gateway = gatewayOf(null, {
		refusal: () => Promise.resolve(isLate && isFrozen ? frozen : null)
	});
	const options = {
		authorized: true,
		beforeSend: () =>
			isLate && !isFrozen ? Promise.reject(new AppError('queue.kept')) : Promise.resolve()
	} as const;
	const send = { method: 'sendrawtransaction', paramsText: '["00"]', idText: '1' } as const;
	const waiting = [
		gateway.call('ALPHA', 'sendrawtransaction', ['00'], options),
		gateway.proxy('ALPHA', 'sendrawtransaction', '["00"]', options),
		gateway.proxyBatch('ALPHA', [send], options)
	].map((call) => call.catch((error: unknown) => error));
	await expect.poll(() => held.length).toBe(1);
	isLate = true;
	held[0]!();
	for (const error of await Promise.all(waiting)) {
		expect(error).toMatchObject({ code: isFrozen ? 'daemon.safety-control' : 'queue.kept' });
	}
	expect([daemon.count('sendrawtransaction'), daemon.count('batch')]).toEqual([0, 0]);
});

it('asks a daemon that is not well ever more rarely, up to a bound, and sees by itself when it is', async () => {
	const times: number[] = [];
	let isWell = false;
	daemon.on('getinfo', (request, response) => {
		times.push(performance.now());
		if (isWell) answer(response, rpcLine('{"name":"ALPHA","version":2001526}', echo(request)));
		else answer(response, 'nothing', 503);
	});
	const pollEvery = { healthy: 60_000, unhealthy: 20, away: 60 };
	const began = performance.now();
	const gateway = gatewayOf(null, { pollEvery });
	await expect.poll(() => times.length, { interval: 10 }).toBeGreaterThan(5);
	// Intervals are measured from the start: on a busy machine a poll comes late and the next one then sooner,
	// and none comes earlier than the rounding of timers allows.
	let least = 0;
	[20, 30, 45, 60, 60].forEach((pause, n) => {
		least += pause - 2;
		expect(times[n + 1]! - began).toBeGreaterThan(least);
	});
	expect(gateway.health('ALPHA').state).toBe('down');
	isWell = true;
	await expect.poll(() => gateway.health('ALPHA').state, { interval: 10 }).toBe('up');
});

it('reads from another daemon while the first one is far behind its peers, and keeps to the wallet of the first', async () => {
	const second = await new ScriptedUpstream().start();
	let blocks = 900;
	const told =
		(height: () => number, longest: number): Script =>
		(request, response) => {
			const info = { name: 'ALPHA', KMDversion: '0.9.0', blocks: height(), longestchain: longest };
			answer(response, rpcLine(JSON.stringify(info), echo(request)));
		};
	daemon.on(
		'getinfo',
		told(() => blocks, 1_000)
	);
	second.on(
		'getinfo',
		told(() => 1_000, 0)
	);
	const daemons = [daemonConfig(daemon), daemonConfig(second, { id: 'second' })];
	const pollEvery = { healthy: 20, unhealthy: 20, away: 60 };
	const gateway = createGateway({ daemons }, { pollEvery, refusal: neverSwitchedOff });
	open.push(gateway);
	const read = () => gateway.daemonFor('ALPHA', 'read')?.id;
	try {
		await expect.poll(read, { interval: 10 }).toBe('second');
		expect(gateway.daemonFor('ALPHA', 'wallet')?.id).toBe('ALPHA');
		blocks = 995;
		await expect.poll(read, { interval: 10 }).toBe('ALPHA');
		blocks = 0;
		await expect.poll(read, { interval: 10 }).toBe('second');
		await second.stop();
		// A daemon that is behind is better than none.
		await expect.poll(read, { interval: 10 }).toBe('ALPHA');
	} finally {
		await second.stop();
	}
});

describe('identical reads', () => {
	it('that are under way together are one call to the daemon', async () => {
		daemon.on('getblockcount', (request, response) => {
			setImmediate(() => answer(response, rpcLine('42', echo(request))));
		});
		const gateway = gatewayOf();
		const heights = await Promise.all(
			Array.from({ length: 100 }, () => gateway.call('ALPHA', 'getblockcount', []))
		);
		expect(new Set(heights)).toEqual(new Set([42]));
		expect(daemon.count('getblockcount')).toBe(1);
	});

	it('go on when one of the callers gives up', async () => {
		const { promise: go, resolve: release } = Promise.withResolvers<undefined>();
		daemon.on('getblockcount', async (request, response) => {
			await go;
			answer(response, rpcLine('42', echo(request)));
		});
		const gateway = gatewayOf();
		const first = failure(gateway.call('ALPHA', 'getblockcount', [], { timeout: 0 }));
		const second = gateway.call('ALPHA', 'getblockcount', []);
		expect((await first).code).toBe('daemon.timeout');
		release(undefined);
		expect(await second).toBe(42);
	});

	it('are not joined by one that follows a send, whose effect they cannot tell', async () => {
		const held: (() => void)[] = [];
		daemon
			.on('getrawtransaction', (request, response) => {
				const isFirst = daemon.count('getrawtransaction') === 1;
				const error = '{"code":-5,"message":"No such mempool or blockchain transaction"}';
				if (!isFirst) return answer(response, rpcLine('"00ff"', echo(request)));
				held.push(() => answer(response, rpcLine('null', echo(request), error), 500));
			})
			.on('sendrawtransaction', (request, response) =>
				answer(response, rpcLine(`"${TXID}"`, echo(request)))
			)
			.on('batch', (_request, response) => answer(response, `[${rpcLine('42', '1').trim()}]`));
		const gateway = gatewayOf();
		const batch = { method: 'getblockcount', paramsText: '[]', idText: '1' } as const;
		const changes = [
			() => gateway.call('ALPHA', 'sendrawtransaction', ['00']),
			() => gateway.proxyBatch('ALPHA', [batch])
		];
		for (const change of changes) {
			daemon.seen.length = 0;
			const before = failure(gateway.call('ALPHA', 'getrawtransaction', [TXID]));
			await expect.poll(() => held.length).toBe(1);
			await change();
			const after = gateway.call('ALPHA', 'getrawtransaction', [TXID]);
			await expect.poll(() => daemon.count('getrawtransaction')).toBe(2);
			expect(await after).toBe('00ff');
			held.pop()!();
			expect((await before).params).toMatchObject({ rpcCode: -5 });
		}
	});

	it('of raw bytes that a block hash names are asked for once', async () => {
		daemon.on('getblock', (request, response) =>
			answer(response, rpcLine('"00ff"', echo(request)))
		);
		const gateway = gatewayOf();
		for (let index = 0; index < 3; index += 1) {
			await gateway.proxy('ALPHA', 'getblock', `["${HASH}",0]`);
			await gateway.proxy('ALPHA', 'getblock', `["${HASH}",1]`);
		}
		expect(daemon.count('getblock')).toBe(4);
	});
});

describe('a slow daemon', () => {
	it('costs a caller no more than its timeout, and the read goes on for the next one', async () => {
		const { promise: go, resolve: release } = Promise.withResolvers<undefined>();
		daemon.on('getblockcount', async (request, response) => {
			await go;
			answer(response, rpcLine('42', echo(request)));
		});
		const gateway = gatewayOf();
		const error = await failure(gateway.call('ALPHA', 'getblockcount', [], { timeout: 50 }));
		expect(error).toMatchObject({ code: 'daemon.timeout', params: { delivery: 'unknown' } });
		const next = gateway.call('ALPHA', 'getblockcount', []);
		release(undefined);
		expect(await next).toBe(42);
		expect(daemon.count('getblockcount')).toBe(1);
	});
});

describe('a daemon that keeps a page waiting', () => {
	it('is called busy, and up again with its answer', async () => {
		const { promise: go, resolve: release } = Promise.withResolvers<undefined>();
		daemon.on('getblockcount', async (request, response) => {
			await go;
			answer(response, rpcLine('42', echo(request)));
		});
		const gateway = gatewayOf();
		await gateway.probe();
		await failure(gateway.call('ALPHA', 'getblockcount', [], { timeout: 350 }));
		expect(gateway.health('ALPHA').state).toBe('busy');
		const next = gateway.call('ALPHA', 'getblockcount', []);
		release(undefined);
		await next;
		expect(gateway.health('ALPHA').state).toBe('up');
	});
});

describe('an answer in another form', () => {
	const height = (body: string, status = 200): Promise<number> => {
		daemon.on('getblockcount', (_request, response) => answer(response, body, status, 'text/html'));
		return gatewayOf().call('ALPHA', 'getblockcount', []);
	};

	it.each([
		'{"id":null,"error":null,"result":42}',
		'{"jsonrpc":"2.0","result":42}',
		'\ufeff\r\n {"result" : 42 , "error" : null}                                ',
		'{"result":"42","error":null}',
		'{"result":4.2e1,"error":null}'
	])('is read where it can mean one thing only: %s', async (body) => {
		expect(await height(body)).toBe(42);
	});

	it.each([
		['{"error":"no such block"}', 200, 'daemon.rpc-error'],
		['{"result":null,"error":{"code":"-5","message":"no such block"}}', 200, 'daemon.rpc-error'],
		['{"result":null,"error":{"code":-5}}', 500, 'daemon.rpc-error'],
		['{"result":null,"error":{"code":-28,"message":"Loading"}}', 503, 'daemon.warming-up'],
		['{"result":null,"error":null}', 200, 'daemon.validation-mismatch'],
		['{"id":null}', 200, 'daemon.validation-mismatch'],
		['{"id":1,"result":42,"error":null}', 200, 'daemon.not-rpc'],
		['{"result":42,"error":null,"id":"another"}', 200, 'daemon.not-rpc'],
		['[]', 200, 'daemon.validation-mismatch'],
		['{"result":42.5}', 200, 'daemon.validation-mismatch'],
		['{"result":42', 200, 'daemon.truncated'],
		['null', 200, 'daemon.not-rpc'],
		['', 301, 'daemon.not-rpc'],
		['<h1>gone</h1>', 404, 'daemon.not-rpc']
	])('is an error with a name where it is none: %s with %i', async (body, status, code) => {
		expect(await failure(height(body, status))).toMatchObject({ code });
	});

	it('is counted, so that an admin sees that it comes', async () => {
		await height('{"result":"42","error":null}');
		expect(open.at(-1)!.health('ALPHA').mismatches).toBe(1);
	});
});

describe('a send', () => {
	it.each(['dropped', 'cut', 'slow', 'warming-up'])('is never repeated: %s', async (fault) => {
		daemon.on('sendrawtransaction', (request, response, socket) => {
			if (fault === 'dropped') socket.destroy();
			else if (fault === 'cut') {
				response.writeHead(200, { 'Content-Length': 100 });
				response.write('{"result":"');
				setImmediate(() => socket.destroy());
			} else if (fault === 'warming-up') return warmingUp(request, response, socket);
		});
		let acted = 0;
		const onActed = (): void => void (acted += 1);
		const gateway = gatewayOf(null, { deadlines: { send: 200 }, onActed });
		const error = await failure(gateway.call('ALPHA', 'sendrawtransaction', ['00']));
		expect(acted).toBe(fault === 'warming-up' ? 0 : 1);
		expect(daemon.count('sendrawtransaction')).toBe(1);
		expect(error.params.delivery).toBe(
			{ dropped: 'unknown', cut: 'delivered', slow: 'unknown', 'warming-up': 'not-sent' }[fault]
		);
	});

	it('does not go to a daemon of another chain', async () => {
		daemon.on('getinfo', (request, response) =>
			answer(response, rpcLine('{"name":"OTHER","KMDversion":"0.9.0"}', echo(request)))
		);
		const gateway = gatewayOf();
		const error = await failure(gateway.call('ALPHA', 'sendrawtransaction', ['00']));
		expect(error).toMatchObject({ code: 'daemon.wrong-chain', params: { delivery: 'not-sent' } });
		expect(daemon.count('sendrawtransaction')).toBe(0);
		expect(gateway.health('ALPHA').state).toBe('wrong-chain');
	});
});

describe('who a daemon is', () => {
	it.each([
		[{ ccid: 778, pubkey: null }, 'wrong-chain'],
		[{ ccid: null, pubkey: `02${HASH}` }, 'wrong-chain'],
		[{ ccid: 777, pubkey: null }, 'up']
	] as const)('is compared with the configuration %o: %s', async (expected, state) => {
		const gateway = gatewayOf(expected);
		await gateway.probe();
		expect(gateway.health('ALPHA').state).toBe(state);
		expect(gateway.daemon('ALPHA')).toMatchObject({ name: 'ALPHA', ccid: 777, dialect: 'komodod' });
	});

	it('is not known without getinfo, and its calls are spelled as in the interface document', async () => {
		const unknown = '{"code":-32601,"message":"Method not found"}';
		daemon
			.on('getinfo', (request, response) =>
				answer(response, rpcLine('null', echo(request), unknown), 404)
			)
			.on('scanNotarisationsDB', (request, response) =>
				answer(response, rpcLine('null', echo(request)))
			);
		const gateway = gatewayOf({ ccid: 777, pubkey: null });
		await gateway.call('ALPHA', 'scanNotarisationsDB', ['1000', 'BETA', '100']);
		expect(daemon.seen.at(-1)?.text).toContain('"params":[1000,"BETA",100]');
		expect(gateway.daemon('ALPHA')).toMatchObject({ name: null, dialect: 'seed' });
		expect(gateway.health('ALPHA').state).toBe('up');
	});

	it('is asked again after the daemon was away', async () => {
		const gateway = gatewayOf();
		await gateway.probe();
		await daemon.stop();
		await failure(gateway.call('ALPHA', 'getblockcount', []));
		daemon.on('getinfo', (request, response) =>
			answer(response, rpcLine('{"name":"OTHER","KMDversion":"0.9.0"}', echo(request)))
		);
		await daemon.start();
		expect((await failure(gateway.call('ALPHA', 'sendrawtransaction', ['00']))).code).toBe(
			'daemon.wrong-chain'
		);
	});

	/** Has the daemon go away, noticed by one call, and one of another chain come up at its address. */
	async function exchanged(gateway: Gateway): Promise<void> {
		await gateway.probe();
		await daemon.stop();
		await failure(gateway.call('ALPHA', 'getbestblockhash', []));
		daemon.seen.length = 0;
		daemon.on('getinfo', (request, response) =>
			answer(response, rpcLine('{"name":"OTHER","KMDversion":"0.9.0"}', echo(request)))
		);
		await daemon.start();
	}
	const READ = { method: 'getblockcount', paramsText: '[]', idText: '1' } as const;

	it.each([
		['call', (gateway: Gateway) => gateway.call('ALPHA', 'getblockcount', [])],
		['proxied call', (gateway: Gateway) => gateway.proxy('ALPHA', 'getblockcount', '[]')],
		['call of a page', (gateway: Gateway) => gateway.call('ALPHA', 'getblockcount', [], PAGE)],
		['batch', (gateway: Gateway) => gateway.proxyBatch('ALPHA', [READ])],
		['getinfo', (gateway: Gateway) => gateway.call('ALPHA', 'getinfo', [])],
		['proxied getinfo', (gateway: Gateway) => gateway.proxy('ALPHA', 'getinfo', '[]')]
	])(
		'is asked before a %s counts that a daemon of another chain answered after an absence',
		async (_name, read) => {
			daemon
				.on('getblockcount', (request, response) => answer(response, rpcLine('42', echo(request))))
				.on('batch', (_request, response) => answer(response, `[${rpcLine('42', '1').trim()}]`));
			const gateway = gatewayOf();
			await exchanged(gateway);
			expect((await failure(read(gateway))).code).toBe('daemon.wrong-chain');
			expect(gateway.health('ALPHA').state).toBe('wrong-chain');
		}
	);

	it('is asked before a read counts that was tried again while another daemon came up', async () => {
		daemon.on('getblockcount', (request, response) =>
			answer(response, rpcLine('42', echo(request)))
		);
		const gateway = gatewayOf();
		await gateway.probe();
		await daemon.stop();
		const read = failure(gateway.call('ALPHA', 'getblockcount', []));
		await expect.poll(() => gateway.health('ALPHA').state, { interval: 5 }).toBe('down');
		daemon.on('getinfo', (request, response) =>
			answer(response, rpcLine('{"name":"OTHER","KMDversion":"0.9.0"}', echo(request)))
		);
		await daemon.start();
		expect((await read).code).toBe('daemon.wrong-chain');
	});

	it('is asked before a transaction is called absent by a daemon of another chain', async () => {
		const unknown = '{"code":-5,"message":"No such mempool or blockchain transaction"}';
		daemon
			.on('getrawtransaction', (request, response) =>
				answer(response, rpcLine('null', echo(request), unknown), 500)
			)
			.on('gettransaction', (request, response) =>
				answer(response, rpcLine('null', echo(request), unknown), 500)
			);
		const gateway = gatewayOf();
		await exchanged(gateway);
		const found = findTransaction(daemonClientOf(gateway, 'ALPHA'), TXID);
		expect((await failure(found)).code).toBe('daemon.wrong-chain');
	});

	it('counts as told while a daemon of another chain only says that it is busy', async () => {
		daemon
			.on('getblockcount', (request, response) => answer(response, rpcLine('42', echo(request))))
			.on('getinfo', (request, response) =>
				answer(response, rpcLine('{"name":"OTHER","KMDversion":"0.9.0"}', echo(request)))
			);
		const gateway = gatewayOf();
		await gateway.probe();
		daemon.on('getinfo', workQueueFull);
		await gateway.probe();
		expect(gateway.health('ALPHA').state).toBe('busy');
		expect((await failure(gateway.call('ALPHA', 'getblockcount', []))).code).toBe(
			'daemon.wrong-chain'
		);
	});

	it('is waited for longer than usual where it decides if a read counts', async () => {
		daemon.on('getblockcount', (request, response) =>
			answer(response, rpcLine('42', echo(request)))
		);
		const gateway = gatewayOf(null, { limits: { identifyMs: 100 } });
		await exchanged(gateway);
		const asked: (() => void)[] = [];
		daemon.on('getinfo', (request, response) => {
			asked.push(() => answer(response, rpcLine('{"name":"ALPHA"}', echo(request))));
		});
		const read = gateway.call('ALPHA', 'getblockcount', []);
		await expect.poll(() => asked.length, { interval: 10 }).toBe(2);
		asked[1]!();
		expect(await read).toBe(42);
	});

	it('is needed before a read counts, also where the daemon is too busy to tell it', async () => {
		daemon.on('getblockcount', (request, response) =>
			answer(response, rpcLine('42', echo(request)))
		);
		const gateway = gatewayOf();
		await exchanged(gateway);
		daemon.on('getinfo', workQueueFull);
		expect((await failure(gateway.call('ALPHA', 'getblockcount', []))).code).toBe('daemon.busy');
	});

	it('is asked once for all reads after the daemon was away, which still share one request', async () => {
		daemon.on('getblockcount', (request, response) => {
			setImmediate(() => answer(response, rpcLine('42', echo(request))));
		});
		const gateway = gatewayOf();
		await gateway.probe();
		await daemon.stop();
		await failure(gateway.call('ALPHA', 'getbestblockhash', []));
		const began = performance.now();
		const down = await failure(gateway.call('ALPHA', 'getblockcount', []));
		expect(down.code).toBe('daemon.unreachable');
		expect(performance.now() - began).toBeLessThan(1_000);
		daemon.seen.length = 0;
		await daemon.start();
		const reads = Array.from({ length: 20 }, () => gateway.call('ALPHA', 'getblockcount', []));
		expect(new Set(await Promise.all(reads))).toEqual(new Set([42]));
		await gateway.call('ALPHA', 'getblockcount', []);
		expect([daemon.count('getblockcount'), daemon.count('getinfo')]).toEqual([2, 1]);
	});

	it('is told as it is to a caller that compares it', async () => {
		const gateway = gatewayOf();
		await exchanged(gateway);
		const { name } = await daemonClientOf(gateway, 'ALPHA').identity();
		expect(name).toBe('OTHER');
		expect(gateway.health('ALPHA').state).toBe('wrong-chain');
	});
});

describe('an answer', () => {
	it('that refuses carries the daemon’s code and words', async () => {
		daemon.on('sendrawtransaction', (request, response) =>
			answer(
				response,
				rpcLine('null', echo(request), '{"code":-26,"message":"64: scriptpubkey"}'),
				500
			)
		);
		const error = await failure(gatewayOf().call('ALPHA', 'sendrawtransaction', ['00']));
		expect(error).toMatchObject({
			code: 'daemon.rpc-error',
			params: { rpcCode: -26, rpcMessage: '64: scriptpubkey', delivery: 'delivered' }
		});
		expect(explainDaemon(error.coded).what).toContain('64: scriptpubkey');
	});

	it('that says result "error" is a refusal, too', async () => {
		daemon.on('tokeninfo', (request, response) =>
			answer(response, rpcLine('{"result":"error","error":"cant find tokenid"}', echo(request)))
		);
		const error = await failure(gatewayOf().call('ALPHA', 'tokeninfo', [TXID]));
		expect(error).toMatchObject({
			code: 'daemon.in-band-error',
			params: { rpcMessage: 'cant find tokenid' }
		});
	});

	it.each(['"text"', '{"a":1}', 'null'])('of another form is counted: %s', async (result) => {
		daemon.on('getblockcount', (request, response) =>
			answer(response, rpcLine(result, echo(request)))
		);
		const gateway = gatewayOf();
		expect((await failure(gateway.call('ALPHA', 'getblockcount', []))).code).toBe(
			'daemon.validation-mismatch'
		);
		expect(gateway.health('ALPHA').mismatches).toBe(1);
	});
});

describe('the words of a refusal', () => {
	const REFUSAL = 'Something nobody has written about';

	it('are explained where they are known: what happened, whose turn it is, what to do', async () => {
		daemon.on('tokeninfo', (request, response) =>
			answer(response, rpcLine('{"result":"error","error":"cant find tokenid"}', echo(request)))
		);
		const gateway = gatewayOf();
		const error = await failure(gateway.call('ALPHA', 'tokeninfo', [TXID]));
		expect(explainDaemon(error.coded)).toEqual({
			what: 'ALPHA refused tokeninfo: cant find tokenid. The chain does not know a token with this ID.',
			safe: 'The daemon took the call.',
			next: 'Check the token ID and the chain. A token exists once its creation is confirmed.'
		});
		expect(gateway.health('ALPHA').unknownRefusals).toEqual([]);
	});

	it('are shown as they are where they are not, and counted for each method', async () => {
		daemon.on('tokeninfo', (request, response) =>
			answer(response, rpcLine(`{"result":"error","error":"${REFUSAL}"}`, echo(request)))
		);
		daemon.on('sendrawtransaction', (request, response) =>
			answer(response, rpcLine('null', echo(request), '{"code":-26,"message":"16: new"}'), 500)
		);
		const gateway = gatewayOf();
		const error = await failure(gateway.call('ALPHA', 'tokeninfo', [TXID]));
		expect(explainDaemon(error.coded)).toMatchObject({
			what: `ALPHA refused tokeninfo: ${REFUSAL}`,
			next: 'Correct what the daemon names, then try again.'
		});
		await failure(gateway.call('ALPHA', 'tokeninfo', [TXID]));
		await gateway.proxy('ALPHA', 'sendrawtransaction', '["00"]');
		expect(gateway.health('ALPHA').unknownRefusals).toEqual([
			{ method: 'tokeninfo', count: 2, last: REFUSAL },
			{ method: 'sendrawtransaction', count: 1, last: '16: new' }
		]);
	});

	it('are shortened where a daemon answers with its whole usage', async () => {
		const message = `tokeninfo tokenid\n${'long '.repeat(2000)}`;
		daemon.on('tokeninfo', (request, response) =>
			answer(response, rpcLine('null', echo(request), JSON.stringify({ code: -1, message })), 500)
		);
		const error = await failure(gatewayOf().call('ALPHA', 'tokeninfo', [TXID]));
		const { what } = explainDaemon(error.coded);
		expect(what.length).toBeLessThan(600);
		expect(what).toContain('number of parameters');
	});
});

describe('every kind of failure', () => {
	it('has words for people', async () => {
		await daemon.stop();
		const error = await failure(gatewayOf().call('ALPHA', 'getblockcount', []));
		expect(explainDaemon(error.coded)).toEqual({
			what: 'Nothing answers at the address of ALPHA.',
			safe: 'The daemon did not act on the call.',
			next: 'Check that the daemon runs and that its rpcport is the configured one.'
		});
		expect((await failure(gatewayOf().call('NONE', 'getblockcount', []))).code).toBe(
			'daemon.unknown'
		);
	});
});
