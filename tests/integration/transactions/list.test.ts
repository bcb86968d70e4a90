import { expect, test } from 'vitest';
import { locks } from '#lib/server/locks.ts';
import { createTransactionList, STATUSES } from '#lib/server/wallet/transactions/list.ts';
import { createStore, REVIEW_MS, type NewSend } from '#lib/server/wallet/transactions/store.ts';
import { readableIds, type Reader } from '#lib/server/wallet/transactions/readers.ts';
import { createSender } from '#lib/server/wallet/transactions/sender.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { previousRequest } from '../../../src/routes/chains/[chain]/token/[tokenid]/movable.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { noApprovals, permissiveRights } from '../../support/permissive.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

const ADMIN: Reader = { name: 'root', role: 'admin', wallets: { every: false, daemons: [] } };

const built = (chain: string, createdBy: string, n: number): NewSend => ({
	kind: 'split',
	chain,
	daemon: chain,
	pubkey: '02'.repeat(33),
	txid: String(n).padStart(64, '0'),
	hex: '00',
	request: { kind: 'split', parts: 2, amount: 1n, each: 1n } as NewSend['request'],
	review: { inputs: [], outputs: [], cost: 1n, fee: 1n, size: 1, payloadBytes: 0 } as never,
	warnings: [],
	createdBy
});

describeOnBothDatabases('the list of the team’s transactions', (database) => {
	const read = async (
		filter: Record<string, string>,
		more: { cursor?: string } = {},
		reader: Reader = ADMIN
	) =>
		createTransactionList(NOW, reader).read(database.db, {
			filter: createTransactionList(NOW, reader).filter.parse(filter),
			sort: '-created',
			limit: 2,
			...more
		});

	test('is narrowed by chain, member and the state that people are told, and pages meet without a gap', async () => {
		const store = createStore(database.db, locks);
		const old = NOW - REVIEW_MS;
		await store.add(built('ALPHA', 'ada', 1), old - 3);
		await store.add(built('ALPHA', 'olga', 2), NOW - 2);
		const first = await store.add(built('BETA', 'ada', 3), old - 1, built('BETA', 'ada', 4));
		await store.move(first, ['reviewed'], { state: 'broadcast' });

		const states = async (filter: Record<string, string>) =>
			(await read(filter)).rows.map(({ send, status }) => [Number(send.txid), status]);
		expect(await states({ chain: 'ALPHA' })).toEqual([
			[2, 'reviewed'],
			[1, 'discarded']
		]);
		expect(await states({ by: 'olga' })).toEqual([[2, 'reviewed']]);
		expect(await states({ state: 'reviewed' })).toEqual([[2, 'reviewed']]);
		expect(await states({ state: 'discarded' })).toEqual([[1, 'discarded']]);
		expect(await states({ state: 'broadcast' })).toEqual([[3, 'broadcast']]);
		expect(await states({ state: 'next' })).toEqual([[4, 'next']]);
		const third = await store.add(built('BETA', 'ada', 5), NOW - 1, built('BETA', 'ada', 6));
		await store.move(third, ['reviewed'], { state: 'needs-approval' });
		expect((await states({ state: 'needs-approval' })).toSorted()).toEqual([
			[5, 'needs-approval'],
			[6, 'needs-approval']
		]);
		expect(await states({ state: 'next' })).toEqual([[4, 'next']]);
		const total = async (): Promise<number> => {
			let found = 0;
			for (const state of STATUSES) found += (await read({ state })).rows.length;
			return found;
		};
		expect(await total()).toBe(6);
		await store.move(first, ['broadcast'], { state: 'rejected', finalAt: NOW - 1 });
		expect(await states({ state: 'next' })).toEqual([]);
		expect((await states({ state: 'discarded' })).toSorted()).toEqual([
			[1, 'discarded'],
			[4, 'discarded']
		]);
		expect(await total()).toBe(6);

		const one = await read({});
		const two = await read({}, { cursor: one.next! });
		const three = await read({}, { cursor: two.next! });
		expect(three.next).toBeNull();
		const all = [one, two, three].flatMap(({ rows }) => rows);
		expect(all.map(({ send }) => Number(send.txid)).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
	});

	test('holds for a member what their wallets, their own hands and those of others made theirs, and no more', async () => {
		const { db } = database;
		await db.deleteFrom('transactions').execute();
		const store = createStore(db, locks);
		const alpha = await store.add(built('ALPHA', 'ada', 11), NOW - 3);
		const beta = await store.add(built('BETA', 'ada', 12), NOW - 2);
		const readable = async (name: string, ...daemons: string[]): Promise<number[]> => {
			const reader: Reader = { name, role: 'operator', wallets: { every: false, daemons } };
			const listed = (await read({}, {}, reader)).rows.map(({ send }) => send.id);
			for (const id of [alpha, beta]) {
				expect((await readableIds(db, reader, 'review', [id])).has(id)).toBe(listed.includes(id));
			}
			return listed.map((id) => (id === alpha ? 11 : 12)).toSorted();
		};
		expect(await readable('ada')).toEqual([11, 12]);
		expect(await readable('olga')).toEqual([]);
		expect(await readable('olga', 'BETA')).toEqual([12]);
		expect([...(await readableIds(db, ADMIN, 'review', [alpha]))]).toEqual([alpha]);
		await db
			.insertInto('assignments')
			.values({ kind: 'review', item: alpha, holder: 'olga', at: NOW })
			.execute();
		expect(await readable('olga', 'BETA')).toEqual([11, 12]);
	});

	test('holds both of a pair for the member in whose hands it was put', async () => {
		const { db } = database;
		await db.deleteFrom('transactions').execute();
		const pair = [built('ALPHA', 'ada', 21), built('ALPHA', 'ada', 22)] as const;
		const item = await createStore(db, locks).add(pair[0], NOW - 1, pair[1]);
		await db
			.insertInto('assignments')
			.values({ kind: 'review', item, holder: 'olga', at: NOW })
			.execute();
		const olga: Reader = {
			name: 'olga',
			role: 'operator',
			wallets: { every: false, daemons: [] }
		};
		expect((await read({}, {}, olga)).rows).toHaveLength(2);
	});

	test('gives a form that is filled in once more nothing that a member may not read', async () => {
		const { db } = database;
		const { audit } = await authOver(database);
		const wallets = createWallets(db, audit);
		const gateway = gatewayBefore();
		const rights = permissiveRights(gateway);
		const sender = createSender({ locks, db, gateway, audit, rights, approvals: noApprovals });
		const tokenid = 'ab'.repeat(32);
		const id = await createStore(db, locks).add(
			{
				...built('ALPHA', 'ada', 21),
				kind: 'token-transfer',
				request: { kind: 'token-transfer', tokenid, recipient: '02'.repeat(33), units: 7n }
			},
			NOW
		);
		const account = await addPerson(database, 'operator');
		const app = { db, wallets, sender, approvals: noApprovals };
		const locals = { app, account, identity: { account, role: account.role, via: 'session' } };
		const asked = () =>
			previousRequest(locals as unknown as App.Locals, id, 'token-transfer', tokenid);
		await wallets.set(null, account.id, { every: false, daemons: ['BETA'] });
		expect(await asked()).toBeNull();
		await wallets.set(null, account.id, { every: false, daemons: ['ALPHA'] });
		expect(await asked()).toMatchObject({ amount: '7' });
		await gateway.close();
	});
});
