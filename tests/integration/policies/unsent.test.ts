/**
 * Sends that were judged and counted but reached no daemon: they are judged again, count for nothing, and their
 * approvals are valid again. A send that may have gone out, or whose bytes were handed out, keeps its count.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTokenSpending } from '#lib/server/access/api-tokens/spending.ts';
import type { Approvals } from '#lib/server/access/approvals/approvals.ts';
import { APPROVAL_MS } from '#lib/server/access/approvals/approvalRequester.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { createLimits, type Limits } from '#lib/server/access/policy/limits/limits.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import type { Policies } from '#lib/server/access/policy/rules/policies.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import { createWallets, type Wallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { locks } from '#lib/server/locks.ts';
import { createAddressBook } from '#lib/server/wallet/address-book/addressBook.ts';
import {
	createBatchTransfers,
	type BatchTransferSender
} from '#lib/server/wallet/batch-transfers/batchTransfers.ts';
import { createSender, type Sender } from '#lib/server/wallet/transactions/sender.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver, sessionHashOf } from '../../support/members.ts';
import { describeOldDatabase } from '../../support/oldDatabase.ts';
import { permissiveCalls } from '../../support/permissive.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';
import {
	approvedBy,
	removeRules,
	requestsOf,
	ruledRights,
	ruleOf
} from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';
import { idOf, keyOf, rowsOf } from '../batch-transfers/support.ts';
import { gatewayTo, placesOf } from '../migration/support.ts';
import { made, unitsOf } from '../transactions/support.ts';

const COIN = 100_000_000n;
const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const SECOND = 'BETA-notary-1';
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';

describeOnBothDatabases('what reached no daemon', (database) => {
	const net = shared(() => startDevnet());
	const auth = shared(() => authOver(database));
	let gateway: Gateway;
	let rights: Rights;
	let policies: Policies;
	let approvals: Approvals;
	let limits: Limits;
	let wallets: Wallets;
	let sender: Sender;
	let batchTransfers: BatchTransferSender;
	let server: RpcApiServer;
	let admin: Account;
	let ada: Account;
	let ben: Account;
	let token: string;
	let ahead = 0;
	/** An event of the RPC API that the database refuses. */
	let unwritten: string | null = null;
	/** Whether the database is unavailable when a call that waited is judged again. */
	let isAway = false;
	const clock = (): number => Date.now() + ahead;

	beforeAll(async () => {
		// BETA has two wallets.
		const second = net.daemons.find(({ id }) => id === SECOND)!;
		const open = gatewayTo([...placesOf(net), second]);
		const beforeSend = async (...methods: string[]): Promise<void> => {
			if (!isAway || !methods.includes('sendrawtransaction')) return;
			throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
		};
		gateway = {
			...open,
			call: (daemon, method, ...more) =>
				beforeSend(method).then(() => open.call(daemon, method, ...more)),
			proxy: (daemon, method, ...more) =>
				beforeSend(method).then(() => open.proxy(daemon, method, ...more)),
			proxyBatch: (daemon, calls, ...more) =>
				beforeSend(...calls.map(({ method }) => method)).then(() =>
					open.proxyBatch(daemon, calls, ...more)
				)
		};
		const { db } = database;
		const { audit } = auth;
		wallets = createWallets(db, audit);
		limits = createLimits(db, audit, clock);
		({ rights, policies, approvals } = ruledRights({
			db,
			gateway,
			audit,
			clock,
			wallets,
			limits
		}));
		sender = createSender({ locks, db, gateway, audit, rights, approvals, clock });
		const addressBook = createAddressBook(db, audit);
		batchTransfers = createBatchTransfers({
			db,
			gateway,
			audit,
			sender,
			addressBook,
			rights,
			clock
		});
		const calls = permissiveCalls(gateway, {
			audit: {
				append: (entry) =>
					entry.action === unwritten
						? Promise.reject(new Error('The database is away.'))
						: audit.append(entry)
			},
			rights,
			tokenSpending: createTokenSpending(db, clock)
		});
		server = await serveRpcApi({ ...calls, identify: auth.identify }, () => undefined);
		admin = await addPerson(database, 'admin');
		await gateway.probe();
	});
	afterAll(async () => {
		await server.stop();
		await gateway.close();
	});
	beforeEach(async () => {
		ahead = 0;
		unwritten = null;
		isAway = false;
		await net.control.fault('ALPHA', 'none');
		await removeRules(policies, admin);
		ada = await addPerson(database, 'admin');
		await wallets.set(null, ada.id, { every: true, daemons: [] });
		ben = await addPerson(database, 'viewer');
		({ token } = await auth.tokens.create({ account: ada, name: 'script', role: 'operator' }, ada));
		await database.db.deleteFrom('locked_utxos').execute();
		await net.control.mine('ALPHA');
	});

	const add = async (more: Partial<RuleBody> = {}): Promise<void> => {
		await policies.change(admin, { change: 'add', body: ruleOf(more) });
	};
	const asks = (kind: RuleBody['kind'] = null): Promise<void> =>
		add({ kind, effect: approvedBy([ben]) });
	const build = (amount = COIN, by = ada): Promise<string> =>
		sender.sendCoins(
			WALLET,
			{ payments: [{ address: TO, amount }], utxos: [], rate: 10_000n },
			by.name
		);
	const send = (id: string, by = ada): Promise<string> => codeOf(sender.send(id, by.name));
	const stateOf = async (id: string): Promise<string> => (await sender.get(id))!.state;
	const requestOf = async (id: string) => (await approvals.lastOf(id))!;
	const approve = async (request: string): Promise<void> =>
		approvals.approve(
			request,
			ben,
			(await approvals.get(request, admin))!.hash,
			await sessionHashOf(database, auth, ben)
		);
	const actions = async (target: string): Promise<string[]> =>
		(await auth.audit.list({ limit: 200 }))
			.filter((event) => event.target === target)
			.map(({ action }) => action)
			.toReversed();
	const post = async (body: unknown, by = token, more = {}): Promise<string> =>
		(await server.post('ALPHA', body, by, more)).text();
	const call = async (method: string, params: unknown[], by = token) =>
		JSON.parse(await post({ id: 1, method, params }, by)) as {
			result: unknown;
			error: { code: number; message: string } | null;
		};
	/** Makes the daemon refuse calls of a method until told otherwise, as with a full work queue: it does not read them. */
	const busy = (method = 'sendrawtransaction') =>
		net.control.fault('ALPHA', 'work-queue-full', { method });
	const well = () => net.control.fault('ALPHA', 'none');
	const mempool = (): Promise<string[]> => net.rpc('ALPHA', 'getrawmempool');
	/** A member's sends of coins that count for the day. */
	const counted = async (by = ada): Promise<number> =>
		Number((await limits.used(by.id)).find(({ kind }) => kind === 'coin-send')?.count ?? 0);

	/** A way to send the same bytes; returns the message. */
	type Way = (id: string) => Promise<string>;
	const byScript: Way = async (id) => {
		const { result, error } = await call('sendrawtransaction', [(await sender.get(id))!.hex]);
		return error?.message ?? String(result);
	};
	const byBatch: Way = async (id) => {
		const params = [(await sender.get(id))!.hex];
		const more = { id: 2, method: 'getblockcount', params: [] };
		return post([{ id: 1, method: 'sendrawtransaction', params }, more]);
	};
	const ways: readonly [string, Way][] = [
		['by its review', send],
		['by a script', byScript],
		['in a batch of calls', byBatch]
	];

	describe.each(ways)('and was sent %s', (name, way) => {
		test('is asked for by a rule that came since', async () => {
			const id = await build();
			const { txid } = (await sender.get(id))!;
			await busy();
			const failed = await way(id);
			expect(failed).toMatch(/not-built|did not act on the call/);
			expect(await counted()).toBe(0);
			await well();
			await add();
			expect(await way(id)).toMatch(/policy\.denied|Rule 1 of the policies denies/);
			expect(await mempool()).not.toContain(txid);
			await removeRules(policies, admin);
			expect(await way(id)).toMatch(/^broadcast$|[0-9a-f]{64}/);
			expect(await mempool()).toContain(txid);
			expect(await counted()).toBe(1);
		});

		test('finds its approvals open again, and goes out on them later', async () => {
			await asks();
			const id = await build();
			const { txid } = (await sender.get(id))!;
			await way(id);
			const [asked] = await requestsOf({ db: database.db, approvals }, ben, 'waiting');
			await approve(asked!.id);
			await busy();
			await way(id);
			expect(await approvals.get(asked!.id, admin)).toMatchObject({
				state: 'open',
				missing: 0,
				closedAt: null,
				closedBy: null,
				votes: [{ account: ben.id, counts: true }]
			});
			expect(await auth.audit.recorded.differences()).toEqual([]);
			await well();
			await way(id);
			expect(await mempool()).toContain(txid);
			expect((await approvals.get(asked!.id, admin))!.state).toBe('used');
			expect(await requestsOf({ db: database.db, approvals }, ada, 'own')).toHaveLength(1);
			expect(await actions(asked!.id)).toEqual([
				...['approval.requested', 'approval.approved', 'approval.used'],
				...['approval.reopened', 'approval.used']
			]);
			expect(await auth.audit.recorded.differences()).toEqual([]);
			expect(name === 'by its review' ? await stateOf(id) : 'broadcast').toBe('broadcast');
		});
	});

	test.each(ways)(
		'and had to wait until the database was away counts for nothing, %s',
		async (_name, way) => {
			await asks();
			const id = await build();
			const { txid } = (await sender.get(id))!;
			await way(id);
			const [asked] = await requestsOf({ db: database.db, approvals }, ben, 'waiting');
			await approve(asked!.id);
			isAway = true;
			await way(id).catch(() => '');
			isAway = false;
			expect(await mempool()).not.toContain(txid);
			expect(await counted()).toBe(0);
			expect(await approvals.get(asked!.id, admin)).toMatchObject({ state: 'open', missing: 0 });
			await way(id);
			expect(await mempool()).toContain(txid);
			expect(await counted()).toBe(1);
		}
	);

	test('since each call of its batch found a daemon that starts counts for nothing, and is tried anew', async () => {
		await asks('coin-send');
		const id = await build();
		const { hex, txid } = (await sender.get(id))!;
		await byScript(id);
		const [asked] = await requestsOf({ db: database.db, approvals }, ben, 'waiting');
		await approve(asked!.id);
		const pay = { id: 1, method: 'sendrawtransaction', params: [hex] };
		const key = { 'idempotency-key': 'once' };
		const height = { id: 2, method: 'getblockcount', params: [] };
		await net.control.fault('ALPHA', 'warm-up', { method: 'sendrawtransaction' });
		expect(await post([pay, height], token, key)).toMatch(/"code":-28.*"code":-28/s);
		expect(await counted()).toBe(0);
		expect(await approvals.get(asked!.id, admin)).toMatchObject({ state: 'open', missing: 0 });
		await well();
		expect(await post([pay, height], token, key)).toContain(txid);
		expect(await counted()).toBe(1);
	});

	test('by a script is on record as what did not leave, and what left is on record once', async () => {
		const { hex } = (await sender.get(await build()))!;
		const pay = { id: 1, method: 'sendrawtransaction', params: [hex] };
		const height = { id: 2, method: 'getblockcount', params: [] };
		let seen = 0;
		/** The events since the last call. */
		const recorded = async () => {
			const events = (await auth.audit.list({ limit: 10 })).filter(({ seq }) => seq > seen);
			seen = events[0]?.seq ?? seen;
			return events
				.map(({ action, target, outcome }) => `${action} ${target} ${outcome}`)
				.toReversed();
		};
		const sent = 'rpc.sendrawtransaction ALPHA asked';
		const kept = 'rpc.failed ALPHA failed';
		await recorded();
		for (const fault of ['work-queue-full', 'warm-up'] as const) {
			for (const body of [pay, [pay, height], [pay, pay]]) {
				await net.control.fault('ALPHA', fault, { method: 'sendrawtransaction' });
				await post(body);
				const pays = [body].flat().filter(({ id }) => id === 1);
				expect(await recorded()).toEqual([...pays.map(() => sent), ...pays.map(() => kept)]);
				await well();
			}
		}
		await post([pay, height]);
		expect(await recorded()).toEqual([sent]);
	});

	test('is not sent any more for an author who lost the role or the account meanwhile', async () => {
		const oda = await addPerson(database, 'operator');
		await wallets.set(null, oda.id, { every: true, daemons: [] });
		const id = await build(COIN, oda);
		await busy();
		expect(await send(id, oda)).toBe('transaction.not-built');
		await well();
		await auth.members.setRole(admin, oda.id, 'viewer');
		expect(await send(id, oda)).toBe('work.denied');
		await auth.members.setRole(admin, oda.id, 'operator');
		await auth.members.disable(admin, oda.id);
		expect(await send(id, oda)).toBe('work.denied');
		expect(await stateOf(id)).toBe('reviewed');
		await auth.members.enable(admin, oda.id);
		expect(await send(id, oda)).toBe('broadcast');
	});

	test('though it counts already, is not sent for an author who lost the role meanwhile', async () => {
		const id = await build();
		const { txid } = (await sender.get(id))!;
		await net.control.fault('ALPHA', 'drop', { method: 'sendrawtransaction', phase: 'before' });
		expect(await send(id)).toBe('unknown');
		await well();
		await auth.members.setRole(admin, ada.id, 'viewer');
		expect(await send(id)).toBe('work.denied');
		expect(await stateOf(id)).toBe('unknown');
		expect(await mempool()).not.toContain(txid);
		await auth.members.setRole(admin, ada.id, 'notary');
		expect(await send(id)).toBe('broadcast');
	});

	test('is not sent for an author who lost the role while it was measured, or while it waited', async () => {
		const demote = () => auth.members.setRole(admin, ada.id, 'viewer');
		let gone: keyof Rights = 'measureSpend';
		const slow: Rights = {
			...rights,
			async measureSpend(...args) {
				const measured = await rights.measureSpend(...args);
				if (gone === 'measureSpend') await demote();
				return measured;
			},
			async recordSpend(...args) {
				const done = await rights.recordSpend(...args);
				if (gone === 'recordSpend') isGone = true;
				return done;
			}
		};
		let isGone = false;
		/** A daemon whose queue is full at first; in that time the role is taken away. */
		const waiting: Gateway = {
			...gateway,
			async call(daemon, method, params, options) {
				if (isGone) {
					await demote();
					await options?.beforeSend?.();
				}
				return gateway.call(daemon, method, params, options);
			}
		};
		const late = createSender({
			locks,
			db: database.db,
			audit: auth.audit,
			approvals,
			clock,
			gateway: waiting,
			rights: slow
		});
		for (const at of ['measureSpend', 'recordSpend'] as const) {
			gone = at;
			isGone = false;
			const id = await build();
			expect(await codeOf(late.send(id, ada.name))).toBe('work.denied');
			expect(await stateOf(id)).toBe('reviewed');
			expect(await mempool()).not.toContain((await sender.get(id))!.txid);
			expect(await counted()).toBe(0);
			await auth.members.setRole(admin, ada.id, 'admin');
		}
	});

	test('a batch sends no further transfer for a member who lost the role, until another takes it over', async () => {
		const tokenid = await made(net, sender, { name: 'LOST', supply: 100n }, ada.name);
		const rows = rowsOf([keyOf(3), '5'], [keyOf(4), '6']);
		const batch = idOf(await batchTransfers.review('ALPHA', tokenid, rows, ada.name));
		await batchTransfers.confirm(batch, ada.name);
		await busy();
		await batchTransfers.round();
		await well();
		await auth.members.setRole(admin, ada.id, 'viewer');
		const before = await mempool();
		await batchTransfers.round();
		expect(await mempool()).toEqual(before);
		expect((await batchTransfers.get(batch))!.batchTransfer).toMatchObject({
			state: 'stopped',
			problem: { params: { error: { code: 'work.denied' } } }
		});
		await batchTransfers.goOn(batch, admin.name);
		for (let n = 0; (await batchTransfers.get(batch))!.batchTransfer.state === 'running'; n += 1) {
			expect(n).toBeLessThan(10);
			await batchTransfers.round();
			await net.control.mine('ALPHA');
			await sender.reconcileAll();
		}
		expect(await unitsOf(net, tokenid, keyOf(4))).toBe(6);
	});

	test.each(['is measured', 'waits for its daemon', 'is asked about'])(
		'because its batch transfer was stopped while it %s counts for nothing',
		async (when) => {
			const tokenid = await made(net, sender, { name: 'STOP', supply: 100n }, ada.name);
			let batch = '';
			const stop = () => batchTransfers.stop(batch, ada.name);
			if (when === 'is asked about') await asks('token-transfer');
			const { db } = database;
			const { audit } = auth;
			const slow: Rights = {
				...rights,
				async measureSpend(...spend) {
					const measured = await rights.measureSpend(...spend);
					if (when !== 'waits for its daemon') await stop();
					return measured;
				}
			};
			const queued: Gateway = {
				...gateway,
				async call(daemon, method, params, options) {
					if (when === 'waits for its daemon' && method === 'sendrawtransaction') {
						await stop();
						await options?.beforeSend?.();
					}
					return gateway.call(daemon, method, params, options);
				}
			};
			const parts = { db, audit, gateway: queued, rights: slow, clock };
			const slowly = createBatchTransfers({
				...parts,
				sender: createSender({ ...parts, locks, approvals }),
				addressBook: createAddressBook(db, audit)
			});
			batch = idOf(await slowly.review('ALPHA', tokenid, rowsOf([keyOf(3), '5']), ada.name));
			await slowly.confirm(batch, ada.name);
			const before = await mempool();
			await slowly.round();
			expect(await mempool()).toEqual(before);
			const { batchTransfer, lines } = (await slowly.get(batch))!;
			expect(batchTransfer).toMatchObject({ state: 'stopped', problem: null });
			expect(lines).toMatchObject([{ state: 'underway', sendState: 'reviewed' }]);
			expect(await approvals.lastOf(lines[0]!.send!)).toBeNull();
			expect((await limits.used(ada.id)).map(({ kind }) => kind)).not.toContain('token-transfer');
			await removeRules(policies, admin);
			await batchTransfers.goOn(batch, ada.name);
			await batchTransfers.round();
			expect((await batchTransfers.get(batch))!.lines).toMatchObject([{ state: 'broadcast' }]);
		}
	);

	test('and waited too long for its approval is given up, and its UTXOs are free', async () => {
		await asks();
		const id = await build();
		await send(id);
		await approve((await requestOf(id)).id);
		await busy();
		expect(await send(id)).toBe('transaction.not-built');
		const held = async () =>
			(await sender.heldUtxos('ALPHA')).filter(({ holder }) => holder.id === id);
		expect(await stateOf(id)).toBe('needs-approval');
		expect(await held()).not.toHaveLength(0);
		ahead = APPROVAL_MS;
		await approvals.expire();
		await sender.discardUnapproved();
		expect(await sender.get(id)).toMatchObject({
			state: 'discarded',
			rejection: { code: 'approval.missing', params: { why: 'expired' } }
		});
		expect(await held()).toEqual([]);
	});

	test('counts for no window, no limit and no day of an API token', async () => {
		await add({
			window: { hours: 24, total: 12n * COIN, count: null },
			kind: 'coin-send',
			who: { is: 'member', account: ada.id }
		});
		const id = await build(5n * COIN);
		await busy();
		for (let n = 0; n < 3; n += 1) expect(await send(id)).toBe('transaction.not-built');
		expect(await counted()).toBe(0);
		await well();
		expect(await send(id)).toBe('broadcast');
		expect(await send(await build(5n * COIN))).toBe('broadcast');
		expect(await send(await build(5n * COIN))).toBe('policy.denied');
		expect(await counted()).toBe(2);

		await removeRules(policies, admin);
		const amounts = [{ chain: 'ALPHA', each: null, day: 5n * COIN }];
		const daily = { account: ada, name: 'daily', role: 'operator', amounts } as const;
		const limited = (await auth.tokens.create(daily, daily.account)).token;
		await busy('sendtoaddress');
		for (let n = 0; n < 2; n += 1) {
			expect((await call('sendtoaddress', [TO, 4], limited)).error).not.toBeNull();
		}
		await well();
		expect((await call('sendtoaddress', [TO, 4], limited)).error).toBeNull();
		expect((await call('sendtoaddress', [TO, 4], limited)).error?.message).toContain('24 hours');
	});

	test('because it pays an address of tokens counts for nothing, by whatever way it is called', async () => {
		const told = await net.rpc<Record<string, string>>('ALPHA', 'tokenaddress');
		const before = await mempool();
		for (const address of [told['TokensCCAddress']!, told['myCCAddress(Tokens)']!]) {
			for (const written of [address, ` ${address}`]) {
				const { error } = await call('sendtoaddress', [written, 1]);
				expect(error).toMatchObject({
					code: -32603,
					message: expect.stringMatching(`^${address}: .*coins paid to it are lost`)
				});
			}
			const pay = { id: 1, method: 'sendtoaddress', params: [address, 1] };
			const height = { id: 2, method: 'getblockcount', params: [] };
			expect(await post([pay, height])).toMatch(/coins paid to it are lost.*"result":\d+/s);
		}
		expect(await mempool()).toEqual(before);
		expect(await counted()).toBe(0);
		expect((await call('sendtoaddress', [TO, 1])).error).toBeNull();
	});

	test('because the fee of its entry is above the cap counts for nothing', async () => {
		const { error } = await call('kvupdate', ['k', 'v'.repeat(900), '365']);
		expect(error?.message).toMatch(
			/^The fee of this transaction is 3\.\d+ ALPHA, and at most 0\.01/
		);
		expect(await counted()).toBe(0);
		expect((await call('kvupdate', ['key', 'value', '1'])).error?.message).toBe('Method not found');
	});

	test('because another call of its batch could not be judged counts for nothing', async () => {
		await asks('coin-send');
		const id = await build();
		const { hex, txid } = (await sender.get(id))!;
		await byScript(id);
		const [asked] = await requestsOf({ db: database.db, approvals }, ben, 'waiting');
		await approve(asked!.id);
		const pay = { id: 1, method: 'sendrawtransaction', params: [hex] };
		unwritten = 'rpc.getnewaddress';
		expect(await post([pay, { id: 2, method: 'getnewaddress', params: [] }])).toContain('failed');
		expect(await mempool()).not.toContain(txid);
		expect(await counted()).toBe(0);
		expect(await approvals.get(asked!.id, admin)).toMatchObject({ state: 'open', missing: 0 });
		unwritten = null;
		expect(await byScript(id)).toBe(txid);
		expect(await counted()).toBe(1);
	});

	test('because that could not be put on record is a review as before, with its approvals', async () => {
		await asks();
		const id = await build();
		await send(id);
		await approve((await requestOf(id)).id);
		const { db } = database;
		const { audit } = auth;
		const away = createSender({
			locks,
			db,
			gateway,
			rights,
			approvals,
			clock,
			audit: {
				...audit,
				append: (entry, trx) =>
					entry.action === 'send.sent'
						? Promise.reject(new Error('The database is away.'))
						: audit.append(entry, trx)
			}
		});
		await expect(away.send(id, ada.name)).rejects.toThrow('away');
		expect(await stateOf(id)).toBe('needs-approval');
		expect(await requestOf(id)).toMatchObject({ state: 'open', missing: 0 });
		expect(await counted()).toBe(0);
		expect(await send(id)).toBe('broadcast');
		expect(await counted()).toBe(1);
	});

	test('is given back only once nothing else relies on it', async () => {
		const { hex } = (await sender.get(await build()))!;
		const spend = await rights.measureSpend(ada.name, 'ALPHA', hex);
		const one = await rights.recordSpend(spend);
		const other = await rights.recordSpend(spend);
		await rights.giveBack(one);
		await add();
		expect(await counted()).toBe(1);
		// The other one was sent, and passed the rules before.
		const third = await rights.recordSpend(spend);
		await rights.giveBack(third);
		await rights.giveBack(other);
		expect(await counted()).toBe(0);
		expect(await codeOf(rights.recordSpend(spend))).toBe('policy.denied');
	});

	test('by two servers at once finds its approvals open again, whichever of them is last to hear so', async () => {
		await asks();
		const { hex } = (await sender.get(await build()))!;
		await call('sendrawtransaction', [hex]);
		const [asked] = await requestsOf({ db: database.db, approvals }, ben, 'waiting');
		await approve(asked!.id);
		const spend = await rights.measureSpend(ada.name, 'ALPHA', hex);
		const stateNow = async () => (await approvals.get(asked!.id, admin))!.state;
		for (const isFirstLast of [true, false]) {
			const first = await rights.recordSpend(spend);
			const second = await rights.recordSpend(spend);
			await rights.giveBack(isFirstLast ? second : first);
			expect(await stateNow()).toBe('used');
			await rights.giveBack(isFirstLast ? first : second);
			expect(await stateNow()).toBe('open');
		}
		await rights.recordSpend(spend);
		expect(await stateNow()).toBe('used');
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('opens no request again that was changed by hand meanwhile', async () => {
		await asks();
		const { hex } = (await sender.get(await build()))!;
		await call('sendrawtransaction', [hex]);
		const [asked] = await requestsOf({ db: database.db, approvals }, ben, 'waiting');
		await approve(asked!.id);
		const spend = await rights.measureSpend(ada.name, 'ALPHA', hex);
		const used = await rights.recordSpend(spend);
		await database.db
			.insertInto('approval_votes')
			.values({ request: asked!.id, account: admin.id, name: admin.name, at: 1 })
			.execute();
		await rights.giveBack(used);
		expect((await approvals.get(asked!.id, admin))!.state).toBe('used');
		expect(await codeOf(rights.recordSpend(spend))).toBe('policy.needs-approval');
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('opens no request that was ended otherwise, and only by hand called used', async () => {
		await asks();
		const { hex } = (await sender.get(await build()))!;
		await call('sendrawtransaction', [hex]);
		const [asked] = await requestsOf({ db: database.db, approvals }, ben, 'waiting');
		await approve(asked!.id);
		await approvals.withdraw(asked!.id, ada);
		await removeRules(policies, admin);
		const spend = await rights.measureSpend(ada.name, 'ALPHA', hex);
		const counted = await rights.recordSpend(spend);
		await database.db
			.updateTable('approval_requests')
			.set({ state: 'used' })
			.where('id', '=', asked!.id)
			.execute();
		await rights.giveBack(counted);
		expect((await approvals.get(asked!.id, admin))!.state).toBe('used');
	});

	test('and what may have been heard stays counted, and is judged no second time', async () => {
		const id = await build();
		await net.control.fault('ALPHA', 'drop', { method: 'sendrawtransaction', phase: 'before' });
		expect(await send(id)).toBe('unknown');
		expect(await counted()).toBe(1);
		await add();
		await well();
		await busy();
		expect(await send(id)).toBe('transaction.not-built');
		expect(await stateOf(id)).toBe('unknown');
		expect(await counted()).toBe(1);
		await well();
		expect(await send(id)).toBe('broadcast');
	});

	test('and may be out is not sent again by another member without an approval, who is told why', async () => {
		await asks();
		const id = await build();
		await send(id);
		await approve((await requestOf(id)).id);
		await net.control.fault('ALPHA', 'drop', { method: 'sendrawtransaction', phase: 'before' });
		expect(await send(id)).toBe('unknown');
		await well();
		expect(await send(id, admin)).toBe('policy.resend-needs-approval');
		expect(await stateOf(id)).toBe('unknown');
		expect(await requestOf(id)).toMatchObject({ state: 'used' });
		expect(await send(id)).toBe('broadcast');
	});

	test('a refused transfer of a batch that another member retries is not paid beside the first', async () => {
		const tokenid = await made(net, sender, { name: 'TWICE', supply: 100n }, ada.name);
		const batch = idOf(
			await batchTransfers.review('ALPHA', tokenid, rowsOf([keyOf(5), '5']), ada.name)
		);
		await batchTransfers.confirm(batch, ada.name);
		const line = async () => (await batchTransfers.get(batch))!.lines[0]!;
		// A daemon that refuses every send: no daemon accepts such bytes.
		const refusing: Gateway = {
			...gateway,
			call: (daemon, method, params, options) =>
				method === 'sendrawtransaction'
					? gateway.call(
							daemon,
							method,
							[`${String(params[0]).slice(0, -8)}01000000`] as never,
							options
						)
					: gateway.call(daemon, method, params, options)
		};
		const { db } = database;
		const { audit } = auth;
		await createBatchTransfers({
			db,
			gateway: refusing,
			audit,
			rights,
			clock,
			sender: createSender({ locks, db, gateway: refusing, audit, rights, approvals, clock }),
			addressBook: createAddressBook(db, audit)
		}).round();
		const refused = (await line()).send!;
		expect(await stateOf(refused)).toBe('rejected');
		await asks();
		expect(await codeOf(batchTransfers.retry(batch, admin.name))).toBe(
			'policy.resend-needs-approval'
		);
		expect(await line()).toMatchObject({ state: 'failed', send: refused });
		await batchTransfers.retry(batch, ada.name);
		expect(await stateOf(refused)).toBe('broadcast');
		expect(await line()).toMatchObject({ state: 'broadcast', send: refused });
	});

	test('a batch whose transfer may be out and cannot be sent again stops, and says why', async () => {
		const tokenid = await made(net, sender, { name: 'AGAIN', supply: 100n }, ada.name);
		const rows = rowsOf([keyOf(6), '5'], [keyOf(7), '6']);
		const batch = idOf(await batchTransfers.review('ALPHA', tokenid, rows, ada.name));
		await batchTransfers.confirm(batch, ada.name);
		await batchTransfers.round();
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		const first = (await batchTransfers.get(batch))!.lines[0]!.send!;
		await net.control.reorg('ALPHA', 1, true, true);
		await busy();
		await sender.reconcileAll();
		await well();
		expect(await stateOf(first)).toBe('unknown');
		const stopped = async (code: string) => {
			await batchTransfers.round();
			expect((await batchTransfers.get(batch))!.batchTransfer).toMatchObject({
				state: 'stopped',
				problem: { params: { error: { code } } }
			});
		};
		await auth.members.setRole(admin, ada.id, 'viewer');
		await stopped('work.denied');
		await asks();
		await batchTransfers.goOn(batch, admin.name);
		await stopped('policy.resend-needs-approval');
		await auth.members.setRole(admin, ada.id, 'admin');
		await batchTransfers.goOn(batch, ada.name);
		await batchTransfers.round();
		expect(await stateOf(first)).toBe('broadcast');
		await batchTransfers.stop(batch, ada.name);
	});

	test('and is in the hands of a script stays counted, because it can be sent from anywhere', async () => {
		const unsigned = await net.rpc<string>('ALPHA', 'createrawtransaction', [], { [TO]: 1 });
		const funded = await net.rpc<{ hex: string }>('ALPHA', 'fundrawtransaction', unsigned);
		const { result } = await call('signrawtransaction', [funded.hex]);
		const { hex } = result as { hex: string };
		expect(await counted()).toBe(1);
		await busy();
		expect((await call('sendrawtransaction', [hex])).error).not.toBeNull();
		expect(await counted()).toBe(1);
		await well();
		await add({ kind: 'coin-send' });
		expect((await call('sendrawtransaction', [hex])).error).toBeNull();
	});

	test('a transfer of a batch that waits for approval is not measured again until others have approved', async () => {
		const tokenid = await made(net, sender, { name: 'WAIT', supply: 100n }, ada.name);
		await asks();
		const batch = idOf(
			await batchTransfers.review('ALPHA', tokenid, rowsOf([keyOf(1), '5']), ada.name)
		);
		await batchTransfers.confirm(batch, ada.name);
		await batchTransfers.round();
		const view = async () => (await batchTransfers.get(batch))!;
		const line = async () => (await view()).lines[0]!;
		expect(await stateOf((await line()).send!)).toBe('needs-approval');
		// Without its parents it cannot be measured.
		await busy('getrawtransaction');
		await batchTransfers.round();
		expect((await view()).batchTransfer).toMatchObject({
			state: 'running',
			problem: { code: 'transaction.needs-approval' }
		});
		await well();
		const { id } = await requestOf((await line()).send!);
		await approve(id);
		await busy('getrawtransaction');
		await batchTransfers.round();
		expect((await view()).batchTransfer).toMatchObject({
			state: 'running',
			problem: { params: { error: { code: 'limit.daemon-failed' } } }
		});
		expect((await approvals.get(id, admin))!.state).toBe('open');
		await well();
		await busy();
		await batchTransfers.round();
		expect((await approvals.get(id, admin))!.state).toBe('open');
		await well();
		await batchTransfers.round();
		expect((await line()).sendState).toBe('broadcast');
		expect(await requestsOf({ db: database.db, approvals }, ada, 'own')).toHaveLength(1);
	});

	test('a transfer of a batch that others approved goes out, although a second member pressed Send', async () => {
		const tokenid = await made(net, sender, { name: 'BOTH', supply: 100n }, ada.name);
		await asks();
		const batch = idOf(
			await batchTransfers.review('ALPHA', tokenid, rowsOf([keyOf(3), '5']), ada.name)
		);
		await batchTransfers.confirm(batch, ada.name);
		await batchTransfers.round();
		const line = async () => (await batchTransfers.get(batch))!.lines[0]!;
		const row = (await line()).send!;
		const first = await requestOf(row);
		await approve(first.id);
		expect(await send(row, admin)).toBe('policy.needs-approval');
		await batchTransfers.round();
		expect((await line()).sendState).toBe('broadcast');
		expect((await approvals.get(first.id, admin))!.state).toBe('used');
	});

	test('a batch that reaches a spending limit stops at it, also while its change is unconfirmed', async () => {
		const tokenid = await made(net, sender, { name: 'MOST', supply: 100n }, ada.name);
		const rows = rowsOf([keyOf(3), '5'], [keyOf(4), '6']);
		const batch = idOf(await batchTransfers.review('ALPHA', tokenid, rows, ada.name));
		const most = { count: 1n, amount: null };
		await limits.set(null, { account: ada.id, chain: 'ALPHA', kind: 'token-transfer', most });
		await batchTransfers.confirm(batch, ada.name);
		await batchTransfers.round();
		const { batchTransfer, lines } = (await batchTransfers.get(batch))!;
		expect(lines[0]!.sendState).toBe('broadcast');
		expect(batchTransfer).toMatchObject({
			state: 'stopped',
			problem: { params: { error: { code: 'limit.count-reached' } } }
		});
	});

	test('a transfer of a batch that is discarded while it waits for approval is not built again', async () => {
		const tokenid = await made(net, sender, { name: 'GIVE', supply: 100n }, ada.name);
		await asks();
		const batch = idOf(
			await batchTransfers.review('ALPHA', tokenid, rowsOf([keyOf(8), '5']), ada.name)
		);
		await batchTransfers.confirm(batch, ada.name);
		await batchTransfers.round();
		const line = async () => (await batchTransfers.get(batch))!.lines[0]!;
		const { send: held } = await line();
		// The time of its review is over, that of its request is not.
		ahead = 11 * 60_000;
		expect(await sender.discard(held!, ada.name)).toBe(true);
		await batchTransfers.round();
		expect(await line()).toMatchObject({
			state: 'failed',
			send: held,
			problem: { code: 'transaction.discarded' }
		});
		expect((await batchTransfers.get(batch))!.batchTransfer.state).toBe('done');
	});

	test('a batch goes out of the wallet that it was reviewed with, whichever others its sender may use', async () => {
		const oda = await addPerson(database, 'operator');
		await wallets.set(null, oda.id, { every: false, daemons: [SECOND] });
		const created = await net.rpc<{ hex: string }>(SECOND, 'tokencreate', 'OTHER', '0.000001', '');
		const tokenid = await net.rpc<string>(SECOND, 'sendrawtransaction', created.hex);
		await net.control.mine('BETA');
		const batch = idOf(
			await batchTransfers.review('BETA', tokenid, rowsOf([keyOf(9), '5']), oda.name)
		);
		await batchTransfers.confirm(batch, ada.name);
		await batchTransfers.round();
		const { batchTransfer, lines } = (await batchTransfers.get(batch))!;
		expect(batchTransfer).toMatchObject({ state: 'running', problem: null, daemon: SECOND });
		expect(lines[0]!.sendState).toBe('broadcast');
		expect(await sender.get(lines[0]!.send!)).toMatchObject({
			daemon: SECOND,
			createdBy: ada.name
		});
		await net.control.mine('BETA');
		await batchTransfers.round();
	});

	test('a transfer of a batch whose rule was changed is asked for anew', async () => {
		const tokenid = await made(net, sender, { name: 'ANEW', supply: 100n }, ada.name);
		await asks();
		const batch = idOf(
			await batchTransfers.review('ALPHA', tokenid, rowsOf([keyOf(2), '5']), ada.name)
		);
		await batchTransfers.confirm(batch, ada.name);
		await batchTransfers.round();
		await removeRules(policies, admin);
		await batchTransfers.round();
		expect((await batchTransfers.get(batch))!.lines[0]!.sendState).toBe('broadcast');
	});
});

describeOldDatabase(
	'410_policy_use_claims',
	async (db) => {
		await sql`insert into policy_uses
			(account, ref, part, role, wallet, kind, chain, tokenid, recipient, own, amount, at)
			values ('ada', 'a send', 0, 'admin', 'ALPHA', 'coin-send', 'ALPHA', '', '', 0, 1, 1)`.execute(db);
	},
	(db) => {
		test('what went out before the update keeps its use', async () => {
			const uses = await db().selectFrom('policy_uses').select(['ref', 'claims']).execute();
			expect(uses).toEqual([{ ref: 'a send', claims: 1n }]);
		});
	}
);
