import { beforeAll, beforeEach, expect, test } from 'vitest';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { locks } from '#lib/server/locks.ts';
import type { Approvals } from '#lib/server/access/approvals/approvals.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { RefusedAct } from '#lib/server/access/audit/refusals.ts';
import { createLimits, type Limits } from '#lib/server/access/policy/limits/limits.ts';
import { createWallets, type Wallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Policies } from '#lib/server/access/policy/rules/policies.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import type { MigrationRow } from '#lib/server/cross-chain/migration/migrationRecord.ts';
import { command } from '../../support/commandLine.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { addPerson, authOver, sessionHashOf } from '../../support/members.ts';
import { approvedBy, removeRules, ruledRights, ruleOf } from '../../support/ruledRights.ts';
import { shared } from '../../support/shared.ts';
import {
	addressOn,
	burnsOf,
	carry,
	draftedBurn,
	gatewayTo,
	importsOf,
	migrationsOver,
	placesOf,
	round
} from './support.ts';

describeOnBothDatabases('a confirmed burn that waited for its daemon', (database) => {
	const net = shared(() => startDevnet());
	let isForgetful = false;
	const refused: RefusedAct[] = [];
	const gateway = shared((): Gateway => {
		const open = gatewayTo(placesOf(net));
		return {
			...open,
			// As after a reorganization, the daemon does not know the transactions that are looked up.
			call: (daemon, method, params, options) =>
				isForgetful && method === 'getrawtransaction'
					? open.call(daemon, method, ['0'.repeat(64), 0] as never, options)
					: open.call(daemon, method, params, options)
		};
	});
	let auth: Auth;
	let wallets: Wallets;
	let limits: Limits;
	let policies: Policies;
	let approvals: Approvals;
	let migrations: Migrations;
	let admin: Account;
	let author: Account;
	let amount = 600;
	beforeAll(async () => {
		auth = await authOver(database);
		const { audit } = auth;
		wallets = createWallets(database.db, audit);
		limits = createLimits(database.db, audit);
		admin = await addPerson(database, 'admin');
		const refusals = {
			refused: async (_who: unknown, act: RefusedAct) => void refused.push(act)
		};
		const ruled = ruledRights({ db: database.db, gateway, audit, wallets, limits, refusals });
		const { rights } = ruled;
		({ policies, approvals } = ruled);
		migrations = migrationsOver(database.db, gateway, { audit, rights, approvals });
	});
	const member = async (): Promise<Account> => {
		const account = await addPerson(database, 'operator');
		await wallets.set(null, account.id, { every: true, daemons: [] });
		return account;
	};
	beforeEach(async () => {
		// Earlier sends are confirmed, so a burn may spend their change.
		await net.control.mine('ALPHA');
		author = await member();
	});

	const rowOf = async (id: string): Promise<MigrationRow> => (await migrations.get(id))!.row;

	/** A migration with a reviewed burn. */
	async function drafted(by = author): Promise<string> {
		amount += 1;
		const address = await addressOn(net, 'BETA');
		return draftedBurn(migrations, { address, amount: `0.0${amount}` }, by.name);
	}

	/** A migration that was confirmed while its daemon was online; the daemon is offline since. */
	async function confirmed(): Promise<string> {
		const id = await drafted();
		expect((await migrations.confirm(id, author.name, null)).kind).toBe('confirmed');
		await net.control.fault('ALPHA', 'down');
		await migrations.advance(id);
		expect(await rowOf(id)).toMatchObject({
			state: 'burn-unknown',
			reason: { code: 'daemon.no-answer' }
		});
		return id;
	}

	/** Brings the daemon back and advances the migration. */
	async function back(id: string): Promise<MigrationRow> {
		await net.control.fault('ALPHA', 'none');
		await migrations.advance(id);
		return rowOf(id);
	}

	const isOut = async (id: string): Promise<boolean> =>
		(await burnsOf(net, 'ALPHA')).includes((await rowOf(id)).burn_txid ?? '');

	const losses: Readonly<Record<string, () => Promise<unknown>>> = {
		'the account': () => auth.members.disable(admin, author.id),
		'the role': () => auth.members.setRole(admin, author.id, 'viewer'),
		'the wallet': () => wallets.set(admin, author.id, { every: false, daemons: ['BETA'] })
	};

	test('goes out once the daemon is back', async () => {
		const id = await confirmed();
		expect((await back(id)).state).toBe('burn-pending');
		expect(await isOut(id)).toBe(true);
	});

	test.each(Object.entries(losses))(
		'stays here where who confirmed it lost %s, until a member takes it over within their limits',
		async (_what, lose) => {
			const id = await confirmed();
			await lose();
			const kept = { code: 'burn.kept', params: { actor: author.name, chain: 'ALPHA' } };
			expect(await back(id)).toMatchObject({ state: 'stuck', reason: kept });
			expect(await isOut(id)).toBe(false);
			// It is still watched, and stays as it is.
			await migrations.advance(id);
			expect(await rowOf(id)).toMatchObject({ state: 'stuck', reason: kept });

			const other = await member();
			const most = { count: null, amount: 1n };
			const limit = { account: other.id, chain: 'ALPHA', kind: 'migration', most } as const;
			await limits.set(admin, limit);
			await expect(migrations.retry(id, other.name)).rejects.toMatchObject({
				code: 'limit.amount-exceeded'
			});
			expect((await rowOf(id)).state).toBe('stuck');
			await limits.set(admin, { ...limit, most: { count: null, amount: null } });
			// The same burn leaves the wallet once, whichever member it counts for: the window must not count
			// it twice.
			const refs = await database.db.selectFrom('policy_uses').select('ref').distinct().execute();
			const window = { hours: 24, total: null, count: refs.length };
			await policies.change(null, { change: 'add', body: ruleOf({ window }) });
			expect(await migrations.retry(id, other.name)).toBe(true);
			await removeRules(policies);
			expect(await limits.used(other.id)).toMatchObject([{ kind: 'migration', count: 1n }]);
			expect((await back(id)).state).toBe('burn-pending');
			expect(await isOut(id)).toBe(true);
		}
	);

	/** A burn that was held back, and an open request by which a member may take it over. */
	async function asked(rule: Partial<RuleBody> = {}) {
		const id = await confirmed();
		await auth.members.disable(admin, author.id);
		expect((await back(id)).state).toBe('stuck');
		const [other, approver] = [await member(), await member()];
		const body = ruleOf({ ...rule, effect: approvedBy([approver]) });
		await policies.change(null, { change: 'add', body });
		const tried = migrations.retry(id, other.name);
		await expect(tried).rejects.toMatchObject({ code: 'policy.needs-approval' });
		return { id, other, approver, request: (await approvals.lastOf(id))! };
	}
	const session = (by: Account): Promise<string> => sessionHashOf(database, auth, by);
	const isRequested = async (id: string): Promise<string> => (await approvals.lastOf(id))!.state;

	test('asks others by a rule before a member takes it over, and goes on after their approval', async () => {
		const { id, other, approver, request } = await asked();
		expect(request).toMatchObject({ state: 'open', author: other.name, missing: 1 });
		await expect(migrations.retry(id, other.name)).rejects.toMatchObject({
			params: { request: request.id }
		});
		expect(await migrations.retryAll(other.name)).toMatchObject({ retried: 0, refused: [{ id }] });
		await migrations.retryApproved();
		expect((await rowOf(id)).state).toBe('stuck');
		const { hash } = (await approvals.get(request.id, approver))!;
		await approvals.approve(request.id, approver, hash, await session(approver));
		await migrations.retryApproved();
		expect((await rowOf(id)).state).toBe('burn-unknown');
		expect(await isRequested(id)).toBe('used');
		expect(await limits.used(other.id)).toMatchObject([{ kind: 'migration', count: 1n }]);
		await removeRules(policies);
		expect((await back(id)).state).toBe('burn-pending');
		expect(await isOut(id)).toBe(true);
	});

	const ends: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
		'is on its chain': async (id) => {
			const { hex } = (await migrations.get(id))!.steps.get('burn')!;
			return net.rpc('ALPHA', 'sendrawtransaction', hex);
		},
		'is over': async () => {
			await net.control.mine('ALPHA', 230);
			return net.control.notarize('ALPHA');
		},
		'was taken over without it': (id) => command(database.options, ['migration', 'retry', id])
	};

	test('ends the request of a member whom a limit stops before the burn is approved', async () => {
		const { id, other, approver, request } = await asked();
		const { hash } = (await approvals.get(request.id, approver))!;
		await approvals.approve(request.id, approver, hash, await session(approver));
		const most = { count: 0n, amount: null };
		await limits.set(null, { account: other.id, chain: 'ALPHA', kind: 'migration', most });
		await migrations.retryApproved();
		expect(await isRequested(id)).toBe('voided');
		expect((await rowOf(id)).state).toBe('stuck');
		await ends['is on its chain']!(id);
		await removeRules(policies);
		await back(id);
	});

	/** Ways in which what the burn takes, or whom it pays, is not known for a while: each returns how that ends. */
	const doubts: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
		'its daemon reads no call': async () => {
			await net.control.fault('ALPHA', 'work-queue-full', { method: 'getrawtransaction' });
			return () => net.control.fault('ALPHA', 'none');
		},
		'a reorganization took what it spends': async () => {
			isForgetful = true;
			return async () => (isForgetful = false);
		},
		'the daemon of the wallet that it pays is away': async () => {
			await policies.change(null, { change: 'add', body: ruleOf({}) });
			await net.control.fault('BETA', 'down');
			return () => net.control.fault('BETA', 'none');
		}
	};

	test.each(Object.entries(doubts))(
		'keeps its approvals while %s, and goes out on them after that',
		async (_what, begin) => {
			const { id, approver, request } = await asked({ recipient: { is: 'own' } });
			const { hash } = (await approvals.get(request.id, approver))!;
			await approvals.approve(request.id, approver, hash, await session(approver));
			refused.length = 0;
			const end = await begin();
			await migrations.retryApproved();
			expect(await approvals.get(request.id, approver)).toMatchObject({
				state: 'open',
				missing: 0
			});
			expect((await rowOf(id)).state).toBe('stuck');
			expect(refused).toEqual([]);
			await end();
			await gateway.probe();
			await migrations.retryApproved();
			expect(await isRequested(id)).toBe('used');
			await removeRules(policies);
			expect((await back(id)).state).toBe('burn-pending');
		}
	);

	test('ends no request of another member whom no limit stops', async () => {
		const { id, other, approver, request } = await asked();
		const second = await member();
		await expect(migrations.retry(id, second.name)).rejects.toMatchObject({
			code: 'policy.needs-approval'
		});
		const theirs = (await approvals.openOf(id, second))!;
		expect(theirs).toMatchObject({ author: second.name });
		const approve = async (asked: string): Promise<void> => {
			const { hash } = (await approvals.get(asked, approver))!;
			await approvals.approve(asked, approver, hash, await session(approver));
		};
		await approve(request.id);
		const most = { count: 0n, amount: null };
		await limits.set(null, { account: other.id, chain: 'ALPHA', kind: 'migration', most });
		await migrations.retryApproved();
		expect(await approvals.get(request.id, approver)).toMatchObject({ state: 'voided' });
		expect(await approvals.get(theirs.id, approver)).toMatchObject({ state: 'open' });
		await approve(theirs.id);
		await migrations.retryApproved();
		expect(await approvals.get(theirs.id, approver)).toMatchObject({ state: 'used' });
		await removeRules(policies);
		expect((await back(id)).state).toBe('burn-pending');
	});

	test.each(Object.entries(ends))(
		'leaves no request to take it over open once it %s',
		async (_what, end) => {
			const { id } = await asked();
			await end(id);
			await removeRules(policies);
			await back(id);
			await migrations.retryApproved();
			expect(await isRequested(id)).toBe('voided');
		}
	);

	test('goes out after all where the server’s own command line says so', async () => {
		const id = await confirmed();
		await auth.members.disable(admin, author.id);
		expect((await back(id)).state).toBe('stuck');
		expect((await command(database.options, ['migration', 'retry', id])).code).toBe(0);
		expect((await back(id)).state).toBe('burn-pending');
	});

	test('was out already: a reorganization does not take it back for a lost account', async () => {
		// Its inputs are in a block that is final.
		await net.control.mine('ALPHA');
		const id = await confirmed();
		expect((await back(id)).state).toBe('burn-pending');
		await auth.members.disable(admin, author.id);
		await net.control.mine('ALPHA');
		await net.control.reorg('ALPHA', 1, true, true);
		expect(await isOut(id)).toBe(false);
		expect((await back(id)).state).toBe('burn-pending');
		expect(await isOut(id)).toBe(true);
	});

	/** A migration whose import was approved while the daemon of its destination was away. */
	async function approvedImport(approver: Account): Promise<string> {
		amount += 1;
		const address = await addressOn(net, 'BETA');
		const wish = { address, amount: `0.0${amount}`, policy: 'ask' } as const;
		const id = await draftedBurn(migrations, wish, author.name);
		expect((await migrations.confirm(id, author.name, null)).kind).toBe('confirmed');
		expect(await carry(net, migrations, id)).toBe('needs-approval');
		await net.control.fault('BETA', 'down');
		expect(await migrations.approveStep(id, approver.name)).toBe('approved');
		await migrations.advance(id);
		expect((await rowOf(id)).state).toBe('import-unknown');
		return id;
	}

	async function importAfterReturn(id: string): Promise<{ state: string; imports: number }> {
		await net.control.fault('BETA', 'none');
		await migrations.advance(id);
		const { state, burn_txid: burn } = await rowOf(id);
		await round(net);
		return { state, imports: (await importsOf(net, 'BETA', burn ?? '')).length };
	}

	test('has its approved import sent once the destination is back', async () => {
		const id = await approvedImport(await member());
		expect(await importAfterReturn(id)).toEqual({ state: 'import-pending', imports: 1 });
	});

	test('waits for another approval of its import where the approver lost the role meanwhile', async () => {
		const approver = await member();
		const id = await approvedImport(approver);
		await auth.members.setRole(admin, approver.id, 'viewer');
		expect(await importAfterReturn(id)).toEqual({ state: 'needs-approval', imports: 0 });
		const other = await member();
		expect(await migrations.approveStep(id, other.name)).toBe('approved');
		expect(await importAfterReturn(id)).toEqual({ state: 'import-pending', imports: 1 });
	});

	test('is over when no block can take it any more, and nobody is asked to go on with it', async () => {
		const id = await confirmed();
		await auth.members.disable(admin, author.id);
		expect((await back(id)).state).toBe('stuck');
		await net.control.mine('ALPHA', 230);
		await net.control.notarize('ALPHA');
		expect(await back(id)).toMatchObject({
			state: 'stuck',
			due_at: null,
			reason: { code: 'burn.outlived', params: { chain: 'ALPHA' } }
		});
		// Its outputs are free again, for a migration that does the same.
		const spent = parseTransaction((await migrations.get(id))!.steps.get('burn')!.hex!).vin;
		const held = await locks.locked(database.db, 'ALPHA', Date.now());
		expect(spent.map(nameOfUtxo).filter((name) => held.has(name))).toEqual([]);
		// A migration that stopped for another reason, or an unknown one, keeps its outputs.
		const row = database.db.updateTable('migrations').where('id', '=', id);
		const { reason } = await database.db
			.selectFrom('migrations')
			.select('reason')
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		for (const other of [null, 'It stopped.', '{"code":"burn.kept","params":{}}']) {
			await row.set({ reason: other }).execute();
			const still = await locks.locked(database.db, 'ALPHA', Date.now());
			expect(spent.map(nameOfUtxo).filter((name) => !still.has(name))).toEqual([]);
		}
		await row.set({ reason }).execute();
		const reviewer = await member();
		expect(await migrations.retryAll(reviewer.name)).toEqual({ retried: 0, refused: [] });
		const all = await command(database.options, ['migration', 'retry', 'all']);
		expect(all.out).toContain('Migrations retried: 0.');
		expect((await rowOf(id)).due_at).toBeNull();

		// Once another draft has the outputs, the burn is not sent again.
		await drafted(reviewer);
		await expect(migrations.retry(id, reviewer.name)).rejects.toMatchObject({
			code: 'utxos.locked'
		});
		expect(await isOut(id)).toBe(false);
	});
});
