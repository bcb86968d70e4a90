/**
 * Calls with idempotency keys: through the RPC API to daemons and trading nodes, and through the console's
 * forms.
 */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { VISITOR, type Member } from '#lib/server/access/identity/identity.ts';
import { readAuthorization } from '#lib/server/access/requests/identify.ts';
import { createIdempotency } from '#lib/server/platform/idempotency/idempotency.ts';
import { createConsole } from '#lib/server/rpc-proxy/console/console.ts';
import { createOnceCalls } from '#lib/server/rpc-proxy/http/onceCalls.ts';
import { daemonConfig, gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases, type TestDatabase } from '../../support/database.ts';
import { nodeConfig, nodesBefore } from '../../support/nodes.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';
import { ScriptedKdf } from '../../support/tradingNode.ts';
import { answer, echo, rpcLine, ScriptedUpstream } from '../../support/upstream.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import { byToken, permissiveCalls, unlimitedToken } from '../../support/permissive.ts';
import { shared } from '../../support/shared.ts';

const PASSWORD = 'a password of the node';
const AMOUNT = ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', 1];

/** A member with a token; `after-one` has replaced `one`. */
const identityOf = (id: string): Member => ({
	...byToken({ id: 'ada', name: 'ada', role: 'admin' }),
	token: { ...unlimitedToken(id), countedAs: id.replace(/^after-/, '') }
});

describeOnBothDatabases('a call that names itself', (database) => {
	/** Two servers over one database. */
	let servers: RpcApiServer[];
	let audited: string[];
	/** Number of events after which the database becomes unavailable. */
	let awayAfter = Infinity;
	let sent = 0;

	const audit = {
		append({ action }: { action: string }) {
			if (audited.length >= awayAfter) return Promise.reject(new Error('The database is away.'));
			return Promise.resolve(void audited.push(action));
		}
	};

	const rpcApiOver = (db: TestDatabase['db']): Promise<RpcApiServer> =>
		serveRpcApi(
			{
				...permissiveCalls(gateway, { audit, listed: () => Promise.resolve(true) }),
				nodes,
				onceCall: createOnceCalls(createIdempotency({ db }), openOwnBudget),
				identify: (headers) => {
					const given = readAuthorization(headers.get('authorization'));
					return Promise.resolve(given === null ? VISITOR : identityOf(given.token));
				}
			},
			() => undefined
		);

	const daemon = shared(() => new ScriptedUpstream().start());
	const node = shared(() => new ScriptedKdf(PASSWORD).start());
	const gateway = shared(() => gatewayBefore(daemonConfig(daemon)));
	const nodes = shared(() =>
		nodesBefore(nodeConfig({ url: node.upstream.url, password: PASSWORD }), { audit })
	);
	beforeAll(async () => {
		servers = await Promise.all([database.db, await database.openAnother()].map(rpcApiOver));
	});
	beforeEach(() => {
		audited = [];
		awayAfter = Infinity;
		daemon.on('sendtoaddress', (seen, response) =>
			answer(response, rpcLine(`"${String((sent += 1)).padStart(64, '0')}"`, echo(seen)))
		);
	});
	afterAll(async () => {
		for (const server of servers) await server.stop();
	});

	async function post(
		body: unknown,
		key: string | null,
		{ at = 0, token = 'one', place = 'ALPHA' } = {}
	): Promise<{ status: number; text: string }> {
		const named: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
		const response = await servers[at]!.post(place, body, token, named);
		return { status: response.status, text: await response.text() };
	}
	const send = (id = 1) => ({ method: 'sendtoaddress', params: AMOUNT, id });
	const count = () => daemon.count('sendtoaddress');

	test('is made once by all servers, and each gets the answer of the first', async () => {
		const before = count();
		const answers = await Promise.all(
			[0, 1, 0, 1].map((at) => post(send(), 'the-first-key', { at }))
		);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(answers[0]).toMatchObject({ status: 200 });
		expect(await post(send(), 'the-first-key', { at: 1 })).toEqual(answers[0]);
		expect(count() - before).toBe(1);
		expect(audited.filter((action) => action === 'rpc.sendtoaddress')).toHaveLength(1);
	});

	test('is another one with another key, by another token, and never with other contents', async () => {
		const before = count();
		await post(send(), 'key-of-two');
		await post(send(), 'key-of-two-more');
		await post(send(), 'key-of-two', { token: 'two' });
		expect(count() - before).toBe(3);
		const reused = await post(send(2), 'key-of-two');
		expect(reused).toMatchObject({ status: 422 });
		expect(reused.text).toContain(rpcApi.reusedKey);
		expect(await post(send(), 'short')).toMatchObject({ status: 400 });
		expect(count() - before).toBe(3);
		await post(send(), null);
		await post(send(), null);
		expect(count() - before).toBe(5);
	});

	test('is the same one by the token that has replaced the first', async () => {
		const before = count();
		const first = await post(send(), 'key-before-replacement', { token: 'one' });
		const again = await post(send(), 'key-before-replacement', { token: 'after-one', at: 1 });
		expect(again).toEqual(first);
		expect(count() - before).toBe(1);
	});

	test('that the daemon refused may be tried again; one whose answer was lost may not', async () => {
		daemon.on('sendtoaddress', (seen, response) =>
			answer(
				response,
				rpcLine('null', echo(seen), '{"code":-6,"message":"Insufficient funds"}'),
				500
			)
		);
		const before = count();
		const refused = await post(send(), 'refused-first');
		expect(refused).toMatchObject({ status: 500 });
		await post(send(), 'refused-first');
		expect(count() - before).toBe(2);
		daemon.on('sendtoaddress', (_seen, _response, socket) => void socket.destroy());
		const lost = await post(send(), 'lost-answer');
		expect(lost.status).toBeGreaterThanOrEqual(500);
		expect(await post(send(), 'lost-answer')).toEqual(lost);
		expect(count() - before).toBe(3);
		daemon.on('sendtoaddress', (seen, response) =>
			answer(response, rpcLine('null', echo(seen), '{"code":-32603,"message":"timed out"}'), 500)
		);
		const internal = await post(send(), 'lost-in-between');
		expect(await post(send(), 'lost-in-between', { at: 1 })).toEqual(internal);
		expect(count() - before).toBe(4);
	});

	test('that the wallet keeps although the mempool refused it is not made again', async () => {
		const kept =
			'Error: The transaction was rejected! This might happen if some of the coins in your wallet were already spent, such as if you used a copy of wallet.dat and coins were spent in the copy but not marked as spent here.';
		daemon.on('sendtoaddress', (seen, response) =>
			answer(
				response,
				rpcLine('null', echo(seen), JSON.stringify({ code: -4, message: kept })),
				500
			)
		);
		const before = count();
		const refused = await post(send(), 'kept-by-its-wallet');
		expect(refused).toMatchObject({ status: 500 });
		expect(await post(send(), 'kept-by-its-wallet', { at: 1 })).toEqual(refused);
		expect(count() - before).toBe(1);
	});

	test('that was left behind by a server that ended is not made again', async () => {
		let asked!: () => void;
		const arrived = new Promise<void>((done) => (asked = done));
		let release!: () => void;
		const held = new Promise<void>((done) => (release = done));
		daemon.on('sendtoaddress', async (seen, response) => {
			asked();
			await held;
			answer(response, rpcLine('"late"', echo(seen)));
		});
		const before = count();
		const first = post(send(), 'left-behind');
		await arrived;
		await database.db
			.updateTable('idempotency_keys')
			.set({ started_at: Date.now() - 3_600_000 })
			.where('answer', 'is', null)
			.execute();
		const second = await post(send(), 'left-behind', { at: 1 });
		expect(second).toMatchObject({ status: 409 });
		expect(second.text).toContain(rpcApi.runningKey);
		release();
		await first;
		expect(count() - before).toBe(1);
	});

	test('of a batch is made once; reads are asked anew, and no digest of a passphrase is kept', async () => {
		daemon.on('batch', (request, response) => {
			const calls = JSON.parse(request.text) as { id: unknown }[];
			const items = calls.map(({ id }) => ({ result: (sent += 1), error: null, id }));
			answer(response, `${JSON.stringify(items)}\n`);
		});
		const batch = [send(1), { method: 'getblockcount', params: [], id: 2 }];
		const first = await post(batch, 'of-a-batch');
		expect(await post(batch, 'of-a-batch')).toEqual(first);
		expect(daemon.count('batch')).toBe(1);
		const keys = async () =>
			(await database.db.selectFrom('idempotency_keys').select('key').execute()).length;
		const kept = await keys();
		daemon.on('getblockcount', (seen, response) => answer(response, rpcLine('7', echo(seen))));
		const read = { method: 'getblockcount', params: [], id: 1 };
		const asked = daemon.count('getblockcount');
		await post(read, 'a-key-of-a-read');
		await post(read, 'a-key-of-a-read');
		expect(daemon.count('getblockcount') - asked).toBe(2);
		daemon.on('kvupdate', (seen, response) => answer(response, rpcLine('"ok"', echo(seen))));
		const update = (...more: string[]) => ({
			method: 'kvupdate',
			params: ['k', 'v', '2', ...more]
		});
		const sends = count();
		for (const body of [update('pass'), [send(1), update('pass')]]) {
			expect(await post(body, 'a-passphrase')).toMatchObject({ status: 400 });
		}
		expect([count(), daemon.count('kvupdate')]).toEqual([sends, 0]);
		expect(await keys()).toBe(kept);
		for (let times = 0; times < 2; times += 1) await post(update(), 'no-passphrase');
		expect(daemon.count('kvupdate')).toBe(1);
		expect((await post(update('pass'), null)).status).toBe(200);
	});

	test('to a trading node is made once, too', async () => {
		let made = 0;
		node.on('disable_coin', () => {
			made += 1;
			return { result: { result: { coin: 'KMD', cancelled_orders: [], passivized: false } } };
		});
		const body = { method: 'disable_coin', coin: 'KMD' };
		const place = 'trading-node';
		const answers = await Promise.all(
			[0, 1, 0].map((at) => post(body, 'a-first-call', { at, place }))
		);
		expect(answers[0]).toMatchObject({ status: 200 });
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(await post(body, 'a-first-call', { place })).toEqual(answers[0]);
		expect(made).toBe(1);
		await post(body, 'another-call', { place });
		expect(made).toBe(2);
	});

	test('to a trading node leaves no address of a connection behind, by which others could answer for the signer', async () => {
		let made = 0;
		node.on('wc_new_connection', () => {
			made += 1;
			return { result: { url: `wc:${made}@2?relay-protocol=irn&symKey=canary` } };
		});
		const eip155 = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] };
		const params = { required_namespaces: { eip155 } };
		const body = { mmrpc: '2.0', method: 'wc_new_connection', params };
		const place = 'trading-node';
		for (const asked of [body, [body]]) {
			expect(await post(asked, 'a-connection', { place })).toMatchObject({ status: 400 });
			expect((await post(asked, null, { place })).text).toContain('canary');
		}
		const onceCall = createOnceCalls(createIdempotency({ db: database.db }), openOwnBudget);
		const listed = () => Promise.resolve(true);
		const parts = { ...permissiveCalls(gateway, { audit, listed }), nodes, onceCall };
		const shown = await createConsole({ db: database.db, ...parts }).callKdf(identityOf('one'), {
			method: 'wc_new_connection',
			node: place,
			params: { required_namespaces: { eip155 } },
			requestId: 'r',
			key: 'a-connection-of-a-form',
			who: () => identityOf('one')
		} as Parameters<ReturnType<typeof createConsole>['callKdf']>[1]);
		expect(JSON.stringify(shown)).toContain('canary');
		expect(made).toBe(3);
		const kept = await database.db.selectFrom('idempotency_keys').selectAll().execute();
		expect(JSON.stringify(kept.map(({ answer: text }) => text))).not.toContain('canary');
	});

	test('of a batch to a trading node is not made again after one behind it failed', async () => {
		let made = 0;
		node.on('disable_coin', () => {
			made += 1;
			return { result: { result: { coin: 'KMD', cancelled_orders: [], passivized: false } } };
		});
		const place = 'trading-node';
		const batch = ['KMD', 'BTC'].map((coin) => ({ method: 'disable_coin', coin }));
		awayAfter = 1;
		const failed = await post(batch, 'a-batch-that-fails', { place });
		expect(failed).toMatchObject({ status: 500 });
		expect(made).toBe(1);
		awayAfter = Infinity;
		expect(await post(batch, 'a-batch-that-fails', { at: 1, place })).toEqual(failed);
		expect(made).toBe(1);
	});

	test('of a batch to a trading node of which only reads were made may be made again', async () => {
		node.on('my_balance', () => ({ result: { coin: 'KMD', balance: '1' } }));
		node.on('disable_coin', () => ({ status: 500, type: 'NoSuchCoin', error: 'No such coin' }));
		const batch = ['my_balance', 'disable_coin'].map((method) => ({ method, coin: 'KMD' }));
		for (let times = 1; times <= 2; times += 1) {
			const { text } = await post(batch, 'only-reads-were-made', { place: 'trading-node' });
			expect(text).toContain('No such coin');
			expect(node.count('my_balance')).toBe(times);
		}
	});

	test('by the console is made once for a form, and its page shows the first answer again', async () => {
		const onceCall = createOnceCalls(createIdempotency({ db: database.db }), openOwnBudget);
		const console = createConsole({
			db: database.db,
			...permissiveCalls(gateway, { audit, listed: () => Promise.resolve(true) }),
			nodes,
			onceCall
		});
		const call = (key: string) =>
			console.call(identityOf('one'), {
				method: 'sendtoaddress',
				daemon: 'ALPHA',
				params: AMOUNT.map((value) => JSON.stringify(value)),
				requestId: 'r',
				key,
				who: () => identityOf('one')
			});
		const before = count();
		const [first, second] = await Promise.all([call('of-a-form'), call('of-a-form')]);
		expect(first).toMatchObject({ kind: 'answered', error: null });
		expect(second).toEqual(first);
		expect(await call('of-a-form')).toEqual(first);
		expect(count() - before).toBe(1);
		await call('of-another-form');
		expect(count() - before).toBe(2);
	});
});
