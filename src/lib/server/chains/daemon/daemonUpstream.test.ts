import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Credentials } from '#lib/server/platform/config/types.ts';
import { daemonConfig } from '../../../../../tests/support/daemons.ts';
import {
	answer,
	echo,
	rpcLine,
	ScriptedUpstream,
	type Script,
	warmingUp,
	workQueueFull,
	wrongPassword
} from '../../../../../tests/support/upstream.ts';
import { Upstream, type UpstreamRequest, type UpstreamLimits } from './daemonUpstream.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { DaemonError } from './daemonError.ts';

const CANARY = 'canary-7Qz==#pass';
const LIMITS: UpstreamLimits = {
	maxConcurrency: 4,
	maxQueued: 4,
	maxAnswerBytes: 100_000,
	connectTimeoutMs: 1_000,
	cooldownMs: 60_000,
	identifyMs: 5_000,
	awayAfterMs: 5_000
};

let daemon: ScriptedUpstream;
const open: Upstream[] = [];

function upstreamOf(
	credentials: Credentials = { kind: 'password', user: 'user1', password: CANARY },
	limits: Partial<UpstreamLimits> = {}
): Upstream {
	const config = daemonConfig(daemon, { credentials, purposes: ['read'], dialect: 'komodod' });
	const upstream = new Upstream(config, { ...LIMITS, ...limits });
	open.push(upstream);
	return upstream;
}

function call(method: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest {
	return {
		method,
		body: `{"jsonrpc":"1.0","id":"komodeck","method":"${method}","params":[]}`,
		id: '"komodeck"',
		maxBytes: 1_000_000,
		timeoutMs: 5_000,
		priority: 'interactive',
		retry: false,
		acts: false,
		ownConnection: false,
		...more
	};
}

async function failure(promise: Promise<unknown>): Promise<DaemonError> {
	const error = await promise.then(
		() => null,
		(reason: unknown) => reason
	);
	if (!isAppError(error, 'daemon')) throw error;
	return error;
}

beforeEach(async () => {
	daemon = await new ScriptedUpstream().start();
});
afterEach(async () => {
	vi.useRealTimers();
	await Promise.all(open.splice(0).map((upstream) => upstream.close()));
	await daemon.stop();
});

describe('a daemon that answers', () => {
	it('gives back the very bytes, errors of the method included, and is up', async () => {
		const body = '{"result":null,"error":{"code":-5,"message":"no such"},"id":"komodeck"}\n';
		daemon.on('getblock', (_request, response) => answer(response, body, 500));
		const upstream = upstreamOf();
		const raw = await upstream.request(call('getblock'));
		expect(raw).toEqual({
			status: 500,
			contentType: 'application/json',
			body: Buffer.from(body),
			id: { start: body.length - 12, end: body.length - 2 }
		});
		expect(upstream.health.state).toBe('up');
		expect(daemon.seen[0]?.authorization).toBe(
			`Basic ${Buffer.from(`user1:${CANARY}`).toString('base64')}`
		);
	});
});

describe('a daemon that is down', () => {
	it('is unreachable, nothing of the call reached it, and it is found again when it is back', async () => {
		const upstream = upstreamOf();
		await daemon.stop();
		const error = await failure(upstream.request(call('getinfo')));
		expect(error).toMatchObject({
			code: 'daemon.unreachable',
			params: { delivery: 'not-sent', daemon: 'ALPHA' }
		});
		expect(upstream.health.state).toBe('down');
		await daemon.start();
		await upstream.request(call('getinfo'));
		expect(upstream.health.state).toBe('up');
	});

	it('is tried again for a read while it restarts', async () => {
		const upstream = upstreamOf();
		await upstream.request(call('getinfo'));
		await daemon.stop();
		const tries: string[] = [];
		const reading = upstream.request(
			call('getinfo', {
				retry: true,
				onTry: (error) => {
					tries.push(error.code);
					void daemon.start();
				}
			})
		);
		expect((await reading).status).toBe(200);
		expect(tries[0]).toBe('daemon.unreachable');
	});
});

describe('a daemon that is warming up', () => {
	it('says so in its own words', async () => {
		daemon.on('*', warmingUp);
		const upstream = upstreamOf();
		const error = await failure(upstream.request(call('getblockcount')));
		expect(error).toMatchObject({
			code: 'daemon.warming-up',
			params: { delivery: 'not-sent', rpcCode: -28, rpcMessage: 'Verifying blocks...' }
		});
		expect(upstream.health).toMatchObject({
			state: 'warming-up',
			reason: { code: 'daemon.warming-up', params: { rpcMessage: 'Verifying blocks...' } }
		});
	});

	it('stays warming up when only help answers', async () => {
		daemon.on('*', warmingUp);
		daemon.on('help', (_request, response) => answer(response, rpcLine('"text"')));
		const upstream = upstreamOf();
		await failure(upstream.request(call('getblockcount')));
		await upstream.request(call('help'));
		expect(upstream.health.state).toBe('warming-up');
	});
});

describe.each([500, 503])('a daemon whose work queue is full, with status %s', (status) => {
	const full: Script = (_request, response) =>
		answer(response, 'Work queue depth exceeded', status, 'text/html; charset=ISO-8859-1');

	it('is asked again for a read', async () => {
		let calls = 0;
		daemon.on('getblockcount', (request, response, socket) => {
			calls += 1;
			if (calls < 3) return full(request, response, socket);
			return answer(response, rpcLine('7'));
		});
		const raw = await upstreamOf().request(call('getblockcount', { retry: true }));
		expect(raw.body.toString()).toBe(rpcLine('7'));
		expect(calls).toBe(3);
	});

	it('is not asked again for a send', async () => {
		daemon.on('sendrawtransaction', full);
		const error = await failure(upstreamOf().request(call('sendrawtransaction')));
		expect(error.code).toBe('daemon.busy');
		expect(daemon.count('sendrawtransaction')).toBe(1);
	});
});

describe('a daemon that is slow', () => {
	it('fails at the deadline, and a call that went out may have been acted on', async () => {
		daemon.on('sendrawtransaction', () => undefined);
		const error = await failure(
			upstreamOf().request(call('sendrawtransaction', { timeoutMs: 150 }))
		);
		expect(error).toMatchObject({ code: 'daemon.timeout', params: { delivery: 'unknown' } });
		expect(daemon.count('sendrawtransaction')).toBe(1);
	});
});

describe('answers that are not whole or not JSON-RPC', () => {
	it.each([
		['a connection that ends without an answer', 'daemon.truncated', 'unknown'],
		['an answer cut in the middle', 'daemon.truncated', 'delivered'],
		['JSON that ends too early', 'daemon.truncated', 'delivered'],
		['an empty body', 'daemon.truncated', 'delivered'],
		['an HTML page with status 503', 'daemon.not-rpc', 'unknown'],
		['an HTML page with status 200', 'daemon.not-rpc', 'delivered'],
		['an answer above the limit', 'daemon.too-large', 'delivered']
	] as const)('%s is %s', async (what, code, delivery) => {
		daemon.on('sendrawtransaction', (_request, response, socket) => {
			if (what.startsWith('a connection')) socket.destroy();
			else if (what.startsWith('an answer cut')) {
				response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 500 });
				response.write('{"result":"00');
				setImmediate(() => socket.destroy());
			} else if (what.startsWith('JSON')) answer(response, '{"result":{"a":"b');
			else if (what.startsWith('an empty')) answer(response, '');
			else if (what.endsWith('503')) answer(response, '<html>Bye</html>', 503, 'text/html');
			else if (what.endsWith('200')) answer(response, '<html>Hello</html>', 200, 'text/html');
			else answer(response, rpcLine(`"${'0'.repeat(200_000)}"`));
		});
		const error = await failure(upstreamOf().request(call('sendrawtransaction', { retry: true })));
		expect(error).toMatchObject({ code, params: { delivery } });
		// A kept-alive connection might have been closing just then.
		expect(daemon.count('sendrawtransaction')).toBe(what.startsWith('a connection') ? 2 : 1);
	});

	/** Sends a call while another one is in its place, which takes this long by the clock of the deadlines. */
	async function behind(ms: number, method: string, more: Partial<UpstreamRequest> = {}) {
		vi.useFakeTimers({ toFake: ['performance'] });
		const upstream = upstreamOf(undefined, { maxConcurrency: 1 });
		daemon.on('first', (request, response) => {
			vi.advanceTimersByTime(ms);
			answer(response, rpcLine('1', echo(request)));
		});
		const first = upstream.request(call('first'));
		const late = failure(upstream.request(call(method, more)));
		await first;
		return late;
	}

	it('waits no longer in all for a call that had to queue', async () => {
		daemon.on('silent', () => undefined);
		const began = Date.now();
		expect(await behind(4_800, 'silent', { timeoutMs: 5_000 })).toMatchObject({
			code: 'daemon.timeout',
			params: { delivery: 'unknown' }
		});
		expect(Date.now() - began).toBeLessThan(4_500);
	});

	it.each([
		['a call whose time ran out before it had its place', 5_000, { timeoutMs: 5_000, acts: false }],
		['what acts when a fifth of its time is left', 4_000, { timeoutMs: 5_000, acts: true }]
	])('does not send %s', async (_what, ms, more) => {
		daemon.on('unsent', () => undefined);
		expect(await behind(ms, 'unsent', more)).toMatchObject({
			code: 'daemon.timeout',
			params: { delivery: 'not-sent' }
		});
		expect(daemon.count('unsent')).toBe(0);
	});

	it('sends once what may not be repeated, whatever becomes of the connection', async () => {
		daemon.on('sendrawtransaction', (_request, _response, socket) => void socket.destroy());
		const error = await failure(upstreamOf().request(call('sendrawtransaction')));
		expect(error).toMatchObject({ code: 'daemon.truncated', params: { delivery: 'unknown' } });
		expect(daemon.count('sendrawtransaction')).toBe(1);
	});

	it('accepts JSON under another content type', async () => {
		daemon.on('getblockcount', (_request, response) =>
			answer(response, rpcLine('5'), 200, 'text/html')
		);
		const raw = await upstreamOf().request(call('getblockcount'));
		expect(raw.body.toString()).toBe(rpcLine('5'));
	});
});

describe('a login that is refused', () => {
	it('stops the calls after one refusal', async () => {
		daemon.on('*', wrongPassword);
		const upstream = upstreamOf();
		expect(await failure(upstream.request(call('getinfo')))).toMatchObject({
			code: 'daemon.unauthorized',
			params: { status: 401, delivery: 'not-sent' }
		});
		for (let index = 0; index < 5; index += 1) {
			await failure(upstream.request(call('getinfo', { retry: true })));
		}
		expect(daemon.seen).toHaveLength(1);
		expect(upstream.health.state).toBe('unauthorized');
	});

	it('reads the cookie again when the daemon has restarted, also for a send', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'komodeck-cookie-'));
		const file = join(folder, '.cookie');
		writeFileSync(file, '__cookie__:first=\n');
		let cookie = '__cookie__:first=';
		daemon.on('*', (request, response, socket) =>
			request.authorization === `Basic ${Buffer.from(cookie).toString('base64')}`
				? answer(response, rpcLine('1'))
				: wrongPassword(request, response, socket)
		);
		const upstream = upstreamOf({ kind: 'cookie', file });
		await upstream.request(call('getblockcount'));
		cookie = '__cookie__:second=';
		writeFileSync(file, `${cookie}\n`);
		await upstream.request(call('sendrawtransaction'));
		expect(upstream.health.state).toBe('up');
		expect(daemon.count('sendrawtransaction')).toBe(2);
		rmSync(folder, { recursive: true });
	});

	it('is not taken for one when calls at once need the cookie, at first and after a restart', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'komodeck-cookie-'));
		const file = join(folder, '.cookie');
		let cookie = '';
		const restart = (name: string): void => {
			cookie = `__cookie__:${name}=`;
			writeFileSync(file, `${cookie}\n`);
		};
		daemon.on('*', (request, response, socket) =>
			request.authorization === `Basic ${Buffer.from(cookie).toString('base64')}`
				? answer(response, rpcLine('1'))
				: wrongPassword(request, response, socket)
		);
		const upstream = upstreamOf({ kind: 'cookie', file });
		for (const name of ['first', 'second']) {
			restart(name);
			await Promise.all(
				['getinfo', 'getblockcount', 'listunspent'].map((method) => upstream.request(call(method)))
			);
			expect(upstream.health.state).toBe('up');
		}
		rmSync(folder, { recursive: true });
	});

	it('shows no credential in any error', async () => {
		const errors: DaemonError[] = [];
		const upstream = upstreamOf(undefined, { cooldownMs: 0 });
		const scripts: Script[] = [
			wrongPassword,
			warmingUp,
			workQueueFull,
			(_request, _response, socket) => void socket.destroy()
		];
		for (const script of scripts) {
			daemon.on('*', script);
			errors.push(await failure(upstream.request(call('getinfo'))));
		}
		await daemon.stop();
		errors.push(await failure(upstream.request(call('getinfo'))));
		const encoded = Buffer.from(`user1:${CANARY}`).toString('base64');
		for (const error of errors) {
			const shown = [error.stack, String(error.cause), JSON.stringify(error)].join('\n');
			expect(shown).not.toContain(CANARY);
			expect(shown).not.toContain(encoded);
		}
		expect(JSON.stringify(upstream.health.reason)).not.toContain(CANARY);
	});
});
