/** Wallet grants and spending limits: on pages, in migrations, in the console and in the RPC API alike. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRefusals, type Refusals } from '#lib/server/access/audit/refusals.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { LimitKind } from '#lib/server/access/policy/measuring/kinds.ts';
import { createLimits, type Limits, type Most } from '#lib/server/access/policy/limits/limits.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import {
	createWallets,
	mayUseWallet,
	type Wallets
} from '#lib/server/access/policy/wallets/wallets.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import { holdersOf } from '#lib/server/cross-chain/open-work/openWork.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import { locks } from '#lib/server/locks.ts';
import { migrate } from '#lib/server/platform/database/migrate.ts';
import { createConsole } from '#lib/server/rpc-proxy/console/console.ts';
import { allMigrations } from '#lib/server/schemaSteps.ts';
import { createAddressBook } from '#lib/server/wallet/address-book/addressBook.ts';
import { createBatchTransfers } from '#lib/server/wallet/batch-transfers/batchTransfers.ts';
import { createDrafts } from '#lib/server/wallet/drafts/drafts.ts';
import { createSender, type Sender } from '#lib/server/wallet/transactions/sender.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver, bySession } from '../../support/members.ts';
import { noApprovals, permissiveCalls } from '../../support/permissive.ts';
import { nodeConfig, nodesBefore } from '../../support/nodes.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';
import { ruledRights } from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';
import { ScriptedKdf } from '../../support/tradingNode.ts';
import {
	addressOn,
	carry,
	configOf,
	draftBurn,
	migrationsOver,
	placesOf
} from '../migration/support.ts';
import { creation, reviewed, transfer } from '../transactions/support.ts';

const COIN = 100_000_000n;
const PASSWORD = 'Canary_Pass_1!';

interface Answer {
	status: number;
	body: { result: unknown; error: { code: number; message: string } | null };
}

describeOnBothDatabases('a person', (database) => {
	const net = shared(() => startDevnet());
	const auth = shared(() => authOver(database));
	let gateway: Gateway;
	let wallets: Wallets;
	let limits: Limits;
	let rights: Rights;
	let refusals: Refusals;
	let sender: Sender;
	let migrations: Migrations;
	let node: ScriptedKdf;
	let nodes: KdfGateway;
	let server: RpcApiServer;
	let admin: Account;
	let person: Account;
	let token: string;

	beforeAll(async () => {
		const { db } = database;
		const { audit } = auth;
		const [alpha, ...others] = configOf(placesOf(net)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
		if (!alpha) throw new Error('There is no chain.');
		// A second wallet on ALPHA: the same daemon under another name is enough to test grants.
		const second = { ...alpha, id: 'ALPHA:second' };
		gateway = gatewayBefore(alpha, second, ...others);
		wallets = createWallets(db, audit);
		limits = createLimits(db, audit);
		refusals = createRefusals({ audit });
		rights = ruledRights({ db, gateway, audit, wallets, limits, refusals }).rights;
		sender = createSender({ locks, db, gateway, audit, rights, approvals: noApprovals });
		migrations = migrationsOver(db, gateway, { rights, audit });
		node = await new ScriptedKdf(PASSWORD).start();
		node.on('sign_message', () => ({ status: 500, type: 'PrefixNotFound', error: 'no prefix' }));
		const { url } = node.upstream;
		nodes = nodesBefore(nodeConfig({ id: 'node', url, password: PASSWORD }), { audit });
		const calls = permissiveCalls(gateway, { audit, rights });
		server = await serveRpcApi({ ...calls, nodes, identify: auth.identify });
		admin = await addPerson(database, 'admin');
		await gateway.probe();
	});
	afterAll(async () => {
		await server.stop();
		await gateway.close();
		await nodes.close();
		await node.stop();
	});
	beforeEach(async () => {
		person = await addPerson(database, 'operator');
		({ token } = await auth.tokens.create(
			{ account: person, name: 't', role: 'operator' },
			person
		));
		for (const limit of await limits.list()) {
			await limits.set(admin, { ...limit, most: { count: null, amount: null } });
		}
		for (const chain of ['ALPHA', 'BETA']) await net.control.mine(chain);
	});

	const give = (daemons: string[], every = false): Promise<unknown> =>
		wallets.set(admin, person.id, { every, daemons });
	const limit = (kind: LimitKind, most: Partial<Most>): Promise<unknown> =>
		limits.set(admin, {
			account: person.id,
			chain: '*',
			kind,
			most: { count: null, amount: null, ...most }
		});
	const used = async (): Promise<Record<string, bigint>> =>
		Object.fromEntries((await limits.used(person.id)).map(({ kind, count }) => [kind, count]));
	const post = (body: unknown, daemon = 'ALPHA', bearer = token): Promise<Response> =>
		server.post(daemon, body, bearer);
	const call = async (method: string, params: unknown[], daemon?: string): Promise<Answer> => {
		const answer = await post({ id: 1, method, params }, daemon);
		return { status: answer.status, body: (await answer.json()) as Answer['body'] };
	};
	const messageOf = ({ body }: Answer): string => body.error?.message ?? '';
	const create = (actor = person): Promise<string> =>
		sender.createToken('ALPHA', creation({ name: 'OWN' }), actor.name);
	const draft = async (amount = '1'): Promise<string | string[]> => {
		const address = await addressOn(net, 'BETA');
		const drafted = await draftBurn(migrations, { address, amount }, person.name);
		// The other forms are tested with the same wallet.
		await database.db.deleteFrom('locked_utxos').execute();
		if (drafted.kind === 'drafted') return drafted.id;
		return drafted.kind === 'refused' ? drafted.checks.map(({ id }) => id) : ['invalid'];
	};
	const NOT_MINE = /have access to the \S+ wallet/;

	test('who is new uses no wallet, in no way, and reads', async () => {
		await expect(create()).rejects.toMatchObject({ code: 'work.denied' });
		await expect(sender.consolidate('ALPHA', person.name)).rejects.toMatchObject({
			code: 'work.denied'
		});
		expect(await draft()).toContain('wallet');
		for (const [method, params] of [
			['tokencreate', ['x', '0.1', 'd']],
			['createrawtransaction', [[], {}]],
			['sendtoaddress', [await addressOn(net, 'ALPHA'), 1]],
			['sendrawtransaction', ['00']],
			['signmessage', [await addressOn(net, 'ALPHA'), 'm']]
		] as const) {
			const answer = await call(method, [...params]);
			expect(`${method} ${answer.status} ${messageOf(answer)}`).toMatch(NOT_MINE);
			expect(answer.body.error?.code).toBe(-32601);
		}
		expect((await call('getinfo', [])).body.error).toBeNull();
		expect(await used()).toEqual({});
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
	});

	test('what a wallet holds and did is read by who may use it, and by no one else', async () => {
		const list = async (daemon: string): Promise<string[]> => {
			const asked = [
				['listunspent', []],
				['listtransactions', []],
				['listsinceblock', []],
				['gettransaction', ['00'.repeat(32)]],
				['getreceivedbyaddress', [await addressOn(net, 'ALPHA')]]
			] as const;
			const batch = asked.map(([method, params], id) => ({ id, method, params }));
			const answers = (await (await post(batch, daemon)).json()) as Answer['body'][];
			const alone = await Promise.all(
				asked.map(([method, params]) => call(method, [...params], daemon))
			);
			return [...answers, ...alone.map(({ body }) => body)].map(
				({ result, error }) => error?.message ?? typeof result
			);
		};
		for (const answer of await list('ALPHA')) expect(answer).toMatch(NOT_MINE);
		expect((await call('getbalance', [])).body.error).toBeNull();
		await give(['ALPHA:second']);
		for (const answer of await list('ALPHA')) expect(answer).toMatch(NOT_MINE);
		for (const answer of await list('ALPHA:second')) expect(answer).not.toMatch(NOT_MINE);
		const own = createConsole({
			db: database.db,
			...permissiveCalls(gateway, { audit: auth.audit, rights })
		});
		const byConsole = (daemon: string, account = person) =>
			own.call(bySession(account), {
				method: 'listunspent',
				daemon,
				params: [],
				requestId: daemon,
				who: () => bySession(account)
			});
		expect(await byConsole('ALPHA')).toMatchObject({ kind: 'refused' });
		expect(await byConsole('ALPHA:second')).toMatchObject({ kind: 'answered', status: 200 });
		// A viewer may only look, whatever grants an earlier role left.
		const viewer = await addPerson(database, 'viewer');
		await wallets.set(admin, viewer.id, { every: true, daemons: [] });
		expect(await byConsole('ALPHA', viewer)).toMatchObject({ kind: 'refused' });
		const limited = await auth.tokens.create(
			{
				account: person,
				name: 'l',
				role: 'operator',
				wallets: ['ALPHA:second']
			},
			person
		);
		await give([], true);
		const ask = { id: 1, method: 'listunspent', params: [] };
		const other = (await (await post(ask, 'ALPHA', limited.token)).json()) as Answer['body'];
		expect(other.error?.message).toMatch(/other wallets/);
		const same = (await (await post(ask, 'ALPHA:second', limited.token)).json()) as Answer['body'];
		expect(same.error).toBeNull();
		// A token's list of wallets never includes that of a trading node.
		const signs = { mmrpc: '2.0', method: 'sign_message', params: { coin: 'KMD', message: 'm' } };
		expect(await (await post(signs, 'node', limited.token)).text()).toMatch(/other wallets/);
		expect(await (await post(signs, 'node')).text()).not.toMatch(/other wallets/);
	});

	test('a draft asks no daemon for somebody who may use no wallet of the chain', async () => {
		const asked: string[] = [];
		const counting: Gateway = {
			...gateway,
			call(daemon, method, params, options) {
				asked.push(`${daemon} ${method}`);
				return gateway.call(daemon, method, params, options);
			}
		};
		const own = migrationsOver(database.db, counting, {
			rights: ruledRights({
				db: database.db,
				gateway: counting,
				audit: auth.audit,
				wallets,
				limits,
				refusals
			}).rights,
			audit: auth.audit
		});
		const request = {
			source: 'ALPHA',
			destination: 'BETA',
			address: await addressOn(net, 'BETA'),
			amount: '1',
			policy: 'automatic'
		} as const;
		const drafted = await own.draft(request, person.name);
		expect(drafted.kind === 'refused' && drafted.checks.map(({ id }) => id)).toEqual(['wallet']);
		expect(asked).toEqual([]);
		await give(['ALPHA']);
		expect((await own.draft(request, person.name)).kind).toBe('drafted');
		await database.db.deleteFrom('locked_utxos').execute();
	});

	test('a wallet that was given is used on every way, and the chain’s other one is not', async () => {
		await give(['ALPHA:second']);
		const send = await reviewed(sender, await create());
		expect(send.daemon).toBe('ALPHA:second');
		expect(messageOf(await call('tokencreate', ['x', '0.1', 'd']))).toMatch(NOT_MINE);
		expect((await call('tokencreate', ['x', '0.1', 'd'], 'ALPHA:second')).body.error).toBeNull();
		const own = createConsole({
			db: database.db,
			...permissiveCalls(gateway, { audit: auth.audit, rights })
		});
		const byConsole = (daemon: string) =>
			own.call(bySession(person), {
				method: 'getnewaddress',
				daemon,
				params: [],
				requestId: `r ${daemon}`,
				who: () => bySession(person)
			});
		expect(await byConsole('ALPHA')).toMatchObject({ kind: 'refused' });
		expect(await byConsole('ALPHA:second')).toMatchObject({ kind: 'answered', status: 200 });
		const before = await used();
		// A removed grant takes effect with the next call, also for an existing review.
		await give([]);
		await expect(sender.send(send.id, person.name)).rejects.toMatchObject({ code: 'work.denied' });
		expect(await reviewed(sender, send.id)).toMatchObject({ state: 'reviewed' });
		expect(await used()).toEqual(before);
		await sender.discard(send.id, person.name);
	});

	test('a token reaches no further than its person, whatever it was made for', async () => {
		await give(['BETA']);
		const made = await auth.tokens.create(
			{
				account: person,
				name: 'x',
				role: 'operator',
				daemons: ['ALPHA', 'BETA']
			},
			person
		);
		const answer = async (daemon: string): Promise<string> =>
			(await post({ id: 1, method: 'getnewaddress', params: [] }, daemon, made.token)).text();
		expect(await answer('ALPHA')).toMatch(NOT_MINE);
		expect(await answer('BETA')).toMatch(/"error":null/);
		expect(await answer('GAMMA')).toMatch(/other daemons/);
		await auth.members.setRole(admin, person.id, 'viewer');
		expect(await answer('BETA')).toMatch(/viewer may not call/);
		await auth.members.setRole(admin, person.id, 'operator');
		await auth.members.disable(admin, person.id);
		expect((await post({ id: 1, method: 'getinfo', params: [] }, 'BETA', made.token)).status).toBe(
			401
		);
	});

	test('a limit counts what goes out by a page and by the RPC API together', async () => {
		await give([], true);
		await limit('token-create', { count: 2n });
		const first = await create();
		await sender.send(first, person.name);
		await net.control.mine('ALPHA');
		await sender.reconcile(first);
		// Reviewed while the limit still allowed it.
		const third = await create();
		const built = await call('tokencreate', ['DOOR', '0.00001', 'd']);
		const { hex } = built.body.result as { hex: string };
		expect((await call('sendrawtransaction', [hex])).body.error).toBeNull();
		// The same bytes are the same transaction.
		await call('sendrawtransaction', [hex]);
		expect(await used()).toEqual({ 'token-create': 2n });
		await net.control.mine('ALPHA');
		await expect(create()).rejects.toMatchObject({ code: 'limit.count-reached', field: 'supply' });
		await expect(sender.send(third, person.name)).rejects.toMatchObject({
			code: 'limit.count-reached'
		});
		expect(await reviewed(sender, third)).toMatchObject({ state: 'reviewed', broadcastAt: null });
		const raw = await call('sendrawtransaction', [(await reviewed(sender, third)).hex]);
		expect(raw.status).toBe(429);
		expect(messageOf(raw)).toMatch(
			/Limit reached: 2 of 2 token creations on ALPHA in 24 hours.*may go out from/
		);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		// Other kinds and other members are not affected.
		const tokenid = (await reviewed(sender, first)).txid;
		const pubkey = net.chains.get('BETA')!.pubkey;
		await sender.discard(third, person.name);
		const moved = await sender.moveToken('ALPHA', transfer(tokenid, pubkey, 5n), person.name);
		expect(await sender.send(moved, person.name)).toBe('broadcast');
		expect(await used()).toEqual({ 'token-create': 2n, 'token-transfer': 1n });
		await net.control.mine('ALPHA');
		const others = await create(admin);
		expect(await sender.send(others, admin.name)).toBe('broadcast');
	});

	test('a signed transaction counts when it is handed out, so that it is sent nowhere else either', async () => {
		await give(['ALPHA']);
		await limit('token-create', { count: 1n });
		await limit('coin-send', { count: 1n });
		expect(await rights.isLimited(person.name, 'ALPHA')).toBe(true);
		expect(await rights.isLimited(admin.name, 'ALPHA')).toBe(false);
		const creates = { id: 1, method: 'tokencreate', params: ['ONE', '0.00001', 'd'] };
		const first = await call('tokencreate', creates.params);
		const { hex } = first.body.result as { hex: string };
		expect(await used()).toEqual({ 'token-create': 1n });
		expect((await call('sendrawtransaction', [hex])).body.error).toBeNull();
		expect(await used()).toEqual({ 'token-create': 1n });
		await net.control.mine('ALPHA');
		const second = await call('tokencreate', creates.params);
		expect(second).toMatchObject({ status: 429, body: { result: null } });
		const batch = await (await post([creates, { id: 2, method: 'getinfo', params: [] }])).text();
		expect(batch).toMatch(/Limit reached: \d of 1 token creation/);
		expect(batch).not.toMatch(/[0-9a-f]{200}/);
		// An unsigned transaction cannot be sent.
		const foreign = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
		const funded = async (coins: number): Promise<string> => {
			const raw = await call('createrawtransaction', [[], { [foreign]: coins }]);
			return ((await call('fundrawtransaction', [raw.body.result])).body.result as { hex: string })
				.hex;
		};
		const [one, two] = [await funded(1), await funded(2)];
		expect(await used()).toEqual({ 'token-create': 1n });
		expect((await call('signrawtransaction', [one])).status).toBe(200);
		expect((await call('signrawtransaction', [two])).status).toBe(429);
		expect(await used()).toEqual({ 'token-create': 1n, 'coin-send': 1n });
	});

	test('coins are limited to the satoshi at the RPC API, and change is not counted', async () => {
		await give(['ALPHA']);
		await limit('coin-send', { amount: 3n * COIN });
		const foreign = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
		const sent = await call('sendtoaddress', [foreign, 1.00000001]);
		expect(sent.body.error).toBeNull();
		// A transaction that the daemon composed is recorded with its id, once it is known.
		const [told] = await auth.audit.list({ action: 'send.sent', limit: 1 });
		expect(told).toMatchObject({
			target: sent.body.result,
			place: 'ALPHA',
			detail: { method: 'sendtoaddress', tokenId: expect.any(String) as string }
		});
		const over = await call('sendtoaddress', [foreign, '2']);
		expect(messageOf(over)).toMatch(/takes 2 ALPHA, and 1\.00000001 of \S+ ALPHA are used/);
		// A transaction of the caller pays the change to the wallet, and its fee counts.
		const draftTx = await call('createrawtransaction', [[], { [foreign]: 1.5 }]);
		const funded = await call('fundrawtransaction', [draftTx.body.result]);
		const signed = await call('signrawtransaction', [(funded.body.result as { hex: string }).hex]);
		const { hex } = signed.body.result as { hex: string };
		expect((await call('sendrawtransaction', [hex])).body.error).toBeNull();
		const [row] = await limits.used(person.id);
		expect(row).toMatchObject({ kind: 'coin-send', count: 2n, amount: 250_005_001n });
		expect(messageOf(await call('sendtoaddress', [foreign, '1e12']))).toMatch(
			/cannot be told beforehand/
		);
		expect(messageOf(await call('sendrawtransaction', ['zz']))).toMatch(/cannot be told/);
	});

	test('a batch, and calls at the same moment, get through as far as the limit goes', async () => {
		await give(['ALPHA']);
		await limit('sign', { count: 3n });
		const address = await addressOn(net, 'ALPHA');
		const one = (id: number) => ({ id, method: 'signmessage', params: [address, `m${id}`] });
		const batch = (await (await post([one(1), one(2)])).json()) as Answer['body'][];
		const stopped = (body: Answer['body'] | undefined): boolean =>
			/3 signatures on ALPHA/.test(body?.error?.message ?? '');
		// The daemon's response to the message does not matter here.
		expect(batch.map(stopped)).toEqual([false, false]);
		const answers = await Promise.all([3, 4, 5, 6].map((id) => post(one(id))));
		expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
		const mixed = (await (
			await post([one(7), { id: 8, method: 'getblockcount', params: [] }])
		).json()) as Answer['body'][];
		expect(stopped(mixed[0])).toBe(true);
		expect(mixed[1]?.error).toBeNull();
		expect(await used()).toEqual({ sign: 3n });
	});

	test('messages that a trading node signs count as signatures, each coin for itself', async () => {
		await limit('sign', { count: 1n });
		const sign = async (coin: string): Promise<number> =>
			(
				await post(
					{ mmrpc: '2.0', method: 'sign_message', params: { coin, message: 'm' }, id: 1 },
					'node'
				)
			).status;
		expect(await sign('KMD')).toBe(500);
		expect(await sign('KMD')).toBe(429);
		expect(await sign('LTC')).toBe(500);
	});

	test('a migration counts when its burn is confirmed, once, and its import counts nothing', async () => {
		await give(['ALPHA']);
		await limit('migration', { amount: 2n * COIN });
		const first = String(await draft('1.5'));
		const [one, two] = await Promise.all([
			migrations.confirm(first, person.name, null),
			migrations.confirm(first, person.name, null)
		]);
		expect([one.kind, two.kind].toSorted()).toEqual(['confirmed', 'moved-on']);
		expect(await carry(net, migrations, first)).toBe('done');
		expect(await used()).toEqual({ migration: 1n });
		await limit('migration', { amount: 3n * COIN });
		const second = String(await draft('1'));
		await limit('migration', { amount: 2n * COIN });
		const refused = await migrations.confirm(second, person.name, null);
		expect(refused).toMatchObject({ kind: 'refused' });
		expect(refused.kind === 'refused' && refused.checks.at(-1)).toMatchObject({ id: 'limit' });
		expect((await migrations.get(second))!.row.state).toBe('draft');
		// Nor with its bytes through the RPC API.
		const hex = (await migrations.get(second))!.steps.get('burn')!.hex;
		expect(messageOf(await call('sendrawtransaction', [hex]))).toMatch(/migrations on ALPHA/);
		await limit('migration', { count: 2n });
		expect(await migrations.confirm(second, person.name, null)).toEqual({ kind: 'confirmed' });
		expect(await carry(net, migrations, second)).toBe('done');
	});

	test('who takes over has what was open, and everything of the other one ends at once', async () => {
		await give(['ALPHA']);
		const migration = String(await draft('0.5'));
		const review = await create();
		const draftOf = createDrafts(database.db, auth.audit, rights);
		const typed = {
			kind: 'fungible',
			name: 'LATER',
			supply: '1',
			decimals: '0',
			description: '',
			data: ''
		};
		const kept = await draftOf.keep('ALPHA', typed, person.name, null);
		const later = kept.ok ? kept.id : '';
		const successor = await addPerson(database, 'operator');
		const viewer = await addPerson(database, 'viewer');
		const unfit = { code: 'assignment.successor-unfit', field: 'successor' };
		const { members } = auth;
		expect((await members.openWork(person.name)).map(({ id }) => id)).toEqual([
			migration,
			review,
			later
		]);
		await expect(members.disable(admin, person.id, successor.id)).rejects.toMatchObject({
			...unfit,
			message: expect.stringMatching(/may not use the wallet of ALPHA/)
		});
		await expect(members.disable(admin, person.id, viewer.id)).rejects.toMatchObject(unfit);
		await expect(members.disable(admin, person.id, person.id)).rejects.toMatchObject(unfit);
		// Nothing of a refused batch was done.
		expect((await call('getinfo', [])).status).toBe(200);
		await wallets.set(admin, successor.id, { every: false, daemons: ['ALPHA'] });
		await members.disable(admin, person.id, successor.id);
		expect((await post({ id: 1, method: 'getinfo', params: [] })).status).toBe(401);
		expect(await auth.tokens.list(person.id)).toEqual([]);
		expect(await members.openWork(person.name)).toEqual([]);
		expect(await members.openWork(successor.name)).toMatchObject([
			{ id: migration, by: person.name, holder: successor.name },
			{ id: review, by: person.name, holder: successor.name },
			{ id: later, by: person.name, holder: successor.name }
		]);
		expect((await holdersOf(database.db, 'migration', [migration])).get(migration)).toBe(
			successor.name
		);
		const rows = await auth.audit.list({ limit: 4 });
		expect(rows.map(({ action, target }) => [action, target])).toEqual([
			['account.disabled', person.name],
			['work.handed-over', later],
			['work.handed-over', review],
			['work.handed-over', migration]
		]);
		// The disabled member can no longer act, the successor can.
		await expect(sender.send(review, person.name)).rejects.toMatchObject({ code: 'work.denied' });
		expect(await sender.send(review, successor.name)).toBe('broadcast');
		// And reassigned once more.
		const third = await addPerson(database, 'admin');
		expect(await members.handOver(admin, successor.id, third.id)).toBe(3);
		expect(await members.openWork(third.name)).toHaveLength(3);
		expect(await migrations.discard(migration, third.name)).toBe(true);
	});

	test('who has not the wallet ends nothing that is in another’s hands, and it is on record', async () => {
		await give(['ALPHA']);
		const other = await addPerson(database, 'operator');
		await wallets.set(admin, other.id, { every: false, daemons: ['BETA', 'ALPHA:second'] });
		const { db } = database;
		const { audit } = auth;
		const drafts = createDrafts(db, audit, rights);
		const series = createBatchTransfers({
			db,
			gateway,
			audit,
			sender,
			addressBook: createAddressBook(db, audit),
			rights
		});
		const typed = {
			kind: 'fungible',
			name: 'MINE',
			supply: '1',
			decimals: '0',
			description: '',
			data: ''
		};
		const kept = await drafts.keep('ALPHA', typed, person.name, null);
		const migration = String(await draft('0.25'));
		const id = await create();
		const { txid: tokenid } = await reviewed(sender, id);
		await sender.send(id, person.name);
		await net.control.mine('ALPHA');
		const { pubkey } = net.chains.get('BETA')!;
		const row = { recipient: pubkey, amount: '1' };
		const planned = await series.review(
			'ALPHA',
			tokenid,
			[row, { ...row, amount: '2' }],
			person.name
		);
		expect(planned).toMatchObject({ ok: true });
		const seriesId = planned.ok ? planned.id : '';
		const review = await sender.moveToken('ALPHA', transfer(tokenid, pubkey, 5n), person.name);
		const denied = { code: 'work.denied' };
		const attempts = (by: Account): (readonly [string, () => Promise<unknown>])[] => [
			['review', () => sender.discard(review, by.name)],
			['migration', () => migrations.discard(migration, by.name)],
			['series confirmed', () => series.confirm(seriesId, by.name)],
			['series', () => series.discard(seriesId, by.name)],
			['series retried', () => series.retry(seriesId, by.name)]
		];
		for (const [what, attempt] of attempts(other)) {
			await expect(attempt(), what).rejects.toMatchObject(denied);
		}
		// Another spelling of the name is the same member, and an unknown name has no work assigned.
		await expect(sender.discard(review, 'nobody')).rejects.toMatchObject(denied);
		expect(await reviewed(sender, review)).toMatchObject({ state: 'reviewed' });
		expect((await series.get(seriesId))?.batchTransfer).toMatchObject({ state: 'reviewed' });
		expect((await migrations.get(migration))!.row.state).toBe('draft');
		// A draft names no wallet: a grant for any wallet of its chain is enough.
		const draftId = kept.ok ? kept.id : '';
		const viewer = await addPerson(database, 'operator');
		await expect(drafts.remove(draftId, viewer.name)).rejects.toMatchObject(denied);
		await expect(
			drafts.keep('ALPHA', { ...typed, name: 'THEIRS' }, viewer.name, draftId)
		).rejects.toMatchObject(denied);
		expect((await drafts.get(draftId))?.typed).toEqual(typed);
		expect(await drafts.remove(draftId, other.name)).toBe(true);
		const rows = await audit.list({ actor: other.name, limit: 20 });
		expect(rows.map(({ action, target, place }) => [action, target, place]).reverse()).toEqual([
			['call.refused', 'discard', 'ALPHA'],
			['call.refused', 'migration discarded', 'ALPHA'],
			['call.refused', 'series confirmed', 'ALPHA'],
			['call.refused', 'series discarded', 'ALPHA'],
			['call.refused', 'series retried', 'ALPHA'],
			['draft.removed', draftId, 'ALPHA']
		]);
		// A trading node is not a daemon with a separate wallet: members with a grant for every wallet may use
		// it, too.
		const activation = { kind: 'activation', id: 'a', by: person.name, daemon: 'node' } as const;
		expect(await rights.endRefusal(other.name, activation)).toMatchObject({
			code: 'wallet.activation-of-another'
		});
		expect(await rights.endRefusal(person.name.toUpperCase(), activation)).toBeNull();
		expect(await rights.endRefusal(admin.name, activation)).toBeNull();
		// Its author may end it, also without the wallet; so may members with the wallet, and an admin.
		await give([]);
		expect(await sender.discard(review, person.name)).toBe(true);
		await wallets.set(admin, other.id, { every: false, daemons: ['ALPHA'] });
		expect(await series.discard(seriesId, other.name)).toBe(true);
		expect(await migrations.discard(migration, admin.name)).toBe(true);
	});

	test('who has not the wallet neither publishes the burn of another nor takes it off the list', async () => {
		await give(['ALPHA']);
		const other = await addPerson(database, 'operator');
		const id = String(await draft('0.5'));
		expect(await migrations.confirm(id, person.name, null)).toEqual({ kind: 'confirmed' });
		await migrations.advance(id);
		await net.control.mine('ALPHA');
		await migrations.advance(id);
		const denied = { code: 'work.denied' };
		await expect(migrations.publish(id, other.name)).rejects.toMatchObject(denied);
		expect((await migrations.get(id))!.row.path).toBe('notarized');
		expect(await migrations.publish(id, person.name)).toBe(true);
		await expect(migrations.withdraw(id, other.name)).rejects.toMatchObject(denied);
		const rows = await auth.audit.list({ actor: other.name, limit: 20 });
		expect(rows.map(({ action, target }) => [action, target]).reverse()).toEqual([
			['call.refused', 'migration published'],
			['call.refused', 'migration withdrawn']
		]);
		expect(await migrations.withdraw(id, person.name)).toBe(true);
	});

	test('who could send before there were grants keeps every wallet, and nobody else gets one', async () => {
		const { db } = database;
		const notary = await addPerson(database, 'notary');
		const viewer = await addPerson(database, 'viewer');
		await db.schema.dropTable('wallet_grants').execute();
		await db.deleteFrom('schema_migrations').where('name', '=', '007_wallet_grants').execute();
		await migrate(db, allMigrations);
		const may = async ({ id, role }: Account): Promise<boolean> =>
			mayUseWallet(role, await wallets.choiceOf(id), 'ALPHA');
		expect(await wallets.choiceOf(person.id)).toEqual({ every: true, daemons: [] });
		expect(await Promise.all([person, notary, viewer, admin].map(may))).toEqual([
			true,
			true,
			false,
			true
		]);
		expect(await may(await addPerson(database, 'operator'))).toBe(false);
	});
});
