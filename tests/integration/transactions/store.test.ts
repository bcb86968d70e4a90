import { expect, test } from 'vitest';
import { locks } from '#lib/server/locks.ts';
import type { Review } from '#lib/server/wallet/transactions/verifyTransaction.ts';
import { createStore, REVIEW_MS, type NewSend } from '#lib/server/wallet/transactions/store.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { creation } from './support.ts';

const NOW = 1_800_000_000_000;
const MOST = 2n ** 63n - 1n;
let count = 0;

/** A review that spends these outputs of one parent, in the given order. */
function reviewOf(outputs: readonly number[], more: Partial<NewSend> = {}): NewSend {
	count += 1;
	const txid = count.toString(16).padStart(64, '0');
	const review: Review = {
		txid,
		size: 300,
		inputs: outputs.map((vout) => ({
			txid: 'ab'.repeat(32),
			vout,
			value: MOST,
			address: null,
			meaning: { code: 'input.coins', params: {} }
		})),
		outputs: [],
		fee: 10_000n,
		cost: MOST,
		payloadBytes: 80
	};
	return {
		kind: 'token-create',
		chain: 'ALPHA',
		daemon: 'ALPHA',
		pubkey: `02${'11'.repeat(32)}`,
		txid,
		hex: '00',
		request: creation({ supply: MOST, description: '{"$bigint":"1"}' }),
		review,
		warnings: [{ code: 'recipient.own', params: {} }],
		createdBy: 'ada',
		...more
	};
}

describeOnBothDatabases('stored reviews', (database) => {
	test('come back with every satoshi and every letter', async () => {
		const store = createStore(database.db, locks);
		const send = reviewOf([0]);
		const id = await store.add(send, NOW);
		expect(await store.get(id)).toEqual({
			...send,
			id,
			state: 'reviewed',
			rejection: null,
			createdAt: NOW,
			expiresAt: NOW + REVIEW_MS,
			broadcastAt: null,
			settledAt: null,
			height: null,
			takenAt: null,
			finalAt: null,
			spentSince: null,
			follows: null
		});
		await store.release(id);
	});

	test('keep outputs of one chain only, until their time is over or they are let go', async () => {
		const store = createStore(database.db, locks);
		const first = await store.add(reviewOf([1, 2]), NOW);
		await expect(store.add(reviewOf([2, 3]), NOW)).rejects.toMatchObject({
			code: 'utxos.locked',
			// The refusal names the draft that holds the lock.
			params: { holder: { kind: 'send', id: first } }
		});
		// The refused draft locked none of the free outputs.
		const third = await store.add(reviewOf([3]), NOW);
		const beta = await store.add(reviewOf([1, 2], { chain: 'BETA' }), NOW);
		await expect(store.add(reviewOf([1]), NOW + REVIEW_MS - 1)).rejects.toMatchObject({
			code: 'utxos.locked'
		});
		await store.release(first);
		const again = await store.add(reviewOf([1, 2]), NOW + 1);
		const late = await store.add(reviewOf([1, 2]), NOW + 1 + REVIEW_MS);
		for (const id of [third, beta, again, late]) await store.release(id);
	});

	test('keep outputs no longer than until their block is final, also when nobody let them go', async () => {
		const store = createStore(database.db, locks);
		const id = await store.add(reviewOf([40]), NOW);
		const held = async () =>
			(await store.heldUtxos('ALPHA', NOW + REVIEW_MS)).map(({ vout }) => vout);
		await store.move(id, ['reviewed'], { state: 'confirmed', height: 7 });
		expect(await held()).toContain(40);
		await store.move(id, ['confirmed'], { state: 'confirmed', finalAt: NOW });
		expect(await held()).not.toContain(40);
		await store.release(await store.add(reviewOf([40]), NOW));
	});

	test('that want the same outputs in another order never block each other', async () => {
		const store = createStore(database.db, locks);
		const other = createStore(await database.openAnother(), locks);
		const outputs = Array.from({ length: 30 }, (_, vout) => vout);
		for (let round = 0; round < 10; round++) {
			const both = await Promise.allSettled([
				store.add(reviewOf(outputs), NOW),
				other.add(reviewOf([...outputs].reverse()), NOW)
			]);
			const kept = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
			const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
			expect(refused).toEqual([expect.objectContaining({ code: 'utxos.locked' })]);
			expect(kept).toHaveLength(1);
			await store.release(kept[0]!);
		}
	});

	test('move for one caller only', async () => {
		const store = createStore(database.db, locks);
		const other = createStore(await database.openAnother(), locks);
		const id = await store.add(reviewOf([50]), NOW);
		const moved = await Promise.all(
			Array.from({ length: 10 }, (_, i) =>
				(i % 2 ? store : other).move(id, ['reviewed'], {
					state: 'broadcasting',
					broadcastAt: NOW + i
				})
			)
		);
		expect(moved.filter(Boolean)).toHaveLength(1);
		expect(await store.move('nobody', ['reviewed'], { state: 'broadcasting' })).toBe(false);
	});

	test('are listed newest first, by chain, kind and state', async () => {
		const store = createStore(database.db, locks);
		const chain = 'LISTED';
		const ids: string[] = [];
		for (let n = 0; n < 4; n++) {
			const kind = n % 2 ? 'token-burn' : 'token-create';
			ids.push(await store.add(reviewOf([n], { chain, kind }), NOW + n));
		}
		await store.move(ids[3]!, ['reviewed'], { state: 'broadcast' });
		const listed = async (filter: Parameters<typeof store.list>[0]) =>
			(await store.list({ chain, ...filter })).map(({ id }) => ids.indexOf(id));
		expect(await listed({})).toEqual([3, 2, 1, 0]);
		expect(await listed({ limit: 2 })).toEqual([3, 2]);
		expect(await listed({ kind: 'token-burn' })).toEqual([3, 1]);
		expect(await listed({ states: ['broadcast', 'confirmed'] })).toEqual([3]);
		expect(await listed({ states: [] })).toEqual([]);
	});
});
