/**
 * The RPC API for a trading node: its own request formats and errors, with roles, tokens, limits and audit
 * events.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { checkFixture } from '#lib/rpc/contract.ts';
import { kdfMethods } from '#lib/rpc/kdf/index.ts';
import { VISITOR, type Identity } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { readAuthorization } from '#lib/server/access/requests/identify.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { KdfGateway, KdfStop } from '#lib/server/kdf/client/kdfTypes.ts';
import type { AuditEntry } from '#lib/server/platform/audit-trail/entry.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { createCallBudget } from '#lib/server/access/calls/budget.ts';
import { createDaemonServer, listen, stopListening } from '../../src/start/server.ts';
import { gatewayBefore } from '../support/daemons.ts';
import { nodeConfig, nodesBefore } from '../support/nodes.ts';
import { byToken, permissiveCalls } from '../support/permissive.ts';
import { serveRpcApi, type RpcApiServer } from '../support/rpcApiServer.ts';
import { createKdfProxy } from '#lib/server/rpc-proxy/kdf/kdfProxy.ts';
import { ScriptedKdf } from '../support/tradingNode.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import { LOCAL } from '../support/served.ts';
import { SHAPE } from '#lib/server/rpc-proxy/http/bodyMeter.ts';
import { createHeldAnswers, MOST_HELD } from '#lib/server/rpc-proxy/http/heldAnswers.ts';

const PASSWORD = 'Canary_Pass_1!';
const LISTED = 'kmd.electrum.example:10001';

let node: ScriptedKdf;
let daemons: Gateway;
let nodes: KdfGateway;
let server: RpcApiServer;
let url: string;
let audited: AuditEntry[];
let stop: KdfStop | null;
let frozen: AppError<'safety.read-only'> | null;
/** An API token that was revoked. */
let revoked: string | null;

const TOKENS: Readonly<Record<string, { methods?: string[]; daemons?: string[] }>> = {
	narrow: { methods: ['my_balance'] },
	elsewhere: { daemons: ['ALPHA'] }
};

const KNOWN = new Set(['viewer', 'operator', 'admin', ...Object.keys(TOKENS)]);

/** Tokens are named after their role; two more are an operator's with limits. */
function identityOf(token: string): Identity {
	const role = (TOKENS[token] ? 'operator' : token) as Role;
	const identity = byToken({ id: token, name: token, role });
	return { ...identity, token: { ...identity.token, ...TOKENS[token] } };
}

beforeEach(async () => {
	node = await new ScriptedKdf(PASSWORD).start();
	node
		.on('my_balance', ({ coin }) => ({
			result: { coin, balance: '1', unspendable_balance: '0', address: 'R9' }
		}))
		.on('get_enabled_coins', () => ({ result: { coins: [] } }))
		.on('sign_message', () => ({
			status: 500,
			type: 'PrefixNotFound',
			error: 'sign_message_prefix is not set in coin config'
		}))
		.on('task::enable_utxo::init', () => ({ result: { task_id: 0 } }))
		.on('task::enable_utxo::status', () => ({
			result: { status: 'InProgress', details: 'ActivatingCoin' }
		}))
		.on('task::enable_utxo::user_action', () => ({ result: 'success' }))
		.on('electrum', () => ({ result: { result: 'success' } }))
		.on('disable_coin', () => ({ result: { result: {} } }))
		.on('enable_eth_with_tokens', () => ({ result: {} }));
	audited = [];
	stop = null;
	frozen = null;
	revoked = null;
	const audit = {
		append: (entry: AuditEntry) => Promise.resolve(void audited.push(entry))
	};
	daemons = gatewayBefore();
	nodes = nodesBefore(nodeConfig({ url: node.upstream.url, password: PASSWORD }), {
		audit,
		stops: {
			get: () => Promise.resolve(stop),
			stop: (_node, now) => {
				stop = now;
				return Promise.resolve(true);
			},
			resume: () => Promise.resolve(false)
		}
	});
	server = await serveRpcApi({
		...permissiveCalls(daemons, {
			audit,
			refusal: () => Promise.resolve(frozen),
			listed: ({ ticker, url: address }) => Promise.resolve(ticker === 'KMD' && address === LISTED)
		}),
		nodes,
		budget: createCallBudget(openOwnBudget, { callsPer10s: 400 }),
		limits: {
			body: { ...SHAPE, bytes: 20_000, hexBytes: 20_000, calls: 5 },
			heldBytes: 70_000_000
		},
		identify: (headers) => {
			const given = readAuthorization(headers.get('authorization'));
			if (given !== null && (!KNOWN.has(given.token) || given.token === revoked)) {
				return Promise.reject(new AppError('account.token-invalid'));
			}
			return Promise.resolve(given === null ? VISITOR : identityOf(given.token));
		}
	});
	url = `${server.url}/trading-node`;
});
afterEach(async () => {
	await server.stop();
	await daemons.close();
	await nodes.close();
	await node.stop();
});

interface Answer {
	status: number;
	text: string;
	body: Record<string, unknown>;
}

async function post(body: unknown, token: string | null = 'operator'): Promise<Answer> {
	const response = await fetch(url, {
		method: 'POST',
		body: typeof body === 'string' ? body : JSON.stringify(body),
		headers: token === null ? {} : { authorization: `Bearer ${token}` }
	});
	const text = await response.text();
	let parsed: unknown = {};
	if (/^[[{]/.test(text)) parsed = JSON.parse(text);
	return { status: response.status, text, body: parsed as Record<string, unknown> };
}
const v2 = (method: string, params: unknown = {}, id: unknown = 7): Record<string, unknown> => ({
	mmrpc: '2.0',
	method,
	params,
	id
});
const electrum = (address: string): Record<string, unknown> => ({
	method: 'electrum',
	coin: 'KMD',
	servers: [{ url: address }]
});

describe('a call to a trading node', () => {
	test('is answered in the envelope it came in, with the caller’s id; errors are the node’s own', async () => {
		expect(await post({ method: 'my_balance', coin: 'KMD' }, 'viewer')).toMatchObject({
			status: 200,
			body: { coin: 'KMD', balance: '1' }
		});
		expect((await post(v2('get_enabled_coins', undefined, 42), 'viewer')).body).toEqual({
			mmrpc: '2.0',
			result: { coins: [] },
			id: 42
		});
		const refused = await post(v2('sign_message', { coin: 'KMD', message: 'x' }));
		expect(refused).toMatchObject({
			status: 500,
			body: { error_type: 'PrefixNotFound', error_path: 'dispatcher', id: 7 }
		});
		// As many digits as a trading node accepts.
		for (const id of ['9007199254740993', '1795744524841123456', '18446744073709551615']) {
			const long = `{"mmrpc":"2.0","method":"get_enabled_coins","id":${id}}`;
			expect(await post(long, 'viewer')).toMatchObject({
				status: 200,
				text: expect.stringMatching(new RegExp(`"id":${id}\\}$`)) as string
			});
		}
		expect(
			await post('{"mmrpc":"2.0","method":"get_enabled_coins","id":18446744073709551616}')
		).toMatchObject({
			status: 400,
			body: { error_type: 'InvalidRequest', id: null }
		});
		// A version 2 method without mmrpc reaches the node as well.
		expect(
			(await post({ method: 'sign_message', params: { coin: 'KMD', message: 'x' } })).status
		).toBe(500);
		for (const { userpass, method } of node.seen) {
			expect(userpass).toBe(method === 'version' ? undefined : PASSWORD);
		}
	});

	test('is made by the API token in userpass as by one in the header, and hands neither on', async () => {
		const by = (userpass: string): Record<string, unknown> => ({
			...v2('sign_message', { coin: 'KMD', message: 'x' }),
			userpass
		});
		const balance = { method: 'my_balance', coin: 'KMD', userpass: 'viewer' };
		for (const header of [null, 'viewer']) {
			expect(await post(balance, header)).toMatchObject({ status: 200, body: { balance: '1' } });
			const both = JSON.parse((await post([balance, balance], header)).text) as unknown[];
			expect(both).toMatchObject([{ balance: '1' }, { balance: '1' }]);
			// It gives no more rights than the header.
			expect((await post(by('viewer'), header)).status).toBe(403);
		}
		expect((await post(by('operator'), null)).body).toMatchObject({ error_type: 'PrefixNotFound' });
		// Calls of a batch without a `userpass` use the token of the header.
		const mixed = [balance, { method: 'my_balance', coin: 'KMD' }];
		expect((await post(mixed, 'viewer')).status).toBe(200);
		for (const { userpass, method } of node.seen) {
			expect(userpass).toBe(method === 'version' ? undefined : PASSWORD);
		}
		const kept = JSON.stringify(audited);
		expect(kept).toContain('sign_message');
		expect(kept).not.toContain('userpass');
	});

	test('that signs goes on record with what was signed, and by which address', async () => {
		const message = 'I agree to sell everything.';
		const messageSha256 = createHash('sha256').update(message).digest('hex');
		for (const address of [
			{ derivation_path: "m/44'/141'/0'/0/7" },
			{ account_id: 0, chain: 'External', address_id: 7 }
		]) {
			await post(v2('sign_message', { coin: 'KMD', message, address }), 'operator');
		}
		expect(audited.filter(({ action }) => action === 'rpc.sign_message')).toMatchObject([
			{ actor: 'operator', detail: { coin: 'KMD', messageSha256, path: "m/44'/141'/0'/0/7" } },
			{ actor: 'operator', detail: { coin: 'KMD', messageSha256, path: '0/External/7' } }
		]);
		// The text may be a secret that was pasted by mistake.
		expect(JSON.stringify(audited)).not.toContain(message);
	});

	test('is refused with 401 by any other userpass, which is neither tried on the node nor repeated', async () => {
		const call = { method: 'my_balance', coin: 'KMD' };
		const wrong: unknown[] = [
			{ ...call, userpass: PASSWORD },
			{ ...v2('get_enabled_coins'), userpass: PASSWORD },
			{ method: 'no_such', userpass: PASSWORD },
			{ userpass: PASSWORD },
			...['', ' ', 'nobody', 'nobody viewer', '\r\nx', 7, true, ['viewer'], { viewer: 1 }].map(
				(userpass) => ({ ...call, userpass })
			),
			'{"method":"my_balance","coin":"KMD","userpass":"viewer","userpass":"nobody"}',
			'{"method":"my_balance","coin":"KMD","\\u0075serpass":"nobody"}',
			[
				{ ...call, userpass: 'viewer' },
				{ ...call, userpass: 'operator' }
			],
			[
				{ ...call, userpass: 'viewer' },
				{ ...call, userpass: 7 }
			]
		];
		for (const body of wrong) {
			for (const header of [null, 'viewer', 'nobody']) {
				const told = await post(body, header);
				const about = `${String(header)} ${JSON.stringify(body)}`;
				expect(told.status, about).toBe(401);
				expect(told.body['error'], about).toMatch(/userpass is not your API token/);
				expect(told.text, about).not.toContain(PASSWORD);
			}
		}
		// The token of another member, or of the same member with other rights.
		expect((await post({ ...call, userpass: 'operator' }, 'viewer')).status).toBe(401);
		// A `userpass` in only some calls of a batch identifies no caller.
		expect((await post([{ ...call, userpass: 'viewer' }, call], null)).status).toBe(401);
		// A body longer than a call needs is not read before its sender is known.
		const long = { ...call, userpass: 'viewer', more: 'x'.repeat(70_000) };
		expect((await post(long, null)).status).toBe(401);
		expect((await post({ ...v2('get_enabled_coins'), userpass: 'x' })).body).toMatchObject({
			error_type: 'UserpassIsInvalid',
			id: 7
		});
		// Where there is no trading node, callers do not learn that.
		const elsewhere = url.replace('trading-node', 'no-such-node');
		for (const place of [url, elsewhere]) {
			const answer = await fetch(place, {
				method: 'POST',
				body: JSON.stringify({ ...call, userpass: 'nobody' })
			});
			expect(answer.status).toBe(401);
			expect(await answer.text()).toContain(rpcApi.userpass);
		}
		expect(node.seen).toEqual([]);
		expect(JSON.stringify(audited)).not.toContain(PASSWORD);
	});

	test('is made by the token in userpass however many refused calls its network has made, until their bodies that were read are long', async () => {
		const call = { method: 'my_balance', coin: 'KMD' };
		// What one network may get wrong within a minute.
		for (let n = 0; n < 600; n += 50) {
			await Promise.all(Array.from({ length: 50 }, () => post(call, 'nobody')));
		}
		for (const body of [
			call,
			{ ...call, userpass: 'nobody' },
			[{ ...call, userpass: 'viewer' }, call]
		]) {
			expect((await post(body, null)).status).toBe(429);
		}
		for (const header of [null, 'nobody']) {
			const told = await post({ ...call, userpass: 'viewer' }, header);
			expect(told).toMatchObject({ status: 200, body: { balance: '1' } });
		}
		// Where there is no trading node, callers do not learn that.
		const asked = { method: 'POST', body: JSON.stringify({ ...call, userpass: 'viewer' }) };
		const elsewhere = await fetch(url.replace('trading-node', 'no-such-node'), asked);
		expect(elsewhere.status).toBe(429);
		// Bodies that are refused unread: a compressed one, and one whose declared size is beyond the limit.
		const unread: RequestInit[] = [
			{ body: JSON.stringify(call), headers: { 'content-encoding': 'gzip' } },
			{ body: 'x'.repeat(70_000) }
		];
		const statusOf = async (given: RequestInit): Promise<number> => {
			const response = await fetch(url, { method: 'POST', ...given });
			await response.arrayBuffer();
			return response.status;
		};
		for (const given of unread) {
			for (let n = 0; n < 1_000; n += 50) {
				const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(given)));
				expect(new Set(statuses)).toEqual(new Set([429]));
			}
			expect((await post({ ...call, userpass: 'viewer' }, null)).status).toBe(200);
		}
		const long = JSON.stringify({ ...call, userpass: 'nobody', more: 'x'.repeat(60 * 1024) });
		for (let n = 0; n < 1_000; n += 50) {
			await Promise.all(Array.from({ length: 50 }, () => post(long, null)));
		}
		expect((await post({ ...call, userpass: 'viewer' }, null)).status).toBe(429);
		expect((await post(call, 'viewer')).status).toBe(200);
	});

	test('needs a token, and no more than its role, its token and its parameters allow', async () => {
		expect((await post(v2('get_enabled_coins'), null)).status).toBe(401);
		const cases: [string, unknown, string, RegExp][] = [
			['viewer', v2('sign_message', { coin: 'KMD', message: 'x' }), 'sign_message', /viewer/],
			['viewer', electrum(LISTED), 'electrum', /the role viewer may not call electrum/],
			['operator', { method: 'disable_coin', coin: 'KMD' }, 'disable_coin', /operator/],
			['operator', { method: 'stop' }, 'stop', /operator may not call stop/],
			['admin', { method: 'stop' }, 'stop', /admin may not call stop/],
			['admin', { method: 'show_priv_key', coin: 'KMD' }, 'show_priv_key', /admin/],
			['admin', v2('get_mnemonic', { format: 'plaintext' }), 'get_mnemonic', /admin/],
			[
				'narrow',
				v2('get_enabled_coins'),
				'get_enabled_coins',
				/this API token may not call the method/
			],
			['elsewhere', { method: 'my_balance', coin: 'KMD' }, 'my_balance', /other daemons/],
			['operator', electrum('10.0.0.1:50001'), 'electrum', /are for admins/],
			[
				'operator',
				{ ...electrum(LISTED), swap_contract_address: `0x${'1'.repeat(40)}` },
				'electrum',
				/swap contracts .* are for admins/
			],
			[
				'operator',
				v2('enable_eth_with_tokens', {
					ticker: 'ETH',
					nodes: [],
					swap_contract_address: `0x${'1'.repeat(40)}`,
					erc20_tokens_requests: [],
					priv_key_policy: { type: 'WalletConnect', params: { session_topic: 'aa' } }
				}),
				'enable_eth_with_tokens',
				/remote signers/
			],
			[
				'operator',
				v2('enable_eth_with_tokens', {
					ticker: 'ETH',
					nodes: [],
					swap_contract_address: `0x${'1'.repeat(40)}`,
					erc20_tokens_requests: [{ ticker: 'MINE', protocol: { type: 'ERC20' } }]
				}),
				'enable_eth_with_tokens',
				/described by hand/
			],
			[
				'viewer',
				v2('task::enable_utxo::status', { task_id: 0 }),
				'task::enable_utxo::status',
				/forget/
			]
		];
		for (const [token, body, method, why] of cases) {
			const { status, body: told } = await post(body, token);
			expect(status, `${token} ${method}`).toBe(403);
			expect(told['error'], `${token} ${method}`).toMatch(why);
			expect(node.count(method)).toBe(0);
		}
		for (const [token, body] of [
			['operator', electrum(LISTED)],
			['admin', electrum('10.0.0.1:50001')],
			['admin', { method: 'disable_coin', coin: 'KMD' }],
			['narrow', { method: 'my_balance', coin: 'KMD' }],
			['viewer', v2('task::enable_utxo::status', { task_id: 0, forget_if_finished: false })]
		] as const) {
			expect((await post(body, token)).status).toBe(200);
		}
	});

	test('takes either spelling and refuses what no node would take, in the node’s words', async () => {
		const action = (action_type: string) =>
			v2('task::enable_utxo::user_action', {
				task_id: 0,
				user_action: { action_type, pin: '123' }
			});
		expect((await post(action('HardwarePin'))).status).toBe(200);
		expect((await post(action('TrezorPin'))).status).toBe(200);
		expect(node.seen.at(-1)?.['params']).toEqual(node.seen.at(-2)?.['params']);
		const wrong: [unknown, number, string][] = [
			[v2('no_such'), 400, 'NoSuchMethod'],
			[v2('constructor'), 400, 'NoSuchMethod'],
			[v2('electrum', { coin: 'KMD' }), 400, 'NoSuchMethod'],
			[{ ...v2('sign_message'), jsonrpc: '2.0' }, 400, 'InvalidRequest'],
			[v2('sign_message', { coin: 'KMD' }), 400, 'InvalidRequest'],
			[v2('sign_message', { coin: 'KMD', message: 'x', more: 1 }), 400, 'InvalidRequest'],
			[v2('sign_message', { coin: 'KMD', message: 'x' }, 'seven'), 400, 'InvalidRequest'],
			[v2('sign_message', { coin: 'KMD', message: 'x' }, -1), 400, 'InvalidRequest'],
			[{ ...v2('sign_message'), mmrpc: '1.0' }, 400, 'InvalidMmRpcVersion'],
			[{ mmrpc: '2.0' }, 400, 'InvalidRequest'],
			[{ method: 7 }, 400, 'InvalidRequest'],
			[null, 400, 'InvalidRequest'],
			[5, 400, 'InvalidRequest']
		];
		for (const [body, status, type] of wrong) {
			const told = await post(body);
			expect(told, JSON.stringify(body)).toMatchObject({ status, body: { error_type: type } });
			expect(told.body['mmrpc']).toBe('2.0');
		}
		expect(await post({ method: 'my_balance' })).toMatchObject({
			status: 500,
			body: { error: expect.stringMatching(/^komodeck:1\] .*coin/) as string }
		});
		expect((await post('{"method":')).status).toBe(500);
		expect((await post('['.repeat(60) + ']'.repeat(60))).status).toBe(500);
		expect((await post(`"${'x'.repeat(30_000)}"`)).status).toBe(413);
		// The RPC API's own errors are valid node responses for the registry.
		const { text } = await post(v2('no_such', {}, 3));
		const fixture = {
			service: 'trading-node',
			method: 'no_such',
			kind: 'error',
			request: v2('no_such', {}, 3),
			response: JSON.parse(text) as unknown
		};
		expect(checkFixture(JSON.stringify(fixture))).toEqual({ kind: 'checked', mismatches: [] });
	});

	test('names a coin that fits into the audit log, or is refused by the name of its parameter', async () => {
		const told = async (coin: string) => post(v2('sign_message', { coin, message: 'x' }));
		for (const coin of ['K'.repeat(65), 'KM\0D', 'KM\nD']) {
			expect(await told(coin)).toMatchObject({
				status: 400,
				body: {
					error_type: 'InvalidRequest',
					error: expect.stringContaining('coin: expected a ticker of at most 64') as string
				}
			});
		}
		expect(audited).toEqual([]);
		expect(node.count('sign_message')).toBe(0);
		await told('K'.repeat(64));
		expect(node.count('sign_message')).toBe(1);
	});

	test('in a batch is judged alone, goes out alone, and is answered at its place', async () => {
		const { status, body } = await post(
			[
				{ method: 'my_balance', coin: 'KMD' },
				{ method: 'stop' },
				v2('get_enabled_coins', undefined, 2),
				{ method: 'my_balance', coin: 'KMD', userpass: 'viewer' },
				7
			],
			'viewer'
		);
		expect(status).toBe(200);
		expect(body).toMatchObject([
			{ coin: 'KMD' },
			{ error: expect.stringMatching(/may not call stop/) as string },
			{ result: { coins: [] }, id: 2 },
			{ coin: 'KMD' },
			{ error_type: 'InvalidRequest', id: null }
		]);
		expect(node.upstream.count('batch')).toBe(0);
		expect((await post([])).text).toBe('[]');
		expect((await post(Array.from({ length: 6 }, () => v2('get_enabled_coins')))).status).toBe(400);
	});

	test.each([
		['header', {}, 'admin'],
		['userpass', { userpass: 'admin' }, null]
	])(
		'in a batch is not made once the token of its %s was revoked',
		async (_where, shown, token) => {
			node.on('my_balance', ({ coin }) => {
				const answerLater = node.hold();
				revoked = 'admin';
				setTimeout(answerLater, 1_100);
				return { result: { coin, balance: '1', unspendable_balance: '0', address: 'R9' } };
			});
			const { status, body } = await post(
				[
					{ method: 'my_balance', coin: 'KMD', ...shown },
					{ method: 'disable_coin', coin: 'KMD', ...shown },
					{ method: 'get_enabled_coins', ...shown }
				],
				token
			);
			expect(status).toBe(200);
			expect(body).toMatchObject([
				{ coin: 'KMD' },
				{ error: expect.stringMatching(/was not made/) as string },
				{ error: expect.stringMatching(/was not made/) as string }
			]);
			expect(node.count('disable_coin') + node.count('get_enabled_coins')).toBe(0);
		}
	);

	test('in a batch is not made when the answers before it are too long together', async () => {
		const long = Array.from({ length: 15 }, () => 'a'.repeat(1_000_000));
		node.on('my_tx_history', () => ({ result: { result: { transactions: long } } }));
		const history = { method: 'my_tx_history', coin: 'KMD', limit: 10 };
		const { status, body } = await post(Array.from({ length: 5 }, () => history));
		expect(status).toBe(200);
		const answers = body as unknown as { error?: string }[];
		expect(answers.map(({ error }) => error === undefined)).toEqual([
			true,
			true,
			true,
			true,
			false
		]);
		expect(answers[4]?.error).toMatch(/was not made/);
		expect(node.count('my_tx_history')).toBe(4);
	});

	test('in a batch counts for its member while other batches grow beside it, and not after them', async () => {
		const long = Array.from({ length: 15 }, () => 'a'.repeat(1_000_000));
		node.on('my_tx_history', () => ({ result: { result: { transactions: long } } }));
		const history = (limit: number) => ({ method: 'my_tx_history', coin: 'KMD', limit });
		await post({ method: 'my_balance', coin: 'KMD' });
		const asked = (): number => node.count('my_tx_history');
		let release = node.hold();
		const batches = [1, 4, 7].map((limit) =>
			post([history(limit), history(limit + 1), history(limit + 2)], 'viewer')
		);
		// All three have their first answers before the second ones come, which are too many then.
		for (const calls of [3, 6]) {
			await expect.poll(asked, { timeout: 20_000 }).toBe(calls);
			release();
			release = node.hold();
		}
		release();
		const told = await Promise.all(batches);
		expect(told.map(({ status }) => status)).toEqual([200, 200, 200]);
		const answers = told.flatMap(({ body }) => body as unknown as { error?: string }[]);
		const refused = answers.flatMap(({ error }) => (error === undefined ? [] : [error]));
		expect(refused.length).toBeGreaterThan(0);
		for (const error of refused) expect(error).toContain(rpcApi.batchHeld);
		const after = await post([history(10), history(11)], 'viewer');
		expect(after.text).not.toContain(rpcApi.batchHeld);
	});

	test('that can change something is on record before it goes out, without PIN and parameters', async () => {
		await post(v2('get_enabled_coins'));
		await post({ method: 'my_balance', coin: 'KMD' });
		expect(audited).toEqual([]);
		await post(
			v2('task::enable_utxo::user_action', {
				task_id: 3,
				user_action: { action_type: 'TrezorPin', pin: '862743' }
			})
		);
		await post(electrum(LISTED));
		expect(
			audited.map(({ actor, action, target, detail }) => [actor, action, target, detail])
		).toEqual([
			[
				'operator',
				'rpc.task::enable_utxo::user_action',
				'trading-node',
				{
					access: 'activate',
					via: 'token',
					tokenId: 'operator',
					requestId: expect.any(String) as string
				}
			],
			[
				'operator',
				'rpc.electrum',
				'trading-node',
				{
					access: 'activate',
					via: 'token',
					tokenId: 'operator',
					requestId: expect.any(String) as string,
					coin: 'KMD'
				}
			]
		]);
		expect(JSON.stringify(audited)).not.toContain('862743');
	});

	test('does not leave while a switch is thrown or the node is stopped; reads go on in the first case', async () => {
		frozen = new AppError('safety.read-only', { by: 'ada', reason: '' });
		expect(
			await post(
				v2('task::enable_utxo::init', {
					ticker: 'KMD',
					activation_params: { mode: { rpc: 'Native' } }
				})
			)
		).toMatchObject({
			status: 503,
			body: { error: 'This console was made read-only by ada.' }
		});
		expect(node.count('task::enable_utxo::init')).toBe(0);
		expect((await post(v2('get_enabled_coins'))).status).toBe(200);
		stop = { reason: 'wrong', attemptsLeft: 9, since: 1 };
		const stopped = await post({ method: 'my_balance', coin: 'KMD' });
		expect(stopped.status).toBe(503);
		expect(stopped.body['error']).toMatch(/refused the password .* Until then nothing is sent/);
		expect(node.count('my_balance')).toBe(0);
	});

	test('that waits for its place goes nowhere once its token was revoked', async () => {
		await post({ method: 'my_balance', coin: 'KMD' });
		const release = node.hold();
		const others = ['A', 'B', 'C', 'D'].map((coin) => post({ method: 'my_balance', coin }));
		const inFlight = async () => (await nodes.node('trading-node'))?.inFlight;
		await expect.poll(inFlight).toBe(4);
		const waiting = post(
			{ mmrpc: '2.0', method: 'sign_message', params: { coin: 'KMD', message: 'x' } },
			'operator'
		);
		await expect.poll(async () => (await nodes.node('trading-node'))?.queued).toBe(1);
		revoked = 'operator';
		await sleep(1_100);
		release();
		await Promise.all(others);
		expect(await waiting).toMatchObject({
			status: 401,
			body: { error: expect.stringContaining('was not made') }
		});
		expect(node.count('sign_message')).toBe(0);
		expect(audited).toMatchObject([
			{ actor: 'operator', action: 'rpc.sign_message' },
			{ actor: 'engine', action: 'rpc.failed', detail: { method: 'sign_message' } }
		]);
	});

	test('that waits for the node to tell its version goes nowhere once its token was revoked', async () => {
		const release = node.hold();
		const waiting = post(v2('sign_message', { coin: 'KMD', message: 'x' }));
		await expect.poll(() => node.count('version')).toBe(1);
		revoked = 'operator';
		await sleep(1_100);
		release();
		expect(await waiting).toMatchObject({
			status: 401,
			body: { error: expect.stringContaining('was not made') }
		});
		expect(node.count('sign_message')).toBe(0);
	});

	test('that never left is on record as one that did not, and one that left is not', async () => {
		const sign = v2('sign_message', { coin: 'KMD', message: 'x' });
		await post(sign);
		await post(sign);
		expect(audited.map(({ action }) => action)).toEqual([
			...['rpc.sign_message', 'rpc.sign_message']
		]);
		await node.stop();
		audited.length = 0;
		await post([sign, sign, { method: 'my_balance', coin: 'KMD' }]);
		expect(audited.map(({ actor, action, target }) => [actor, action, target]).sort()).toEqual([
			...Array(2).fill(['engine', 'rpc.failed', 'trading-node']),
			...Array(2).fill([expect.any(String), 'rpc.sign_message', 'trading-node'])
		]);
	});

	test('beyond the budget waits; a node that is away is told as a proxy tells it', async () => {
		await node.stop();
		expect(await post({ method: 'my_balance', coin: 'KMD' })).toMatchObject({ status: 502 });
		const many = Array.from({ length: 5 }, () => ({ method: 'my_balance', coin: 'KMD' }));
		let last = 200;
		for (let at = 0; at < 90 && last === 200; at += 1) last = (await post(many)).status;
		expect(last).toBe(429);
	});

	test('of any form, or of none, gets an answer in the node’s form, and nothing of it breaks the door', async () => {
		const value = fc.jsonValue({ maxDepth: 4 });
		const name = fc.oneof(
			fc.constantFrom(...Object.values(kdfMethods).map((method) => method.name)),
			fc.constantFrom('__proto__', 'constructor', ''),
			value
		);
		const call = fc.record(
			{
				mmrpc: fc.oneof(fc.constant('2.0'), value),
				method: name,
				params: value,
				id: value,
				userpass: value,
				coin: value,
				__proto__: value
			},
			{ requiredKeys: [] }
		);
		const text = fc.oneof(
			call.map((one) => JSON.stringify(one)),
			fc.array(call, { maxLength: 4 }).map((calls) => JSON.stringify(calls)),
			fc.string({ maxLength: 100 })
		);
		const seen = new Set<number>();
		const proxy = createKdfProxy({ ...permissiveCalls(daemons), nodes });
		const held = createHeldAnswers(MOST_HELD);
		await fc.assert(
			fc.asyncProperty(text, async (body) => {
				const identity = identityOf('viewer') as Exclude<Identity, { via: 'public' }>;
				const request = proxy.read(body, 5);
				const progress = { trace: { mayBeDone: false }, growing: held.grow('viewer') };
				const told = await request.answer(
					'trading-node',
					() => identity,
					{ requestId: 'x' },
					progress
				);
				seen.add(told.status);
				const { body: pieces } = told;
				const said = typeof pieces === 'string' ? pieces : Buffer.concat(pieces).toString();
				const answers: unknown = JSON.parse(said);
				for (const one of Array.isArray(answers) ? answers : [answers]) {
					expect(one).toBeTypeOf('object');
				}
			}),
			{ numRuns: 3_000, examples: [['{"method":"task::withdraw::user_action"}']] }
		);
		expect([...seen].every((status) => [200, 400, 403, 500].includes(status))).toBe(true);
	});

	test('in bytes that are no text signs no other one', async () => {
		const body = JSON.stringify(v2('sign_message', { coin: 'KMD', message: 'Zürich' }));
		const response = await fetch(url, {
			method: 'POST',
			body: Uint8Array.from(Buffer.from(body, 'latin1')),
			headers: { authorization: 'Bearer operator' }
		});
		expect([response.status, await response.json()]).toEqual([500, { error: 'Parse error' }]);
		expect(node.count('sign_message')).toBe(0);
	});

	test('comes to a port of its own at any path, as to the node itself', async () => {
		const own = createDaemonServer(
			'trading-node',
			{ ...LOCAL, rpcApi: () => server.rpcApi, onError: (error) => expect(error).toBeNull() },
			{},
			true
		);
		const address = `http://127.0.0.1:${await listen(own, 0, '127.0.0.1')}`;
		for (const path of ['/', '/any/path', '/api/rpc/ALPHA']) {
			const response = await fetch(address + path, {
				method: 'POST',
				body: JSON.stringify({ method: 'my_balance', coin: 'KMD' }),
				headers: { authorization: 'Bearer viewer' }
			});
			expect(response.status).toBe(200);
			expect(await response.json()).toMatchObject({ coin: 'KMD', balance: '1' });
		}
		await stopListening(own, 0);
	});
});
