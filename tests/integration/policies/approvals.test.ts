import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approvalVoidWords } from '#lib/messages/approvalVoid.ts';
import { differenceSentence } from '#lib/messages/auditLog.ts';
import { setDisabled } from '#lib/server/access/accounts/accounts.ts';
import { migrations as approvalMigrations } from '#lib/server/access/approvals/migrations.ts';
import type { Approvals } from '#lib/server/access/approvals/approvals.ts';
import {
	APPROVAL_MS,
	createApprovalRequester,
	MOST_OPEN_OF_TOKEN
} from '#lib/server/access/approvals/approvalRequester.ts';
import { createOpenRequests, hexHash } from '#lib/server/access/approvals/open.ts';
import type { ListedRequest } from '#lib/server/access/approvals/request.ts';
import { RETENTION_MS, MOST_KEPT } from '#lib/server/access/approvals/retention.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import type { Policies } from '#lib/server/access/policy/rules/policies.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import { locks } from '#lib/server/locks.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { createSender, type Sender } from '#lib/server/wallet/transactions/sender.ts';
import { codeOf } from '../../support/codeOf.ts';
import { describeOnBothDatabases, isWaiting } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver, sessionHashOf } from '../../support/members.ts';
import { serveRpcApi, type RpcApiServer } from '../../support/rpcApiServer.ts';
import {
	askedBytes,
	approvedBy,
	removeRules,
	requestsOf,
	ruledRights,
	ruleOf
} from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';
import {
	addressOn,
	carry,
	draftedBurn,
	gatewayTo,
	idOfDraft,
	migrationsOver,
	placesOf
} from '../migration/support.ts';
import { permissiveCalls } from '../../support/permissive.ts';

const COIN = 100_000_000n;
const WALLET = { chain: 'ALPHA', daemon: 'ALPHA' };
const TO = 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92';
const OTHER = 'RXL3YXG2ceaB6C5hfJcN4fvmLH2C34knhA';

describeOnBothDatabases('approvals', (database) => {
	const net = shared(() => startDevnet());
	const auth = shared(() => authOver(database));
	const gateway = shared(() => gatewayTo(placesOf(net)));
	let rights: Rights;
	let policies: Policies;
	let approvals: Approvals;
	let sender: Sender;
	/** The same parts in another server over the same database. */
	let elsewhere: { sender: Sender; approvals: Approvals };
	let migrations: Migrations;
	let server: RpcApiServer;
	let admin: Account;
	let ada: Account;
	let ben: Account;
	let cy: Account;
	let token: string;
	let ahead = 0;
	const clock = (): number => Date.now() + ahead;

	beforeAll(async () => {
		const { db } = database;
		const { audit } = auth;
		({ rights, policies, approvals } = ruledRights({ db, gateway, audit, clock }));
		sender = createSender({ locks, db, gateway, audit, rights, approvals, clock });
		migrations = migrationsOver(db, gateway, { rights, audit, approvals });
		const another = await database.openAnother();
		const ruled = ruledRights({ db: another, gateway, audit, clock });
		elsewhere = {
			approvals: ruled.approvals,
			sender: createSender({ locks, db: another, gateway, audit, ...ruled, clock })
		};
		server = await serve(rights);
		admin = await addPerson(database, 'admin');
		await gateway.probe();
	});
	afterAll(() => server.stop());
	beforeEach(async () => {
		ahead = 0;
		await removeRules(policies, admin);
		ada = await addPerson(database, 'admin');
		ben = await addPerson(database, 'viewer');
		cy = await addPerson(database, 'notary');
		({ token } = await auth.tokens.create({ account: ada, name: 'script', role: 'operator' }, ada));
		await database.db.deleteFrom('locked_utxos').execute();
		await net.control.mine('ALPHA');
	});

	/** The RPC API over HTTP, with these rights. */
	const serve = (by: Rights): Promise<RpcApiServer> => {
		const { audit, identify } = auth;
		return serveRpcApi({ ...permissiveCalls(gateway, { audit, rights: by }), identify });
	};

	const add = async (more: Partial<RuleBody> = {}): Promise<void> => {
		const body = ruleOf({
			asset: { is: 'coin', chain: 'ALPHA' },
			over: 10n * COIN,
			effect: approvedBy([ben]),
			...more
		});
		await policies.change(admin, { change: 'add', body });
	};
	const build = (amount: bigint, address = TO, by = ada): Promise<string> =>
		sender.sendCoins(
			WALLET,
			{ payments: [{ address, amount }], utxos: [], rate: 10_000n },
			by.name
		);
	const differing = async (): Promise<string[]> =>
		(await auth.audit.recorded.differences()).map(differenceSentence);
	const send = (id: string, by = ada): Promise<string> => codeOf(sender.send(id, by.name));
	const byId = async (id: string) => (await approvals.get(id, admin))!;
	const requestOf = async (id: string) => byId((await approvals.lastOf(id))!.id);
	const waitingFor = (by: Account): Promise<ListedRequest[]> =>
		requestsOf({ db: database.db, approvals }, by, 'waiting', clock());
	const session = (by: Account): Promise<string> => sessionHashOf(database, auth, by);
	const rejected = async (id: string, by: Account): Promise<void> =>
		approvals.reject((await requestOf(id)).id, by, 'not this week', await session(by));
	const approve = async (id: string, by: Account): Promise<string> => {
		const request = await requestOf(id);
		return codeOf(approvals.approve(request.id, by, request.hash, await session(by)));
	};
	const actions = async (target: string): Promise<string[]> =>
		(await auth.audit.list({ limit: 200 }))
			.filter((event) => event.target === target)
			.map(({ action }) => action)
			.toReversed();
	const call = async (method: string, params: unknown[], by = { server, token }) => {
		const answer = await by.server.post('ALPHA', { id: 1, method, params }, by.token);
		return (await answer.json()) as {
			result: unknown;
			error: { code: number; message: string } | null;
		};
	};

	test('what a rule asks for waits with its UTXOs locked, and goes out once after another member approved', async () => {
		await add();
		const small = await build(COIN);
		expect(await send(small)).toBe('broadcast');
		const id = await build(20n * COIN);
		expect(await send(id)).toBe('policy.needs-approval');
		const { state, review } = (await sender.get(id))!;
		expect(state).toBe('needs-approval');
		ahead = 30 * 60_000;
		const held = await sender.heldUtxos('ALPHA');
		expect(held.filter(({ holder }) => holder.id === id)).toHaveLength(review.inputs.length);
		expect(await send(id)).toBe('policy.needs-approval');
		const request = await requestOf(id);
		expect(request).toMatchObject({ state: 'open', missing: 1, chain: 'ALPHA', author: ada.name });
		expect(request.summary).toMatch(/^20\.0\d* ALPHA$/);
		expect(await waitingFor(ben)).toHaveLength(1);
		expect(await waitingFor(cy)).toHaveLength(0);
		expect(await approve(id, ben)).toBe('done');
		expect(await approvals.shownCount(ben.id)).toBe(0);
		expect(await send(id)).toBe('broadcast');
		expect(await send(id)).toBe('broadcast');
		expect((await requestOf(id)).state).toBe('used');
		expect(await actions(request.id)).toEqual([
			...['approval.requested', 'approval.approved', 'approval.used']
		]);
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('on KMD a request ends before its bytes are too old to go out', async () => {
		await add({ asset: { is: 'coin', chain: 'KMD' } });
		const kmd = { chain: 'KMD', daemon: 'KMD' };
		const payments = [{ address: TO, amount: 20n * COIN }];
		await net.control.mine('KMD');
		const id = await sender.sendCoins(kmd, { payments, utxos: [], rate: 10_000n }, ada.name);
		// The review is sent only after some time, and asks other members then.
		ahead = 9 * 60_000;
		expect(await send(id)).toBe('policy.needs-approval');
		const { expiresAt } = await requestOf(id);
		ahead = expiresAt - 1_000 - Date.now();
		await net.control.clock(Math.floor(ahead / 1_000));
		await net.control.mine('KMD', 12);
		expect(await approve(id, ben)).toBe('done');
		expect(await send(id)).toBe('broadcast');
	});

	test('what no block accepts any more when it is approved does not go out, and is built again', async () => {
		await add();
		const id = await build(20n * COIN);
		expect(await send(id)).toBe('policy.needs-approval');
		// A chain with a block every ten seconds mines this many in half an hour.
		await net.control.mine('ALPHA', 201);
		expect(await approve(id, ben)).toBe('done');
		expect(await send(id)).toBe('discarded');
		expect((await sender.get(id))!.rejection).toEqual({
			code: 'never.confirmed',
			params: { why: 'expired' }
		});
		expect((await requestOf(id)).state).toBe('voided');
		expect(await sender.heldUtxos('ALPHA')).toEqual([]);
		expect(await auth.audit.recorded.differences()).toEqual([]);
	});

	test('what was sent from elsewhere in time is not called one that never went out', async () => {
		await add();
		const id = await build(20n * COIN);
		expect(await send(id)).toBe('policy.needs-approval');
		const { hex } = (await sender.get(id))!;
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA', 201);
		expect(await approve(id, ben)).toBe('done');
		expect(await send(id)).toBe('confirmed');
		expect(await sender.get(id)).toMatchObject({ state: 'confirmed', rejection: null });
		await sender.discardUnapproved();
		expect((await requestOf(id)).state).toBe('voided');
	});

	test('what was sent from elsewhere is not discarded, although its approval will not come', async () => {
		await add();
		const ends: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
			rejected: async (id) => rejected(id, ben),
			voided: (id) => approvals.voidOf(id, ada.name)
		};
		for (const [state, end] of Object.entries(ends)) {
			for (const look of [send, () => sender.discardUnapproved()]) {
				const id = await build(20n * COIN);
				expect(await send(id)).toBe('policy.needs-approval');
				await net.rpc('ALPHA', 'sendrawtransaction', (await sender.get(id))!.hex);
				await end(id);
				expect((await requestOf(id)).state).toBe(state);
				await net.control.fault('ALPHA', 'work-queue-full');
				await sender.discardUnapproved();
				expect(await send(id)).toBe('transaction.not-built');
				expect((await sender.get(id))!.state).toBe('needs-approval');
				await net.control.fault('ALPHA', 'none');
				await look(id);
				expect(await sender.get(id)).toMatchObject({ state: 'broadcast', rejection: null });
				await net.control.mine('ALPHA');
			}
		}
	});

	test('a daemon that hangs keeps no review of another one from being discarded', async () => {
		await add();
		await add({ asset: { is: 'coin', chain: 'BETA' } });
		const payments = [{ address: TO, amount: 20n * COIN }];
		const other = { chain: 'BETA', daemon: 'BETA' };
		const ids = [
			await build(20n * COIN),
			await sender.sendCoins(other, { payments, utxos: [], rate: 10_000n }, ada.name)
		];
		for (const id of ids) {
			expect(await send(id)).toBe('policy.needs-approval');
			await rejected(id, ben);
		}
		await net.control.fault('ALPHA', 'latency', { ms: 1_500 });
		const round = sender.discardUnapproved();
		const stateOf = async (id: string) => (await sender.get(id))!.state;
		await expect.poll(() => stateOf(ids[1]!)).toBe('discarded');
		expect(await stateOf(ids[0]!)).toBe('needs-approval');
		// Each is asked only once at a time.
		await sender.discardUnapproved();
		await net.control.fault('ALPHA', 'none');
		await round;
		await sender.discardUnapproved();
		expect(await stateOf(ids[0]!)).toBe('discarded');
	});

	test('the author, members whom nobody asks, other bytes and a second time do not count', async () => {
		await add({ effect: approvedBy([ada, ben, cy], 2) });
		const id = await build(20n * COIN);
		await send(id);
		const stranger = await addPerson(database, 'admin');
		expect(await approve(id, ada)).toBe('approval.own');
		expect(await approve(id, stranger)).toBe('approval.not-eligible');
		const request = await requestOf(id);
		const idHash = await session(ben);
		expect(await codeOf(approvals.approve(request.id, ben, hexHash('00'), idHash))).toBe(
			'approval.changed-bytes'
		);
		const twice = await Promise.all([
			codeOf(approvals.approve(request.id, ben, request.hash, idHash)),
			codeOf(elsewhere.approvals.approve(request.id, ben, request.hash, idHash))
		]);
		expect(twice.toSorted()).toEqual(['approval.twice', 'done']);
		expect(await send(id)).toBe('policy.needs-approval');
		expect(await approve(id, cy)).toBe('done');
		expect(await send(id)).toBe('broadcast');
	});

	test('a session that was ended since its request came approves and rejects nothing', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		const request = await requestOf(id);
		const idHash = await session(ben);
		await auth.sessions.endOthers(ben, null);
		expect([
			await codeOf(approvals.approve(request.id, ben, request.hash, idHash)),
			await codeOf(approvals.reject(request.id, ben, 'not this week', idHash))
		]).toEqual(['account.session-ended', 'account.session-ended']);
		expect(await requestOf(id)).toMatchObject({ state: 'open', votes: [] });
		expect(await approve(id, ben)).toBe('done');
	});

	test('bytes that were changed in the database are not approved and not sent', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		const other = (await sender.get(await build(30n * COIN)))!;
		const request = await requestOf(id);
		await database.db
			.updateTable('approval_requests')
			.set({ hex: other.hex })
			.where('id', '=', request.id)
			.execute();
		expect(await approve(id, ben)).toBe('approval.changed-bytes');
		await database.db
			.updateTable('approval_requests')
			.set({ hex: (await sender.get(id))!.hex })
			.where('id', '=', request.id)
			.execute();
		expect(await approve(id, ben)).toBe('done');
		await database.db
			.updateTable('transactions')
			.set({ hex: other.hex })
			.where('id', '=', id)
			.execute();
		expect(await send(id)).toBe('policy.needs-approval');
	});

	test('an approval that was written by hand does not count, is named, and ends the request', async () => {
		await add({ effect: approvedBy([ben, cy], 2) });
		const id = await build(20n * COIN);
		await send(id);
		const request = await requestOf(id);
		expect(await approve(id, ben)).toBe('done');
		await database.db
			.insertInto('approval_votes')
			.values({ request: request.id, account: cy.id, name: cy.name, at: 1 })
			.execute();
		expect(await differing()).toEqual([
			expect.stringMatching(/^The approval \S+ \S+ was added outside of Komodeck/)
		]);
		expect(await approve(id, cy)).toBe('approval.unrecorded');
		expect(await send(id)).toBe('policy.needs-approval');
		expect((await byId(request.id)).state).toBe('voided');
		expect(await requestOf(id)).toMatchObject({ state: 'open', votes: [], missing: 2 });
		expect(await differing()).toEqual([]);
	});

	test.each([
		['expires_at', { expires_at: Date.now() + 10 * APPROVAL_MS }],
		['terms', { terms: '[]' }],
		['payouts', { payouts: '00' }],
		['facts', { facts: '[]' }],
		['hex', { hex: '00' }],
		['account', { account: 'nobody' }]
	])(
		'a request whose %s was changed by hand is named, and nothing goes out on it',
		async (column, changed) => {
			await add();
			const id = await build(20n * COIN);
			await send(id);
			const request = await requestOf(id);
			expect(await approve(id, ben)).toBe('done');
			await database.db
				.updateTable('approval_requests')
				.set(changed)
				.where('id', '=', request.id)
				.execute();
			expect(await differing()).toEqual([
				expect.stringMatching(
					new RegExp(`^The approval request ${request.id} was changed .*: ${column} expected`)
				)
			]);
			expect(await send(id)).toBe('policy.needs-approval');
			expect(await byId(request.id)).toMatchObject({ state: 'voided', reason: 'unrecorded' });
			expect(await requestOf(id)).toMatchObject({ state: 'open', votes: [], missing: 1 });
		}
	);

	test('a rejected request that was opened again by hand lets nothing out', async () => {
		await add({ effect: approvedBy([ben, cy]) });
		const { hex, txid } = (await sender.get(await build(20n * COIN)))!;
		await call('sendrawtransaction', [hex]);
		const [asked] = await waitingFor(ben);
		const { id, hash } = asked!;
		await approvals.approve(id, ben, hash, await session(ben));
		await elsewhere.approvals.reject(id, cy, 'not this week', await session(cy));
		await database.db
			.updateTable('approval_requests')
			.set({ state: 'open', open_key: `${ada.id} ${hash}`, closed_at: null, reason: null })
			.where('id', '=', id)
			.execute();
		expect(await differing()).toHaveLength(2);
		expect((await call('sendrawtransaction', [hex])).error?.code).toBe(-32050);
		expect(await net.rpc('ALPHA', 'getrawmempool')).not.toContain(txid);
	});

	test('what was asked for before the log recorded it is void after the update', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		const request = await requestOf(id);
		const { up } = approvalMigrations['391_approvals_recorded']!;
		await up(database.db as never, database.db.dialect);
		expect((await byId(request.id)).state).toBe('voided');
		expect(await send(id)).toBe('discarded');
		await auth.audit.confirmAll('a test');
	});

	test('who is disabled or lost the role before the send does not count then', async () => {
		await add({ effect: { is: 'approve', needed: 1, members: [], roles: ['notary'] } });
		const id = await build(20n * COIN);
		await send(id);
		expect(await approve(id, cy)).toBe('done');
		await auth.members.setRole(admin, cy.id, 'viewer');
		expect(await send(id)).toBe('policy.needs-approval');
		await auth.members.setRole(admin, cy.id, 'notary');
		await auth.members.disable(admin, cy.id);
		expect(await send(id)).toBe('policy.needs-approval');
		expect(await approve(id, cy)).toBe('approval.not-eligible');
		await auth.members.enable(admin, cy.id);
		expect(await send(id)).toBe('broadcast');
	});

	test('who is disabled at the moment of the send, as the log tells it, does not count then', async () => {
		await add({ effect: { is: 'approve', needed: 1, members: [], roles: ['notary'] } });
		const id = await build(20n * COIN);
		await send(id);
		expect(await approve(id, cy)).toBe('done');
		let sending: Promise<string> | undefined;
		await database.db.transaction().execute(async (trx) => {
			await auth.audit.lock(trx);
			sending = codeOf(elsewhere.sender.send(id, ada.name));
			await isWaiting(database, trx);
			await setDisabled(trx, cy.id, true);
			await auth.audit.append({ actor: admin.name, action: 'account.disabled' }, trx);
		});
		expect(await sending).toBe('policy.needs-approval');
		expect((await sender.get(id))!.state).toBe('needs-approval');
	});

	test('a request expires, and nothing is sent on an approval that came before', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		expect(await approve(id, ben)).toBe('done');
		ahead = APPROVAL_MS;
		expect(await send(id)).toBe('discarded');
		const request = await requestOf(id);
		await approvals.expire();
		expect(await approve(id, ben)).toBe('approval.closed');
		expect(await actions(request.id)).toEqual([
			...['approval.requested', 'approval.approved', 'approval.expired']
		]);
	});

	test('a request ends with the last block that accepts its bytes, while nobody has approved', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		await net.control.mine('ALPHA', 198);
		await approvals.expireOutlived();
		expect((await requestOf(id)).state).toBe('open');
		await net.control.fault('ALPHA', 'work-queue-full');
		await net.control.mine('ALPHA', 3);
		await approvals.expireOutlived();
		expect((await requestOf(id)).state).toBe('open');
		await net.control.fault('ALPHA', 'none');
		await approvals.expireOutlived();
		const request = await requestOf(id);
		expect(request.state).toBe('expired');
		expect(await approve(id, ben)).toBe('approval.closed');
		await sender.discardUnapproved();
		expect(await sender.get(id)).toMatchObject({
			state: 'discarded',
			rejection: { code: 'approval.missing', params: { why: 'expired' } }
		});
		expect(await sender.heldUtxos('ALPHA')).toEqual([]);
		expect(await actions(request.id)).toEqual(['approval.requested', 'approval.expired']);
		expect(await differing()).toEqual([]);
	});

	test('a rejection needs a reason, ends the transaction and frees its UTXOs', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		const request = await requestOf(id);
		const reject = async (by: Account, reason: string): Promise<string> =>
			codeOf(approvals.reject(request.id, by, reason, await session(by)));
		expect(await reject(ben, ' ')).toBe('approval.no-reason');
		expect(await reject(ada, 'mine')).toBe('approval.own');
		expect(await reject(ben, 'not this week')).toBe('done');
		await sender.discardUnapproved();
		expect(await sender.get(id)).toMatchObject({
			state: 'discarded',
			rejection: { code: 'approval.missing', params: { why: 'rejected' } }
		});
		expect((await sender.heldUtxos('ALPHA')).filter(({ holder }) => holder.id === id)).toEqual([]);
		expect(await send(id)).toBe('discarded');
	});

	/** Stores copies of a closed request, as one old or several current ones. */
	async function copies(of: string, closed: { count: number; createdAt: number }): Promise<void> {
		const row = await database.db
			.selectFrom('approval_requests')
			.selectAll()
			.where('id', '=', of)
			.executeTakeFirstOrThrow();
		const created_at = closed.createdAt;
		const ids = Array.from({ length: closed.count }, (_, at) => `${of}-${created_at}-${at}`);
		// PostgreSQL accepts at most 65,535 bound values at once, SQLite half as many.
		for (let at = 0; at < ids.length; at += 500) {
			const some = ids.slice(at, at + 500);
			await database.db
				.insertInto('approval_requests')
				.values(
					some.map((id) => ({ ...row, id, created_at, closed_at: created_at, subject: null }))
				)
				.execute();
			await database.db
				.insertInto('approval_votes')
				.values(some.map((request) => ({ request, account: ben.id, name: ben.name, at: 1 })))
				.execute();
		}
	}
	const countOf = async (table: 'approval_requests' | 'approval_votes'): Promise<number> =>
		(await database.db.selectFrom(table).select('account').execute()).length;

	test('closed requests go after their time and beyond their number, open ones stay, and no row differs from the log', async () => {
		await add();
		const open = await build(20n * COIN);
		await send(open);
		const id = await build(20n * COIN);
		await send(id);
		await approve(id, ben);
		await send(id);
		const done = await requestOf(id);
		const votes = await countOf('approval_votes');
		const requests = await countOf('approval_requests');
		await copies(done.id, { count: 2, createdAt: Date.now() - RETENTION_MS - 1 });
		await approvals.forget(0);
		expect(await countOf('approval_requests')).toBe(requests);
		expect(await countOf('approval_votes')).toBe(votes);
		await copies(done.id, { count: MOST_KEPT, createdAt: Date.now() - 3_600_000 });
		await approvals.forget(0);
		// The newest closed ones remain, and the open one.
		const kept = await database.db
			.selectFrom('approval_requests')
			.select('state')
			.where('account', '=', ada.id)
			.execute();
		expect(kept).toHaveLength(MOST_KEPT + 1);
		expect(await requestOf(open)).toMatchObject({ state: 'open' });
		expect(await byId(done.id)).toMatchObject({ state: 'used' });
		expect(await differing()).toEqual([]);
		expect((await auth.audit.verify()).ok).toBe(true);
		ahead = RETENTION_MS + APPROVAL_MS;
		await approvals.expire();
		await approvals.forget(0);
		expect(await countOf('approval_votes')).toBe(0);
		expect(await differing()).toEqual([]);
		expect((await auth.audit.verify()).ok).toBe(true);
	});

	test('an approval is for one revision of a rule', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		const before = await requestOf(id);
		expect(await approve(id, ben)).toBe('done');
		const [rule] = await policies.list();
		const { id: of, revision, place: _place, ...body } = rule!;
		await policies.change(admin, { change: 'set', id: of, revision, body });
		expect(await send(id)).toBe('policy.needs-approval');
		expect((await byId(before.id)).state).toBe('voided');
		expect((await requestOf(id)).id).not.toBe(before.id);
		expect(await approve(id, ben)).toBe('done');
		expect(await send(id)).toBe('broadcast');
	});

	test('an approval after a change of the rule voids the request, with a code that is read as words', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		const before = await requestOf(id);
		const [rule] = await policies.list();
		const { id: of, revision, place: _place, ...body } = rule!;
		await policies.change(admin, { change: 'set', id: of, revision, body });
		expect(await approve(id, ben)).toBe('approval.closed');
		expect(await byId(before.id)).toMatchObject({ state: 'voided', reason: 'rule-changed' });
		const [event] = await auth.audit.list({ action: 'approval.voided', limit: 1 });
		expect(event?.detail['reason']).toBe(approvalVoidWords('rule-changed'));
	});

	test('what waits is not given up for an earlier request of a server whose clock is ahead', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		const before = await requestOf(id);
		const [rule] = await policies.list();
		const { id: of, revision, place: _place, ...body } = rule!;
		await policies.change(admin, { change: 'set', id: of, revision, body });
		expect(await send(id)).toBe('policy.needs-approval');
		await database.db
			.updateTable('approval_requests')
			.set({ created_at: before.createdAt + 60_000 })
			.where('id', '=', before.id)
			.execute();
		await sender.discardUnapproved();
		expect((await sender.get(id))!.state).toBe('needs-approval');
		expect(await approve(id, ben)).toBe('done');
		expect(await send(id)).toBe('broadcast');
	});

	test('API tokens of a member together ask for less than the member may', async () => {
		const { audit } = auth;
		const open = createOpenRequests(audit, clock);
		const ask = createApprovalRequester({ db: database.db, audit, open, clock });
		let bytes = 0;
		const asked = (by: string | null): Promise<string> =>
			ask(
				askedBytes(cy, {
					token: by,
					hex: String((bytes += 1)).padStart(4, '0'),
					terms: [{ rule: 'r', revision: 1, place: 1, needed: 1, members: [ben.id], roles: [] }]
				})
			);
		for (const by of ['one', 'two']) {
			for (let at = 0; at < MOST_OPEN_OF_TOKEN; at += 1) await asked(by);
		}
		expect(await codeOf(asked('three'))).toBe('policy.too-many-open');
		await expect(asked(null)).resolves.toBeTruthy();
	});

	test('two servers that send an approved transaction at the same moment send it once', async () => {
		await add();
		const id = await build(20n * COIN);
		await send(id);
		await approve(id, ben);
		const { txid } = (await sender.get(id))!;
		const sent = await Promise.all([
			send(id),
			codeOf(elsewhere.sender.send(id, ada.name)),
			send(id)
		]);
		expect(sent.filter((state) => state === 'broadcast').length).toBeGreaterThan(0);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toContain(txid);
		const events = (await auth.audit.list({ limit: 100 })).filter(
			({ action, target }) => action === 'send.sent' && target === txid
		);
		expect(events).toHaveLength(1);
	});

	test('many small sends meet the window of a rule, and a denied recipient is denied', async () => {
		const who = { is: 'member', account: ada.id } as const;
		await add({ who, over: null, window: { hours: 24, total: 12n * COIN, count: null } });
		expect(await send(await build(5n * COIN))).toBe('broadcast');
		expect(await send(await build(5n * COIN))).toBe('broadcast');
		expect(await send(await build(5n * COIN))).toBe('policy.needs-approval');
		await add({
			asset: { is: 'any' },
			over: null,
			effect: { is: 'deny' },
			recipient: { is: 'listed', listed: [{ address: OTHER, label: 'Other' }] }
		});
		expect(await send(await build(COIN, OTHER))).toBe('policy.denied');
	});

	test('a rule that no enabled members can meet is refused', async () => {
		const effect = approvedBy([ben], 2);
		const body = { effect: { ...effect, members: [ben.id], roles: [] } };
		expect(await codeOf(add(body))).toBe('policy.quorum-unreachable');
		await auth.members.disable(admin, ben.id);
		expect(await codeOf(add())).toBe('policy.quorum-unreachable');
	});

	test('a member whom a rule needs can be disabled at once, and the rule is named until others can approve', async () => {
		await add();
		expect(await policies.unreachable()).toEqual([]);
		await auth.members.disable(admin, ben.id);
		expect(await policies.unreachable()).toMatchObject([{ place: 1, needed: 1, eligible: 0 }]);
		expect(await send(await build(20n * COIN))).toBe('policy.needs-approval');
		await auth.members.enable(admin, ben.id);
		expect(await policies.unreachable()).toEqual([]);
	});

	test('a migration waits in a state of its own, and goes on by itself', async () => {
		await add({ over: COIN, kind: 'migration' });
		const address = await addressOn(net, 'BETA');
		const id = await draftedBurn(migrations, { address, amount: '2' }, ada.name);
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		const stateOf = async () => (await migrations.get(id))!.row.state;
		expect(await stateOf()).toBe('burn-needs-approval');
		const request = await requestOf(id);
		// The recipient is read from the payouts whose hash is in the burn.
		expect(request.movements[0]?.parts[0]?.recipient).toMatchObject({ is: 'address', address });
		await migrations.confirmApproved();
		await migrations.advance(id);
		expect(await stateOf()).toBe('burn-needs-approval');
		expect(await approve(id, ben)).toBe('done');
		await migrations.confirmApproved();
		expect(await carry(net, migrations, id)).toBe('done');
		expect((await requestOf(id)).state).toBe('used');
	});

	test('an approved migration waits for a daemon that is away, and keeps its approvals', async () => {
		await add({ over: COIN, kind: 'migration' });
		const address = await addressOn(net, 'BETA');
		const id = await draftedBurn(migrations, { address, amount: '2' }, ada.name);
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		expect(await approve(id, ben)).toBe('done');
		await net.control.fault('KMD', 'down');
		await migrations.confirmApproved();
		expect((await migrations.get(id))!.row.state).toBe('burn-needs-approval');
		await net.control.fault('KMD', 'none');
		await migrations.confirmApproved();
		expect(await carry(net, migrations, id)).toBe('done');
		expect((await requestOf(id)).state).toBe('used');
	});

	test('what waits longest is looked after, however many came later', async () => {
		const { db } = database;
		await add({ over: COIN });
		const later = BigInt(Date.now() + 60_000);
		const waiting = await build(20n * COIN);
		expect(await send(waiting)).toBe('policy.needs-approval');
		await approvals.voidOf(waiting, ada.name);
		const sent = await db
			.selectFrom('transactions')
			.selectAll()
			.where('id', '=', waiting)
			.executeTakeFirstOrThrow();
		await db
			.insertInto('transactions')
			.values(Array.from({ length: 500 }, (_, n) => ({ ...sent, id: `s${n}`, created_at: later })))
			.execute();
		await sender.discardUnapproved();
		expect((await sender.get(waiting))!.state).toBe('discarded');

		const address = await addressOn(net, 'BETA');
		const id = await draftedBurn(migrations, { address, amount: '2' }, ada.name);
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		expect(await approve(id, ben)).toBe('done');
		const row = await db
			.selectFrom('migrations')
			.selectAll()
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		const others = Array.from({ length: 200 }, (_, n) => ({
			...row,
			id: `m${n}`,
			burn_txid: null,
			created_at: later
		}));
		await db.insertInto('migrations').values(others).execute();
		await migrations.confirmApproved();
		expect(await carry(net, migrations, id)).toBe('done');
		await db
			.deleteFrom('migrations')
			.where(
				'id',
				'in',
				others.map((other) => other.id)
			)
			.execute();
	});

	/** Drafts burns from the same outputs. */
	async function draftTo(address: string): Promise<string> {
		const id = await draftedBurn(migrations, { address, amount: '2.5' }, ada.name);
		await database.db.deleteFrom('locked_utxos').execute();
		return id;
	}
	const burnOf = async (id: string) => (await migrations.get(id))!.steps.get('burn')!.hex!;

	test('a server that dies while it asks leaves no request that nothing waits for', async () => {
		await add({ over: COIN });
		const dying: Rights = {
			...rights,
			async withRequest(...asked) {
				await rights.withRequest(...asked);
				throw new Error('It dies here.');
			}
		};
		const { db } = database;
		const parts = { db, gateway, audit: auth.audit, rights: dying, approvals };
		const id = await build(20n * COIN);
		const sending = createSender({ locks, ...parts }).send(id, ada.name);
		await expect(sending).rejects.toThrow('It dies here.');
		expect(await approvals.lastOf(id)).toBeNull();
		expect((await sender.get(id))!.state).toBe('reviewed');
		expect(await send(id)).toBe('policy.needs-approval');
		const burn = await draftTo(await addressOn(net, 'BETA'));
		const confirming = migrationsOver(db, gateway, parts).confirm(burn, ada.name, null);
		await expect(confirming).rejects.toThrow('It dies here.');
		expect(await approvals.lastOf(burn)).toBeNull();
		expect((await migrations.get(burn))!.row.state).toBe('draft');
		expect(await migrations.confirm(burn, ada.name, null)).toEqual({ kind: 'needs-approval' });
		await migrations.discard(burn, ada.name);
	});

	test('a server that dies while it discards leaves what was asked for as it was', async () => {
		await add({ over: COIN });
		const id = await build(20n * COIN);
		expect(await send(id)).toBe('policy.needs-approval');
		const burn = await draftTo(await addressOn(net, 'BETA'));
		expect(await migrations.confirm(burn, ada.name, null)).toEqual({ kind: 'needs-approval' });
		const dying = {
			...approvals,
			voidOf: () => Promise.reject(new Error('It dies here.'))
		};
		const { db } = database;
		const parts = { db, gateway, audit: auth.audit, rights, approvals: dying };
		const discarding = createSender({ locks, ...parts }).discard(id, ada.name);
		await expect(discarding).rejects.toThrow('It dies here.');
		const ending = migrationsOver(db, gateway, parts).discard(burn, ada.name);
		await expect(ending).rejects.toThrow('It dies here.');
		expect((await sender.get(id))!.state).toBe('needs-approval');
		expect((await migrations.get(burn))!.row.state).toBe('burn-needs-approval');
		expect(await sender.discard(id, ada.name)).toBe(true);
		expect(await migrations.discard(burn, ada.name)).toBe(true);
		expect([(await requestOf(id)).state, (await requestOf(burn)).state]).toEqual([
			...['voided', 'voided']
		]);
	});

	test('a burn that was sent from elsewhere is not discarded, whether its approval is open, rejected, asked for in vain or forgotten', async () => {
		await add({ over: COIN });
		for (const [isRejected, isRefused] of [
			[false, false],
			[true, false],
			[true, true]
		]) {
			const burn = await draftTo(await addressOn(net, 'BETA'));
			expect(await migrations.confirm(burn, ada.name, null)).toEqual({ kind: 'needs-approval' });
			if (isRejected) {
				await rejected(burn, ben);
				await migrations.confirmApproved();
			}
			if (isRefused) {
				await net.control.fault('BETA', 'down');
				expect(await migrations.confirm(burn, ada.name, null)).toMatchObject({ kind: 'refused' });
				await net.control.fault('BETA', 'none');
				await approvals.forget(-2 * RETENTION_MS);
				expect(await approvals.lastOf(burn)).toBeNull();
			}
			await net.rpc('ALPHA', 'sendrawtransaction', await burnOf(burn));
			expect(await migrations.discard(burn, ada.name)).toBe(false);
			expect((await migrations.get(burn))!.row.state).toBe('burn-unknown');
			await net.control.mine('ALPHA');
		}
	});

	test('nobody is asked any more for what went out without an approval', async () => {
		await add({ over: COIN });
		const id = await build(20n * COIN);
		expect(await send(id)).toBe('policy.needs-approval');
		const burn = await draftTo(await addressOn(net, 'BETA'));
		expect(await migrations.confirm(burn, ada.name, null)).toEqual({ kind: 'needs-approval' });
		const [rule] = await policies.list();
		await policies.change(admin, { change: 'remove', id: rule!.id, revision: rule!.revision });
		expect(await send(id)).toBe('broadcast');
		expect(await migrations.confirm(burn, ada.name, null)).toEqual({ kind: 'confirmed' });
		expect(await carry(net, migrations, burn)).toBe('done');
		await sender.discardUnapproved();
		expect(await waitingFor(ben)).toEqual([]);
		expect([(await requestOf(id)).state, (await requestOf(burn)).state]).toEqual([
			...['voided', 'voided']
		]);
	});

	test('nobody is asked any more for a burn that is on its chain already', async () => {
		await add({ over: COIN, kind: 'migration' });
		const id = await draftTo(await addressOn(net, 'BETA'));
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		await net.rpc('ALPHA', 'sendrawtransaction', await burnOf(id));
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'confirmed' });
		expect(await carry(net, migrations, id)).toBe('done');
		expect((await requestOf(id)).state).toBe('voided');
	});

	test('nobody is asked for a burn that another server built anew while it was measured', async () => {
		const other = await draftTo(await addressOn(net, 'BETA'));
		const id = await draftTo(await addressOn(net, 'ALPHA'));
		await add({ over: COIN, kind: 'migration' });
		const slow: Rights = {
			...rights,
			async measureSpend(...spend) {
				const measured = await rights.measureSpend(...spend);
				await net.rpc('ALPHA', 'sendrawtransaction', await burnOf(other));
				expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'rebuilt' });
				return measured;
			}
		};
		const parts = { audit: auth.audit, rights: slow, approvals };
		const late = migrationsOver(await database.openAnother(), gateway, parts);
		expect(await late.confirm(id, ada.name, null)).toEqual({ kind: 'moved-on' });
		expect(await approvals.lastOf(id)).toBeNull();
	});

	test('a burn that is built anew while its approval is looked at waits for another look', async () => {
		await add({ over: COIN, kind: 'migration' });
		const other = await draftTo(await addressOn(net, 'BETA'));
		const id = await draftTo(await addressOn(net, 'ALPHA'));
		const seen = await burnOf(id);
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		expect(await approve(id, ben)).toBe('done');
		const slow = migrationsOver(await database.openAnother(), gateway, {
			rights,
			audit: auth.audit,
			approvals: {
				...approvals,
				async isMet(request) {
					const isMet = await approvals.isMet(request);
					// Its outputs are spent outside Komodeck, it is built again, and the rule is removed.
					await net.rpc('ALPHA', 'sendrawtransaction', await burnOf(other));
					expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'rebuilt' });
					const [rule] = await policies.list();
					await policies.change(admin, { change: 'remove', id: rule!.id, revision: 1 });
					return isMet;
				}
			}
		});
		await slow.confirmApproved();
		expect(await burnOf(id)).not.toBe(seen);
		expect((await migrations.get(id))!.row.state).toBe('draft');
	});

	test('a burn that is confirmed again while its old request is looked at waits for the new one', async () => {
		await add({ over: COIN, kind: 'migration' });
		const id = await draftTo(await addressOn(net, 'BETA'));
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		await rejected(id, ben);
		const slow = migrationsOver(await database.openAnother(), gateway, {
			rights,
			audit: auth.audit,
			approvals: {
				...approvals,
				async lastOf(subject, within) {
					const last = await approvals.lastOf(subject, within);
					if (within === undefined && subject === id && last?.state === 'rejected') {
						expect(await migrations.confirm(id, ada.name, null)).toEqual({
							kind: 'needs-approval'
						});
					}
					return last;
				}
			}
		});
		await slow.confirmApproved();
		expect((await migrations.get(id))!.row.state).toBe('burn-needs-approval');
		expect((await requestOf(id)).state).toBe('open');
		expect(await migrations.discard(id, ada.name)).toBe(true);
	});

	test('nobody is asked again for a burn that became a draft while it was measured', async () => {
		await add({ over: COIN, kind: 'migration' });
		const id = await draftTo(await addressOn(net, 'BETA'));
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		expect(await approve(id, ben)).toBe('done');
		const slow = migrationsOver(await database.openAnother(), gateway, {
			audit: auth.audit,
			approvals,
			rights: {
				...rights,
				async measureSpend(...spend) {
					const measured = await rights.measureSpend(...spend);
					await approvals.withdraw((await requestOf(id)).id, ada);
					await migrations.confirmApproved();
					return measured;
				}
			}
		});
		await slow.confirmApproved();
		expect((await migrations.get(id))!.row.state).toBe('draft');
		expect((await requestOf(id)).state).not.toBe('open');
		expect(await waitingFor(ben)).toEqual([]);
		expect(await migrations.discard(id, ada.name)).toBe(true);
	});

	test('a rule is moved past the one that was shown beside it, and past no other', async () => {
		for (const kind of ['coin-send', 'token-transfer', 'migration'] as const) {
			await add({ kind, over: null, asset: { is: 'any' } });
		}
		const [first, second, third] = await policies.list();
		const up = { change: 'move', id: third!.id, up: true, past: second!.id } as const;
		await policies.change(admin, up);
		// Another admin's outdated page.
		expect(await codeOf(policies.change(admin, up))).toBe('policy.gone');
		const ids = (await policies.list()).map(({ id }) => id);
		expect(ids).toEqual([first, third, second].map((rule) => rule!.id));
	});

	test('what others approved goes out for its author, although a second member sent it too and asks anew', async () => {
		await add();
		const id = await build(20n * COIN);
		expect(await send(id)).toBe('policy.needs-approval');
		expect(await approve(id, ben)).toBe('done');
		const first = (await approvals.lastOf(id))!;
		const second = await addPerson(database, 'admin');
		// Its request is the newer one, also by the clock of another server.
		ahead = 1_000;
		expect(await send(id, second)).toBe('policy.needs-approval');
		for (const reader of [ada, second]) {
			expect(await approvals.openOf(id, reader)).toMatchObject({ id: first.id, missing: 0 });
		}
		expect(await approvals.lastOf(id)).toMatchObject({ id: first.id });
		expect(await sender.isUnapproved(id, ada.name)).toBe(false);
		expect(await sender.isUnapproved(id, second.name)).toBe(true);
		expect(await send(id)).toBe('broadcast');
		await sender.discardUnapproved();
		expect(await approvals.openOf(id, second)).toBeNull();
	});

	test('a burn that others approved goes out for its author, although a second member confirmed it too', async () => {
		await add({ over: COIN, kind: 'migration' });
		const id = await draftTo(await addressOn(net, 'BETA'));
		expect(await migrations.confirm(id, ada.name, null)).toEqual({ kind: 'needs-approval' });
		expect(await approve(id, ben)).toBe('done');
		const first = (await approvals.lastOf(id))!;
		const second = await addPerson(database, 'admin');
		ahead = 1_000;
		expect(await migrations.confirm(id, second.name, null)).toEqual({ kind: 'needs-approval' });
		await migrations.confirmApproved();
		const { row, steps } = (await migrations.get(id))!;
		expect(row.state).toBe('burn-unknown');
		expect(steps.get('burn')!.evidence.confirmedBy).toBe(ada.name);
		expect((await byId(first.id)).state).toBe('used');
		expect(await carry(net, migrations, id)).toBe('done');
	});

	test('what waits for an approval does not go out once its author may send no more', async () => {
		const oda = await addPerson(database, 'operator');
		const wallets = createWallets(database.db, auth.audit);
		await wallets.set(null, oda.id, { every: true, daemons: [] });
		await add({ who: { is: 'role', role: 'operator' } });
		const id = await build(20n * COIN, TO, oda);
		expect(await send(id, oda)).toBe('policy.needs-approval');
		await auth.members.setRole(admin, oda.id, 'viewer');
		expect(await send(id, oda)).toBe('work.denied');
		expect(await approve(id, ben)).toBe('done');
		expect(await send(id, oda)).toBe('work.denied');
		expect((await sender.get(id))!.state).toBe('needs-approval');
		await auth.members.setRole(admin, oda.id, 'operator');
		expect(await send(id, oda)).toBe('broadcast');
	});

	test('nothing goes out of a wallet that was taken away while it was measured', async () => {
		const oda = await addPerson(database, 'operator');
		const wallets = createWallets(database.db, auth.audit);
		const give = (every: boolean) => wallets.set(null, oda.id, { every, daemons: [] });
		const slow: Rights = {
			...rights,
			async measureSpend(...spend) {
				const measured = await rights.measureSpend(...spend);
				await give(false);
				return measured;
			},
			async measureCall(...made) {
				const measured = await rights.measureCall(...made);
				await give(false);
				return measured;
			}
		};
		const { db } = database;
		const parts = { db, gateway, audit: auth.audit, rights: slow, approvals };
		await give(true);
		const id = await build(COIN, TO, oda);
		expect(await codeOf(createSender({ locks, ...parts }).send(id, oda.name))).toBe('work.denied');
		expect((await sender.get(id))!.state).toBe('reviewed');
		await give(true);
		const address = await addressOn(net, 'BETA');
		const burn = await draftedBurn(migrations, { address, amount: '1.25' }, oda.name);
		const confirmed = await migrationsOver(db, gateway, parts).confirm(burn, oda.name, null);
		expect(confirmed.kind).toBe('refused');
		expect((await migrations.get(burn))!.row.state).toBe('draft');
		await give(true);
		const script = { account: oda, name: 'pay', role: 'operator' } as const;
		const there = await serve(slow);
		const by = { server: there, token: (await auth.tokens.create(script, script.account)).token };
		const { error } = await call('sendtoaddress', [TO, 0.5], by);
		await there.stop();
		expect(error?.message).toContain('wallet');
	});

	test.each([
		['first', 0],
		['last', 1]
	] as const)(
		'a burn that pays several is weighed by what each gets, the one that is denied %s',
		async (_place, at) => {
			const lines = [`${await addressOn(net, 'BETA')} 0.001`, `${OTHER} 15`];
			if (at === 0) lines.reverse();
			const unspent = await net.rpc<{ txid: string; vout: number; amount: number }[]>(
				'ALPHA',
				'listunspent'
			);
			const { txid, vout } = unspent.toSorted((a, b) => b.amount - a.amount)[0]!;
			const outputs = [`${txid}:${vout}`];
			await add({
				kind: 'migration',
				effect: { is: 'deny' },
				recipient: { is: 'listed', listed: [{ address: OTHER, label: null }] }
			});
			const drafted = await migrations.draftCustom(
				{
					source: 'ALPHA',
					destination: 'BETA',
					policy: 'automatic',
					outputs,
					raw: '',
					recipients: lines.join('\n')
				},
				ada.name
			);
			const id = idOfDraft(drafted);
			const confirmed = await migrations.confirm(id, ada.name, null);
			expect(confirmed.kind).toBe('refused');
			expect((await migrations.get(id))!.row.state).not.toBe('burn-unknown');
		}
	);

	test('an API token asks by sending bytes, cannot approve, and the same bytes go out once afterwards', async () => {
		await add();
		const { hex, txid } = (await sender.get(await build(20n * COIN)))!;
		const refused = await call('sendrawtransaction', [hex]);
		expect(refused.error?.code).toBe(-32050);
		const [, request = ''] =
			/\/approvals\/([0-9a-f-]{36})/.exec(refused.error?.message ?? '') ?? [];
		const asked = await byId(request);
		expect(asked).toMatchObject({ kind: 'bytes', author: ada.name, state: 'open' });
		expect(asked.token).not.toBeNull();
		expect((await call('sendrawtransaction', [hex])).error?.message).toContain(request);
		expect(await net.rpc('ALPHA', 'getrawmempool')).not.toContain(txid);
		await approvals.approve(request, ben, asked.hash, await session(ben));
		expect((await call('sendrawtransaction', [hex])).result).toBe(txid);
		expect((await byId(request)).state).toBe('used');
	});

	test('sends that a daemon composes and signed bytes that it hands out meet the rules, too', async () => {
		await add();
		const composed = await call('sendtoaddress', [TO, 20]);
		expect(composed.error).toMatchObject({ code: -32050 });
		expect(composed.error?.message).toMatch(/no signed bytes/);
		expect((await call('sendtoaddress', [TO, 1])).error).toBeNull();
		await add({ asset: { is: 'any' }, over: null, kind: 'sign', effect: { is: 'deny' } });
		const signed = await call('signmessage', [await addressOn(net, 'ALPHA'), 'm']);
		expect(signed.error?.message).toMatch(/Rule 2 of the policies denies/);
		await add({
			who: { is: 'any-token' },
			asset: { is: 'any' },
			over: null,
			kind: 'call',
			effect: { is: 'deny' }
		});
		expect((await call('getnewaddress', [])).error?.message).toMatch(/Rule 3/);
		expect((await call('getinfo', [])).error).toBeNull();
	});
});
