/** A daemon's own port: the RPC API at `/`, with the same checks as at its path. */
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { createCallerAddress } from '#lib/server/platform/net/callerAddress.ts';
import { createRpcApi } from '#lib/server/rpc-proxy/rpcApi.ts';
import { createDaemonServer, listen, stopListening } from '../../../src/start/server.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver, signInAs } from '../../support/members.ts';
import { permissiveCalls } from '../../support/permissive.ts';
import { LOCAL } from '../../support/served.ts';
import { answer, echo, rpcLine, ScriptedUpstream } from '../../support/upstream.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';

describeOnBothDatabases('the port of one daemon', (database) => {
	let daemon: ScriptedUpstream;
	let gateway: Gateway;
	let auth: Auth;
	let server: Server;
	let url: string;
	let token: string;
	let viewerToken: string;
	let session: string;

	beforeAll(async () => {
		daemon = await new ScriptedUpstream().start();
		daemon.on('getblockcount', (seen, response) => answer(response, rpcLine('7', echo(seen))));
		daemon.on('sendrawtransaction', (seen, response) =>
			answer(response, rpcLine('"txid"', echo(seen)))
		);
		daemon.on('batch', (seen, response) => {
			const calls = JSON.parse(seen.text) as { id: unknown }[];
			const lines = calls.map(({ id }) => `{"result":7,"error":null,"id":${JSON.stringify(id)}}`);
			answer(response, `[${lines.join(',')}]\n`);
		});
		const settings = (id: string) => daemonConfig({ id, chain: 'ALPHA', url: daemon.url });
		// An id with a character that an address must escape.
		gateway = gatewayBefore(settings('ALPHA:notary-1'), settings('ALPHA'));
		auth = await authOver(database);
		const operator = await addPerson(database, 'operator', 'olga');
		const tokenOf = async (account: typeof operator, role: 'operator' | 'viewer') =>
			(
				await auth.tokens.create(
					{
						account,
						name: role,
						role,
						methods: null,
						daemons: role === 'viewer' ? ['ALPHA'] : null
					},
					account
				)
			).token;
		token = await tokenOf(operator, 'operator');
		viewerToken = await tokenOf(operator, 'viewer');
		session = await signInAs(auth, operator);
		const { audit, identify } = auth;
		const rpcApi = createRpcApi({
			openBudget: openOwnBudget,
			identify,
			publicOrigin: null,
			addressOf: createCallerAddress(null),
			...permissiveCalls(gateway, { audit })
		});
		server = createDaemonServer('ALPHA:notary-1', {
			...LOCAL,
			rpcApi: () => rpcApi,
			onError: (error) => {
				throw error;
			}
		});
		url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
	});
	afterAll(async () => {
		await stopListening(server, 0);
		await gateway.close();
		await daemon.stop();
	});

	const call = (method: string, params = '[]'): string =>
		`{"jsonrpc":"1.0","id":"me","method":"${method}","params":${params}}`;
	const post = (
		body: string,
		headers: Record<string, string> = { authorization: `Bearer ${token}` },
		path = '/'
	): Promise<Response> => fetch(url + path, { method: 'POST', body, headers });
	const basic = (user: string, password: string) => ({
		authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
	});

	test('answers a single call at / with the daemon’s own bytes', async () => {
		const response = await post(call('getblockcount'));
		expect([response.status, await response.text()]).toEqual([200, rpcLine('7', '"me"')]);
	});

	test('answers a batch', async () => {
		const response = await post(`[${call('getblockcount')},${call('nosuchmethod')}]`);
		expect(await response.json()).toEqual([
			{ result: 7, error: null, id: 'me' },
			{ result: null, error: { code: -32601, message: 'Method not found' }, id: 'me' }
		]);
	});

	test('takes a person’s name and token as the daemon’s clients send their login', async () => {
		const response = await post(call('getblockcount'), basic('olga', token));
		expect(response.status).toBe(200);
		expect((await post(call('getblockcount'), basic('somebody', token))).status).toBe(401);
	});

	test.each(['Bearer wrong', 'Basic d3Jvbmc6d3Jvbmc=', ''])(
		'refuses %j as the daemon refuses a wrong password',
		async (authorization) => {
			const headers: Record<string, string> = authorization === '' ? {} : { authorization };
			const response = await post(call('getblockcount'), headers);
			expect(response.status).toBe(401);
			expect(response.headers.get('www-authenticate')).toBe('Basic realm="jsonrpc"');
			expect(await response.text()).toBe('');
		}
	);

	test('refuses a browser’s session when another page asks with it', async () => {
		const cookie = `${SESSION_COOKIE}=${session}`;
		// Cookies ignore ports, so the console's own page on another port counts as a foreign page, too.
		for (const origin of ['https://evil.example', 'http://127.0.0.1:3000']) {
			const response = await post(call('sendrawtransaction', '["00"]'), { cookie, origin });
			expect(response.status).toBe(403);
		}
		expect((await post(call('getblockcount'), { cookie })).status).toBe(403);
		expect(daemon.count('sendrawtransaction')).toBe(0);
	});

	test('keeps the limits of a token, and puts what changes something on record first', async () => {
		const limited = await post(call('getblockcount'), { authorization: `Bearer ${viewerToken}` });
		expect(await limited.json()).toMatchObject({ error: { code: -32601 } });
		await post(call('sendrawtransaction', '["00"]'));
		const [row] = await auth.audit.list({ action: 'rpc.sendrawtransaction' });
		expect(row).toMatchObject({ actor: 'olga', target: 'ALPHA:notary-1' });
	});

	test('has nothing but calls: no other path, no other verb, no page', async () => {
		for (const path of ['/chains/ALPHA', '/api/rpc/ALPHA', '/healthz', '//', '/?x']) {
			expect((await post(call('getblockcount'), undefined, path)).status, path).toBe(404);
		}
		expect((await fetch(url)).status).toBe(405);
	});

	test('says that it is not ready before the application is', async () => {
		const early = createDaemonServer('ALPHA', {
			...LOCAL,
			rpcApi: () => undefined,
			onError: () => undefined
		});
		const port = await listen(early, 0, '127.0.0.1');
		expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })).status).toBe(503);
		await stopListening(early, 0);
	});
});
