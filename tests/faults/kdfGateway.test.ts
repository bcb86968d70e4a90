/** Calls to a trading node: its password, its first refusal, its two dialects, and failures. */
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
	afterAll,
	afterEach,
	beforeEach,
	describe,
	expect,
	onTestFinished,
	test,
	vi
} from 'vitest';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { AuditEntry } from '#lib/server/platform/audit-trail/entry.ts';
import { explainKdf } from '#lib/messages/explained/kdf.ts';
import type { KdfDialect } from '#lib/rpc/kdf/index.ts';
import type { KdfGatewayOptions } from '#lib/server/kdf/client/kdfGateway.ts';
import { createKdfStops } from '#lib/server/kdf/client/kdfStops.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import type { KdfCredentials } from '#lib/server/platform/config/types.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { describeOnBothDatabases } from '../support/database.ts';
import { authOver } from '../support/members.ts';
import { failure, nodeConfig, nodesBefore } from '../support/nodes.ts';
import { ScriptedKdf } from '../support/tradingNode.ts';
import { answer } from '../support/upstream.ts';

const PASSWORD = 'Canary_Pass_1!';
const KMD = { ticker: 'KMD', activation_params: { mode: { rpc: 'Native' as const } } };

describeOnBothDatabases('a trading node', (database) => {
	let node: ScriptedKdf;
	let auth: Auth;
	const record = (entry: AuditEntry): Promise<void> => auth.audit.append(entry);
	const open: KdfGateway[] = [];

	function gateway(
		credentials: KdfCredentials = { kind: 'password', password: PASSWORD },
		more: Partial<KdfGatewayOptions> & { dialect?: KdfDialect } = {}
	): KdfGateway {
		const { dialect = null, ...options } = more;
		const made = nodesBefore(
			{ id: 'trading-node', url: node.upstream.url, credentials, dialect },
			{ stops: createKdfStops(database.db), audit: auth.audit, ...options }
		);
		open.push(made);
		return made;
	}

	const file = (): string => join(database.dataDir, 'MM2.json');
	/** Writes a password into the configuration file of the node. */
	const settle = (password: string): void =>
		writeFileSync(file(), JSON.stringify({ rpc_password: password, rpcport: node.upstream.port }));
	/** A gateway that reads the password from that file. */
	const gatewayByFile = (): KdfGateway => gateway({ kind: 'mm2', file: file() });
	const enabled = (nodes: KdfGateway) => nodes.call('trading-node', 'get_enabled_coins', {});

	beforeEach(async () => {
		auth ??= await authOver(database);
		node = await new ScriptedKdf(PASSWORD).start();
		node
			.on('get_enabled_coins', () => ({ result: { coins: [{ ticker: 'KMD' }] } }))
			.on('task::enable_utxo::init', () => ({ result: { task_id: 3 } }))
			.on('my_balance', () => ({
				result: { coin: 'KMD', balance: '7.62', unspendable_balance: '0', address: 'R9o9x' }
			}));
	});
	afterEach(async () => {
		for (const one of open.splice(0)) await one.close();
		await node.stop();
		await createKdfStops(database.db).resume('trading-node');
	});
	afterAll(() => auth.audit.stop());

	test('gets its password in every call but the open one, and nothing else beside the parameters', async () => {
		const nodes = gateway();
		expect(await nodes.call('trading-node', 'get_enabled_coins', {})).toEqual({
			coins: [{ ticker: 'KMD' }]
		});
		const balance = await nodes.call('trading-node', 'my_balance', { coin: 'KMD' });
		expect(balance.balance).toBe('7.62');
		expect(node.seen).toEqual([
			{ method: 'version' },
			// The call that finds out the dialect. A released node does not know the word.
			expect.objectContaining({ method: 'task::enable_bch::user_action', userpass: PASSWORD }),
			// A released node refuses an empty object here.
			{
				mmrpc: '2.0',
				userpass: PASSWORD,
				method: 'get_enabled_coins',
				id: expect.any(Number) as number
			},
			{ userpass: PASSWORD, method: 'my_balance', coin: 'KMD' }
		]);
		expect(await nodes.node('trading-node')).toMatchObject({
			state: 'up',
			dialect: 'kdf',
			version: '2.5.1-beta_a9fbf60',
			stop: null
		});
	});

	test('is told what changes something once, and loses nothing with a connection that it closes', async () => {
		const nodes = gateway();
		await nodes.call('trading-node', 'get_enabled_coins', {});
		// Like its HTTP library with a connection that was idle for a while.
		const used = new WeakSet<object>();
		const arrived: string[] = [];
		node.upstream.on('*', (request, response, socket) => {
			arrived.push(request.method);
			if (used.has(socket)) return void socket.destroy();
			used.add(socket);
			return node.answer(request, response);
		});
		for (let round = 0; round < 3; round += 1) {
			const balance = await nodes.call('trading-node', 'my_balance', { coin: 'KMD' });
			expect(balance.balance).toBe('7.62');
			expect(await nodes.call('trading-node', 'task::enable_utxo::init', KMD)).toEqual({
				task_id: 3
			});
		}
		expect(arrived.filter((method) => method === 'task::enable_utxo::init')).toHaveLength(3);

		// A connection that fails again: a read is retried once, a change is not.
		arrived.length = 0;
		node.upstream.on('*', (request, _response, socket) => {
			arrived.push(request.method);
			socket.destroy();
		});
		const lost = { code: 'kdf.truncated', params: { delivery: 'unknown' } };
		expect(await failure(nodes.call('trading-node', 'my_balance', { coin: 'KMD' }))).toMatchObject(
			lost
		);
		expect(await failure(nodes.call('trading-node', 'task::enable_utxo::init', KMD))).toMatchObject(
			lost
		);
		const calls = arrived.filter((method) => method !== 'version');
		expect(calls).toEqual(['my_balance', 'my_balance', 'task::enable_utxo::init']);
	});

	test('is sent a password that may be wrong once, whatever becomes of the connection', async () => {
		const nodes = gateway();
		const passwords: string[] = [];
		node.upstream.on('*', (request, response, socket) => {
			if (request.method === 'version') return node.answer(request, response);
			passwords.push(request.method);
			socket.destroy();
		});
		await failure(nodes.call('trading-node', 'get_enabled_coins', {}));
		expect(passwords.filter((method) => method === 'get_enabled_coins')).toHaveLength(1);
	});

	test('is stopped by the first refusal: of eight calls at once one is sent, and none after it', async () => {
		const nodes = gateway({ kind: 'password', password: 'Wrong_Pass_1!' });
		const calls = Array.from({ length: 8 }, () =>
			failure(nodes.call('trading-node', 'get_enabled_coins', {}))
		);
		for (const error of await Promise.all(calls)) expect(error.code).toBe('kdf.password-refused');
		expect(node.wrong).toBe(1);
		const rows = await auth.audit.list({ action: 'node.stopped' });
		expect(rows).toHaveLength(1);
		expect(rows[0]).toMatchObject({
			target: 'trading-node',
			detail: { reason: 'wrong', attemptsLeft: 9 }
		});
		const arrived = node.seen.length;
		const error = await failure(nodes.call('trading-node', 'version', {}));
		expect(error).toMatchObject({ code: 'kdf.password-refused', params: { delivery: 'not-sent' } });
		expect(node.seen).toHaveLength(arrived);
		const { what, next } = explainKdf(error.coded);
		expect(what).toBe(
			'The node refused the password that is configured for it. It takes 9 more wrong ones before it bans this machine. Correct it, then confirm here. Until then nothing is sent to it.'
		);
		expect(next).toMatch(/^An admin corrects the password/);
		expect(`${error.message}${what}${next}`).not.toContain('Wrong_Pass_1!');
	});

	test('stays stopped after a restart and for another server, until an admin confirms the corrected password', async () => {
		settle('Wrong_Pass_1!');
		const first = gatewayByFile();
		await failure(first.call('trading-node', 'get_enabled_coins', {}));
		settle(PASSWORD);
		const restarted = gatewayByFile();
		expect(await failure(restarted.call('trading-node', 'get_enabled_coins', {}))).toMatchObject({
			code: 'kdf.password-refused'
		});
		expect(await restarted.node('trading-node')).toMatchObject({
			state: 'stopped',
			stop: { reason: 'wrong', attemptsLeft: 9 }
		});
		expect(node.wrong).toBe(1);

		expect(await restarted.confirm('trading-node', 'ada', record)).toMatchObject({
			state: 'up',
			stop: null
		});
		await restarted.call('trading-node', 'get_enabled_coins', {});
		expect(node.wrong).toBe(1);
		const [row] = await auth.audit.list({ action: 'node.confirmed', limit: 1 });
		expect(row).toMatchObject({ actor: 'ada', target: 'trading-node' });
	});

	test('is sent the corrected password by each server, whichever process it was in which an admin allowed calls again', async () => {
		settle(PASSWORD);
		const first = gatewayByFile();
		const second = gatewayByFile();
		const idle = gatewayByFile();
		for (const nodes of [first, second, idle]) await enabled(nodes);
		node.password = 'Other_Pass_2!';
		await failure(enabled(first));
		expect((await failure(enabled(second))).code).toBe('kdf.password-refused');
		settle(node.password);
		const commandLine = gatewayByFile();
		expect(await commandLine.confirm('trading-node', 'ada', record)).toMatchObject({
			state: 'up',
			stop: null
		});
		for (const nodes of [first, second]) await enabled(nodes);
		expect(node.wrong).toBe(1);

		// A server that did not hear of the stop sends its old password once.
		for (const nodes of [idle, first, second]) await enabled(nodes);
		expect(node.wrong).toBe(2);
	});

	test('whose password was corrected in time is stopped by no server that still sends the old one', async () => {
		settle(PASSWORD);
		const first = gatewayByFile();
		const second = gatewayByFile();
		for (const nodes of [first, second]) await enabled(nodes);
		node.password = 'Other_Pass_2!';
		settle(node.password);
		// What changes something is not repeated here, and its caller may.
		const replaced = await failure(first.call('trading-node', 'task::enable_utxo::init', KMD));
		expect(replaced).toMatchObject({
			code: 'kdf.password-replaced',
			params: { delivery: 'not-sent' }
		});
		expect(explainKdf(replaced.coded).what).toMatch(/its password was replaced meanwhile/);
		expect(await second.node('trading-node')).toMatchObject({ state: 'up', stop: null });
		for (const nodes of [first, second]) await enabled(nodes);
		expect(node.wrong).toBe(2);

		// Another wrong one in the file is refused as well.
		node.password = 'Third_Pass_3!';
		settle('Wrong_Pass_1!');
		expect((await failure(enabled(first))).code).toBe('kdf.password-refused');
		expect(node.wrong).toBe(4);
	});

	/** A node that is not asked how it spells, which is a call with the password. */
	const SPELLED = { dialect: 'kdf' } as const;
	/** Eight different calls at once; identical reads would share a request. */
	const eightAtOnce = (nodes: KdfGateway) =>
		Promise.allSettled(
			Array.from({ length: 8 }, (_, n) =>
				nodes.call('trading-node', 'my_balance', { coin: `COIN${n}` })
			)
		);

	test('that comes back from an absence with another password is sent the old one once, by eight calls at once', async () => {
		const nodes = gateway(undefined, SPELLED);
		await enabled(nodes);
		await node.stop();
		await failure(enabled(nodes));
		await node.start();
		node.password = 'Other_Pass_2!';
		for (const { status } of await eightAtOnce(nodes)) expect(status).toBe('rejected');
		expect(node.wrong).toBe(1);
	});

	test('that comes back from an absence with another password is not sent the old one where the file has the new one', async () => {
		settle(PASSWORD);
		const nodes = gatewayByFile();
		await enabled(nodes);
		await node.stop();
		await failure(enabled(nodes));
		await node.start();
		node.password = 'Other_Pass_2!';
		settle(node.password);
		await eightAtOnce(nodes);
		expect(node.wrong).toBe(0);
		expect(node.count('my_balance')).toBe(8);
	});

	test('in whose place another release answers is sent a password that it refuses once, by eight calls at once', async () => {
		const nodes = gateway(undefined, SPELLED);
		await nodes.probe();
		await enabled(nodes);
		node.release = { result: '2.6.0-beta_0123456', datetime: '2026-01-01T00:00:00+00:00' };
		node.password = 'Other_Pass_2!';
		await nodes.probe();
		await eightAtOnce(nodes);
		expect(node.wrong).toBe(1);
	});

	test('that only its stream of events showed to be started again is sent a password that it refuses once', async () => {
		const streams: ServerResponse[] = [];
		// The request for the stream has no body.
		node.upstream.on('', (_request, response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
			streams.push(response);
		});
		const nodes = gateway(undefined, { eventWaits: { first: 60_000, last: 60_000 } });
		await enabled(nodes);
		nodes.listen(() => undefined);
		const isHeard = (): boolean => nodes.listener('trading-node') !== null;
		await expect.poll(isHeard).toBe(true);
		node.password = 'Other_Pass_2!';
		for (const stream of streams) stream.end();
		await expect.poll(isHeard).toBe(false);
		await eightAtOnce(nodes);
		expect(node.wrong).toBe(1);
	});

	test('whose password cannot be read from its file is not said to be silent', async () => {
		writeFileSync(file(), 'no JSON');
		const unread = await failure(enabled(gatewayByFile()));
		expect(unread).toMatchObject({
			code: 'kdf.password-unreadable',
			params: { delivery: 'not-sent' }
		});
		expect(node.count('get_enabled_coins')).toBe(0);
	});

	test('whose password is written to its file meanwhile gets a read after all', async () => {
		writeFileSync(file(), 'no JSON');
		const written = setTimeout(() => settle(PASSWORD), 150);
		onTestFinished(() => clearTimeout(written));
		await enabled(gatewayByFile());
		expect(node.count('get_enabled_coins')).toBe(1);
	});

	test('is stopped again when a confirmed password is refused again, at the price of one more', async () => {
		const nodes = gateway({ kind: 'password', password: 'Wrong_Pass_1!' });
		await failure(nodes.call('trading-node', 'get_enabled_coins', {}));
		expect(await nodes.confirm('trading-node', 'ada', record)).toMatchObject({
			state: 'stopped',
			stop: { attemptsLeft: 8 }
		});
		expect(node.wrong).toBe(2);
	});

	test('tells a ban, in either envelope, from a wrong password', async () => {
		node.wrong = 10;
		const nodes = gateway();
		const error = await failure(nodes.call('trading-node', 'my_balance', { coin: 'KMD' }));
		expect(error.params).toMatchObject({ stop: { reason: 'banned', attemptsLeft: null } });
		expect(explainKdf(error.coded).what).toMatch(/has banned this machine .* Restart the node/);
		expect(node.seen).toHaveLength(1);
	});

	test('behind a proxy that refuses single calls goes on, and one whose refusals it hides is stopped', async () => {
		const nodes = gateway();
		const balance = () => nodes.call('trading-node', 'my_balance', { coin: 'KMD' });
		let refused: readonly string[] = ['version'];
		node.upstream.on('*', (request, response) =>
			refused.includes(request.method)
				? answer(response, '<h1>403 Forbidden</h1>', 403, '')
				: node.answer(request, response)
		);
		// That request is sent without a password.
		await nodes.probe();
		expect(await nodes.node('trading-node')).toMatchObject({ state: 'down', stop: null });
		expect(await balance()).toMatchObject({ balance: '7.62' });
		refused = ['my_balance'];
		expect(await failure(balance())).toMatchObject({ code: 'kdf.not-kdf' });
		expect(await nodes.node('trading-node')).toMatchObject({ state: 'up', stop: null });
		// The password is tested with a harmless call before it is used again.
		const before = node.count('get_enabled_coins');
		expect(await failure(balance())).toMatchObject({ code: 'kdf.not-kdf' });
		expect(node.count('get_enabled_coins')).toBe(before + 1);
		refused = ['my_balance', 'get_enabled_coins'];
		expect(await failure(balance())).toMatchObject({ code: 'kdf.password-refused' });
		expect(await nodes.node('trading-node')).toMatchObject({ state: 'stopped' });
	});

	test('of the interface document gets its words, and a released one its own', async () => {
		node.on('task::enable_bch::user_action', () => ({ result: 'success' }));
		const pin = { action_type: 'HardwarePin' as const, pin: '1234' };
		await gateway().call('trading-node', 'task::enable_bch::user_action', {
			task_id: 0,
			user_action: pin
		});
		node.release = null;
		await gateway().call('trading-node', 'task::enable_bch::user_action', {
			task_id: 0,
			user_action: pin
		});
		const sent = node.seen.filter(
			({ params }) => (params as { task_id?: number } | undefined)?.task_id === 0
		);
		expect(sent.map(({ params }) => params)).toEqual([
			{ task_id: 0, user_action: { action_type: 'TrezorPin', pin: '1234' } },
			{ task_id: 0, user_action: pin }
		]);
	});

	test('is asked how it spells once more where another one stands in its place', async () => {
		const nodes = gateway();
		await nodes.probe();
		expect(await nodes.node('trading-node')).toMatchObject({ dialect: 'kdf' });
		node.release = null;
		await nodes.probe();
		expect(await nodes.node('trading-node')).toMatchObject({ dialect: 'seed', version: null });
		// The same node is not asked again.
		const asked = node.count('task::enable_bch::user_action');
		await nodes.probe();
		expect(node.count('task::enable_bch::user_action')).toBe(asked);
	});

	test('says why it refuses; its own words are known in plain ones', async () => {
		node
			.on('task::enable_utxo::init', () => ({
				status: 400,
				type: 'CoinConfigIsNotFound',
				error: 'Coin WALDO config is not found',
				data: 'WALDO'
			}))
			.on('electrum', () => ({
				status: 500,
				type: '',
				error: 'Internal error: manager:129] min_connected should be greater than 0'
			}));
		const nodes = gateway();
		const error = await failure(nodes.call('trading-node', 'task::enable_utxo::init', KMD));
		expect(error).toMatchObject({
			code: 'kdf.rpc-error',
			params: {
				delivery: 'delivered',
				refusal: { type: 'CoinConfigIsNotFound', data: 'WALDO' }
			}
		});
		expect(explainKdf(error.coded).what).toBe(
			'The node does not know the coin: its coins file has no entry for this ticker.'
		);
		const legacy = await failure(
			nodes.call('trading-node', 'electrum', { coin: 'KMD', servers: [], min_connected: 0 })
		);
		expect(legacy.params).toMatchObject({ refusal: { type: null } });
		expect(explainKdf(legacy.coded).what).toBe(
			'The minimum number of connected servers is 0; it must be at least 1.'
		);
	});

	test('holds back what waited for its place while a safety control was thrown', async () => {
		let isFrozen = false;
		const nodes = gateway(undefined, {
			limits: { maxConcurrency: 1 },
			refusal: () =>
				Promise.resolve(
					isFrozen ? new AppError('safety.signatures-frozen', { by: 'ada', reason: 'stop' }) : null
				)
		});
		await nodes.call('trading-node', 'get_enabled_coins', {});
		const release = node.hold();
		const first = nodes.call('trading-node', 'my_balance', { coin: 'KMD' });
		const sign = { coin: 'KMD', message: 'x' };
		const waiting = [
			nodes.call('trading-node', 'sign_message', sign),
			nodes.proxy('trading-node', 'sign_message', sign, null, { authorized: true })
		].map(failure);
		await expect.poll(async () => (await nodes.node('trading-node'))?.queued).toBe(2);
		isFrozen = true;
		release();
		await first;
		for (const { code, params } of await Promise.all(waiting)) {
			expect([code, params.delivery]).toEqual(['kdf.safety-control', 'not-sent']);
		}
		expect(node.count('sign_message')).toBe(0);
	});

	test('is sent no call whose time ran out while it waited, nor one that acts with little time left', async () => {
		const nodes = gateway(undefined, { limits: { maxConcurrency: 1 } });
		await nodes.call('trading-node', 'get_enabled_coins', {});
		const options = { timeoutMs: 50_000 };
		const calls = [
			[
				50_000,
				'get_enabled_coins',
				() => nodes.call('trading-node', 'get_enabled_coins', {}, options)
			],
			[
				40_000,
				'task::enable_utxo::init',
				() => nodes.call('trading-node', 'task::enable_utxo::init', KMD, options)
			]
		] as const;
		onTestFinished(() => void vi.useRealTimers());
		for (const [ms, method, ask] of calls) {
			vi.useFakeTimers({ toFake: ['performance'] });
			const before = node.count(method);
			const asked = node.upstream.count('my_balance');
			const release = node.hold();
			const first = nodes.call('trading-node', 'my_balance', { coin: 'KMD' });
			const late = failure(ask());
			await expect.poll(() => node.upstream.count('my_balance')).toBe(asked + 1);
			await expect.poll(async () => (await nodes.node('trading-node'))?.queued).toBe(1);
			vi.advanceTimersByTime(ms);
			release();
			await first;
			expect(await late).toMatchObject({ code: 'kdf.timeout', params: { delivery: 'not-sent' } });
			expect(node.count(method)).toBe(before);
			vi.useRealTimers();
		}
	});

	test('is not asked for what a switch forbids, nor with parameters that it does not take', async () => {
		const nodes = gateway(undefined, {
			refusal: ({ access }) =>
				Promise.resolve(
					access === 'activate' ? new AppError('safety.read-only', { by: 'ada', reason: '' }) : null
				)
		});
		expect(await failure(nodes.call('trading-node', 'task::enable_utxo::init', KMD))).toMatchObject(
			{ code: 'kdf.safety-control', params: { delivery: 'not-sent' } }
		);
		const mismatch = await failure(nodes.call('trading-node', 'my_balance', { coin: 7 } as never));
		expect(mismatch).toMatchObject({
			code: 'kdf.invalid-params',
			params: { delivery: 'not-sent' }
		});
		expect(node.count('my_balance') + node.count('task::enable_utxo::init')).toBe(0);
	});

	test('is said to have acted on what does something and reached it, and on nothing else', async () => {
		let acted = 0;
		const nodes = gateway(undefined, { onActed: () => (acted += 1) });
		await nodes.call('trading-node', 'get_enabled_coins', {});
		expect(acted).toBe(0);
		await nodes.call('trading-node', 'task::enable_utxo::init', KMD);
		expect(acted).toBe(1);
		node.on('task::enable_utxo::init', () => ({ result: { task_id: 'three' } }));
		await failure(nodes.call('trading-node', 'task::enable_utxo::init', KMD));
		expect(acted).toBe(2);
		await node.stop();
		await failure(nodes.call('trading-node', 'task::enable_utxo::init', KMD));
		expect(acted).toBe(2);
		await node.start();
	});

	test('that answers what nobody knows, repeats the password, or is something else, does no harm', async () => {
		const nodes = gateway();
		// It may be about another coin.
		node.on('my_balance', () => ({ result: { balance: 7.62, address: PASSWORD } }));
		const mismatch = await failure(nodes.call('trading-node', 'my_balance', { coin: 'KMD' }));
		expect(mismatch).toMatchObject({
			code: 'kdf.validation-mismatch',
			params: { delivery: 'delivered' }
		});
		node.on('my_balance', () => ({ status: 500, type: 'X', error: `No such coin: ${PASSWORD}` }));
		const echoed = await failure(nodes.call('trading-node', 'my_balance', { coin: 'KMD' }));
		expect(echoed.params).toMatchObject({ refusal: { message: 'No such coin: •••' } });
		const raw = await nodes.proxy('trading-node', 'my_balance', { coin: 'KMD' }, null);
		expect(raw.body.toString()).not.toContain(PASSWORD);
		expect(await nodes.node('trading-node')).toMatchObject({ mismatches: 1, state: 'up' });

		await node.stop();
		// A keep-alive connection may break first.
		await nodes.probe();
		const away = await failure(nodes.call('trading-node', 'my_balance', { coin: 'KMD' }));
		expect(away).toMatchObject({ code: 'kdf.unreachable', params: { delivery: 'not-sent' } });
		expect(await nodes.node('trading-node')).toMatchObject({ state: 'down', absences: 1 });
		await node.start();
		node.on('my_balance', () => ({
			result: { coin: 'KMD', balance: '1', unspendable_balance: '0', address: 'R9o9x' }
		}));
		expect(await nodes.call('trading-node', 'my_balance', { coin: 'KMD' })).toMatchObject({
			balance: '1'
		});
	});

	test('that leaves a member out of a large result is read in another thread, and lacks it all the same', async () => {
		const balance = { KMD: { spendable: '1' } };
		const addresses = Array.from({ length: 600 }, (_, index) => ({
			address: 'R9o9x',
			derivation_path: `m/44'/141'/0'/0/${index}`,
			chain: 'External',
			balance
		}));
		node.on('account_balance', () => ({
			result: {
				account_index: 0,
				derivation_path: "m/44'/141'/0'",
				addresses,
				page_balance: balance,
				...{ limit: 600, skipped: 0, total: 600, total_pages: 1, paging_options: { PageNumber: 1 } }
			}
		}));
		const params = { coin: 'KMD', account_index: 0, chain: 'External' } as const;
		const said = await gateway().call('trading-node', 'account_balance', params);
		const held = said.addresses[599]!.balance['KMD']!;
		expect(held.spendable).toBe('1');
		expect(() => held.unspendable).toThrow(
			expect.objectContaining({
				code: 'kdf.validation-mismatch',
				params: expect.objectContaining({
					place: 'addresses.599.balance.KMD.unspendable is missing'
				}) as unknown
			}) as Error
		);
	});

	test('is asked once by a hundred identical looks, and each time by what is no look', async () => {
		const nodes = gateway();
		await nodes.probe();
		const letOut = node.hold();
		const looks = Array.from({ length: 100 }, () =>
			nodes.call('trading-node', 'my_balance', { coin: 'KMD' })
		);
		const acts = Array.from({ length: 3 }, () =>
			nodes.call('trading-node', 'task::enable_utxo::init', KMD)
		);
		letOut();
		const balances = await Promise.all(looks);
		expect(new Set(balances.map(({ balance }) => balance))).toEqual(new Set(['7.62']));
		await Promise.all(acts);
		expect(node.count('my_balance')).toBe(1);
		expect(node.count('task::enable_utxo::init')).toBe(3);
	});

	test('is asked anew by a look that follows a change, however long an earlier look takes', async () => {
		const nodes = gateway();
		await nodes.probe();
		const { promise: go, resolve: release } = Promise.withResolvers<undefined>();
		let looks = 0;
		node.upstream.on('get_enabled_coins', async (request, response) => {
			looks += 1;
			if (looks === 1) await go;
			await node.answer(request, response);
		});
		const look = () => nodes.call('trading-node', 'get_enabled_coins', {});
		const before = look();
		await expect.poll(() => looks).toBe(1);
		await nodes.call('trading-node', 'task::enable_utxo::init', KMD);
		const after = look();
		await expect.poll(() => looks).toBe(2);
		expect(await after).toEqual({ coins: [{ ticker: 'KMD' }] });
		release(undefined);
		await before;
	});

	test('that does not answer in time ends the call, and says that it may have acted', async () => {
		const nodes = gateway();
		await nodes.probe();
		const letOut = node.hold();
		const slow = await failure(
			nodes.call('trading-node', 'task::enable_utxo::init', KMD, { timeoutMs: 150 })
		);
		letOut();
		expect(slow).toMatchObject({ code: 'kdf.timeout', params: { delivery: 'unknown' } });
		expect(node.count('task::enable_utxo::init')).toBe(1);
		expect(await failure(nodes.call('other', 'version', {}))).toMatchObject({
			code: 'kdf.unknown'
		});
	});
});

describe('a node that only takes calls from its own machine', () => {
	test('is said to be so, and is not taken for a refused password', async () => {
		const node = await new ScriptedKdf(PASSWORD).start();
		node.on('get_enabled_coins', () => ({
			status: 403,
			type: 'LocalHostOnly',
			error: 'Selected method can be called from localhost only!'
		}));
		const stopped: unknown[] = [];
		const nodes = nodesBefore(nodeConfig({ id: 'n', url: node.upstream.url, password: PASSWORD }), {
			stops: {
				get: () => Promise.resolve(null),
				stop: (_node, stop) => Promise.resolve(stopped.push(stop) > 0),
				resume: () => Promise.resolve(false)
			}
		});
		const error = await failure(nodes.call('n', 'get_enabled_coins', {}));
		expect(error.code).toBe('kdf.local-only');
		expect(explainKdf(error.coded).next).toMatch(/rpc_local_only/);
		expect(stopped).toEqual([]);
		await nodes.close();
		await node.stop();
	});
});
