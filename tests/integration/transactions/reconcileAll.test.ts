import { describe, expect, test } from 'vitest';
import { formatCoins } from '#lib/chain/amount.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { parseTransaction, serializeTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { Stoppable } from '#lib/rpc/method.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { locks } from '#lib/server/locks.ts';
import { createStore } from '#lib/server/wallet/transactions/store.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { neverAway } from '../../support/daemons.ts';
import {
	auditOf,
	creation,
	made,
	reviewed,
	senderOver,
	transfer,
	unitsOf,
	sharedSender
} from './support.ts';

describeOnBothDatabases('the round over all sent transactions', (database) => {
	const { net, proxy, gateway, sender } = sharedSender(database);

	async function sent(name: string): Promise<string> {
		const id = await sender.createToken('ALPHA', creation({ name }), 'ada');
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		return id;
	}
	const stateOf = async (id: string) => {
		const { state, height } = await reviewed(sender, id);
		return { state, height };
	};

	test('notices a block that was taken back, while nobody looks', async () => {
		const id = await sent('BACK');
		const { height } = await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'confirmed', height });
		// The new branch starts a block earlier and includes the transaction in its first block.
		await net.control.reorg('ALPHA', 2);
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'confirmed', height: height - 1 });
	});

	test('sends the same bytes again when a reorganization leaves them nowhere', async () => {
		const id = await sent('LOST');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toMatchObject({ state: 'confirmed' });
		const { txid, hex } = await reviewed(sender, id);
		await net.control.reorg('ALPHA', 2, true, true);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'broadcast', height: null });
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([txid]);
		expect(await net.rpc('ALPHA', 'getrawtransaction', txid)).toBe(hex);
		const { height } = await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'confirmed', height });
	});

	test('sends and records nothing again while a safety control is on, however many blocks come', async () => {
		const controls = createSafetyControls(database.db, auditOf(database));
		const refusal = (method: Stoppable) => controls.refusal(method);
		const { daemons } = loadConfig({ KOMODO_HOME: net.dir, KOMODECK_DATA: database.dataDir });
		const stopped = createGateway({ daemons }, { pollEvery: null, refusal, limits: neverAway });
		const held = senderOver(database, stopped);
		const id = await sent('HELD');
		const { txid } = await reviewed(sender, id);
		await net.control.mine('ALPHA');
		await held.reconcileAll();
		await net.control.reorg('ALPHA', 2, true, true);
		await controls.turnOn('freeze', 'Looking at it.', 'ada');
		const events = async () =>
			(await auditOf(database).list({ limit: 50 })).filter(({ target }) => target === txid).length;
		const before = await events();
		for (let round = 0; round < 3; round++) {
			await held.reconcileAll();
			expect(await stateOf(id)).toMatchObject({ state: 'unknown' });
			await net.control.mine('ALPHA');
		}
		expect(await events()).toBe(before);
		await held.reconcileAll();
		await controls.turnOff('freeze', null);
		// Without a new block.
		await held.reconcileAll();
		expect(await stateOf(id)).toMatchObject({ state: 'broadcast' });
		expect(await events()).toBe(before + 1);
		await stopped.close();
	});

	test('takes nothing for lost while the daemon reads its chain anew', async () => {
		const id = await sent('ANEW');
		const { height } = await net.control.mine('ALPHA');
		await sender.reconcileAll();
		const sends = proxy.count('sendrawtransaction');
		const unknown =
			'{"result":null,"error":{"code":-5,"message":"No information available about transaction"},"id":null}';
		proxy.rewrite = (method, body) =>
			method === 'getrawtransaction'
				? unknown
				: method === 'getinfo'
					? body.replace(/"blocks":\d+/, '"blocks":7')
					: method === 'getblockchaininfo'
						? body.replace(/"bestblockhash":"[0-9a-f]{64}"/, `"bestblockhash":"${'07'.repeat(32)}"`)
						: body;
		await sender.reconcileAll();
		proxy.rewrite = null;
		expect(await stateOf(id)).toEqual({ state: 'confirmed', height });
		expect(proxy.count('sendrawtransaction')).toBe(sends);
	});

	test('sends what spends another one again after that one', async () => {
		const token = await made(net, sender, { name: 'CHAIN', supply: 50n });
		const bob = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`;
		const ids: string[] = [];
		for (let n = 1n; n <= 6n; n++) {
			const id = await sender.moveToken('ALPHA', transfer(token, bob, n), 'ada');
			expect(await sender.send(id, 'ada')).toBe('broadcast');
			await net.control.mine('ALPHA');
			ids.push(id);
		}
		await sender.reconcileAll();
		await net.control.reorg('ALPHA', ids.length, true, true);
		await sender.reconcileAll();
		const states = await Promise.all(ids.map(async (id) => (await reviewed(sender, id)).state));
		expect(states).toEqual(ids.map(() => 'broadcast'));
		await net.control.mine('ALPHA');
		expect(await unitsOf(net, token, bob)).toBe(21);
	});

	/** A transaction whose parent was made outside Komodeck, so that Komodeck cannot send the parent again. */
	async function paidFromOutside(): Promise<{ id: string; parent: string }> {
		const { address } = await net.rpc<{ address: string }>('ALPHA', 'setpubkey');
		const txid = await net.rpc<string>('ALPHA', 'sendtoaddress', address, 7);
		const parent = await net.rpc<string>('ALPHA', 'getrawtransaction', txid);
		await net.control.mine('ALPHA');
		const { vout } = await net.rpc<{ vout: { n: number; value: number }[] }>(
			'ALPHA',
			'getrawtransaction',
			txid,
			1
		);
		const at = vout.find(({ value }) => value === 7)!.n;
		const id = await sender.sendCoins(
			{ chain: 'ALPHA', daemon: 'ALPHA' },
			{
				payments: [{ address: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', amount: 100_000_000n }],
				utxos: [`${txid}:${at}`],
				rate: 10_000n
			},
			'ada'
		);
		expect(await sender.send(id, 'ada')).toBe('broadcast');
		return { id, parent };
	}

	test('waits for what a lost one spends, and calls it rejected by nobody', async () => {
		const { id, parent } = await paidFromOutside();
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toMatchObject({ state: 'confirmed' });
		const { broadcastAt } = await reviewed(sender, id);
		await net.control.reorg('ALPHA', 3, true, true);
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'unknown', height: null });
		// Nor when a member presses the button.
		expect(await sender.send(id, 'ada')).toBe('unknown');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'unknown', height: null });
		expect((await reviewed(sender, id)).broadcastAt).toBe(broadcastAt);
		expect(await sender.heldUtxos('ALPHA')).toContainEqual(
			expect.objectContaining({ holder: { kind: 'send', id } })
		);
		await net.rpc('ALPHA', 'sendrawtransaction', parent);
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'broadcast', height: null });
		const { height } = await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'confirmed', height });
	});

	test('calls nothing that waits rejected while the daemon reads its chain anew', async () => {
		const id = await sent('WAITS');
		const { broadcastAt } = await reviewed(sender, id);
		const unknown =
			'{"result":null,"error":{"code":-5,"message":"No information available about transaction"},"id":null}';
		proxy.rewrite = (method, body) =>
			method === 'getrawtransaction' || method === 'gettransaction'
				? unknown
				: method === 'sendrawtransaction'
					? '{"result":null,"error":{"code":-25,"message":"Missing inputs"},"id":null}'
					: method === 'gettxout'
						? '{"result":null,"error":null,"id":null}'
						: body;
		await sender.reconcileAll();
		proxy.rewrite = null;
		expect(await stateOf(id)).toEqual({ state: 'unknown', height: null });
		expect((await reviewed(sender, id)).broadcastAt).toBe(broadcastAt);
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'broadcast', height: null });
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
	});

	test('sends a lost one that is only too early again with the next block', async () => {
		const id = await sent('EARLY');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		await net.control.reorg('ALPHA', 2, true, true);
		proxy.rewrite = (method, body) =>
			method === 'sendrawtransaction'
				? '{"result":null,"error":{"code":-26,"message":"16: bad-txns-premature-spend-of-coinbase"},"id":null}'
				: method === 'getrawtransaction'
					? '{"result":null,"error":{"code":-5,"message":"No information available about transaction"},"id":null}'
					: body;
		await sender.reconcileAll();
		proxy.rewrite = null;
		expect(await stateOf(id)).toEqual({ state: 'unknown', height: null });
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(['broadcast', 'confirmed']).toContain((await stateOf(id)).state);
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toMatchObject({ state: 'confirmed' });
	});

	test('sends a lost one again once a block, also while the daemon gives no answer about another one', async () => {
		const id = await sent('ONCE');
		const other = await sent('UNREADABLE');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		await net.control.reorg('ALPHA', 2, true, true);
		await net.rpc('ALPHA', 'sendrawtransaction', (await reviewed(sender, other)).hex);
		const { txid } = await reviewed(sender, other);
		proxy.rewrite = (method, body) =>
			method === 'getrawtransaction' && body.includes(txid) ? '<html>' : body;
		// The daemon drops sent transactions.
		await net.control.fault('ALPHA', 'drop', { method: 'sendrawtransaction', phase: 'before' });
		const sends = proxy.count('sendrawtransaction');
		// The other one may be looked up first, and end a round.
		for (let round = 0; round < 4; round++) await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'unknown', height: null });
		expect(proxy.count('sendrawtransaction')).toBe(sends + 1);
		await net.control.mine('ALPHA');
		for (let round = 0; round < 4; round++) await sender.reconcileAll();
		expect(proxy.count('sendrawtransaction')).toBe(sends + 2);
		proxy.rewrite = null;
		await net.control.fault('ALPHA', 'none');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toMatchObject({ state: 'confirmed' });
	});

	test('sends a lost one again when what was in its way in the mempool is gone, and keeps its UTXOs for it', async () => {
		const id = await sent('RIVALLED');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		await net.control.reorg('ALPHA', 1, true, true);
		const { inputs } = (await reviewed(sender, id)).review;
		const { address } = await net.rpc<{ address: string }>('ALPHA', 'setpubkey');
		const total = inputs.reduce((sum, { value }) => sum + value, 0n);
		const unsigned = await net.rpc<string>(
			'ALPHA',
			'createrawtransaction',
			inputs.map(({ txid, vout }) => ({ txid, vout })),
			{ [address]: formatCoins(total - 10_000n) }
		);
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', unsigned);
		const rival = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
		const sends = proxy.count('sendrawtransaction');
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'unknown', height: null });
		// It is not sent and recorded in vain with each attempt of a member or a batch transfer.
		expect(await sender.send(id, 'ada')).toBe('unknown');
		expect(proxy.count('sendrawtransaction')).toBe(sends);
		expect((await sender.heldUtxos('ALPHA')).some(({ holder }) => holder.id === id)).toBe(true);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([rival]);
		await net.control.mine('ALPHA');
		// A branch without the rival transaction, which the mempool has forgotten.
		await net.control.reorg('ALPHA', 1, true, true);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		await sender.reconcileAll();
		expect(await stateOf(id)).toEqual({ state: 'broadcast', height: null });
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(id)).toMatchObject({ state: 'confirmed' });
	});

	test('gives up what waits for something that never comes, once its time is over', async () => {
		const { id } = await paidFromOutside();
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		await net.control.reorg('ALPHA', 3, true, true);
		await sender.reconcileAll();
		expect(await stateOf(id)).toMatchObject({ state: 'unknown' });
		await net.control.mine('ALPHA', 220);
		await net.control.notarize('ALPHA');
		await net.control.mine('ALPHA', 10);
		await sender.reconcileAll();
		const given = await reviewed(sender, id);
		expect(given).toMatchObject({
			state: 'rejected',
			rejection: { code: 'never.confirmed', params: { why: 'expired' } }
		});
		expect(given.finalAt).not.toBeNull();
	});

	test('asks for mined ones only under a new tip, and not once they are final', async () => {
		const id = await sent('DEEP');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect((await reviewed(sender, id)).finalAt).toBeNull();
		const asked = async (): Promise<number> => {
			const before = proxy.count('getrawtransaction');
			await sender.reconcileAll();
			return proxy.count('getrawtransaction') - before;
		};
		expect(await asked()).toBe(0);
		await net.control.mine('ALPHA');
		expect(await asked()).toBeGreaterThan(0);
		await net.control.mine('ALPHA', 10);
		// The chain is notarized occasionally, so depth alone is not enough.
		expect(await asked()).toBeGreaterThan(0);
		expect((await reviewed(sender, id)).finalAt).toBeNull();
		await net.control.notarize('ALPHA');
		await net.control.mine('KMD');
		await net.control.notarize('ALPHA');
		await net.control.mine('KMD');
		await net.control.mine('ALPHA', 2);
		expect(await asked()).toBeGreaterThan(0);
		expect((await reviewed(sender, id)).finalAt).not.toBeNull();
		expect(
			await database.db
				.selectFrom('locked_utxos')
				.select('holder')
				.where('holder', '=', id)
				.execute()
		).toEqual([]);
		await net.control.mine('ALPHA');
		expect(await asked()).toBe(0);
	});

	test('by the rule of the chain, where one is configured', async () => {
		const quick = senderOver(database, gateway, {
			finality: new Map([['ALPHA', { confirmations: 2, notarization: 'none' }]])
		});
		const id = await sent('QUICK');
		await net.control.mine('ALPHA');
		await quick.reconcileAll();
		expect((await reviewed(sender, id)).finalAt).toBeNull();
		await net.control.mine('ALPHA');
		await quick.reconcileAll();
		expect((await reviewed(sender, id)).finalAt).not.toBeNull();
	});

	test('finds out by itself that nothing can come of one that got no answer', async () => {
		const id = await sender.createToken('ALPHA', creation({ name: 'UNHEARD' }), 'ada');
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'RIVAL', '0.00001');
		await database.db
			.updateTable('transactions')
			.set({ state: 'unknown', broadcast_at: BigInt(Date.now()) })
			.where('id', '=', id)
			.execute();
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		// The block with the rival transaction may still be reorganized.
		expect((await reviewed(sender, id)).state).toBe('unknown');
		await net.control.mine('ALPHA', 10);
		for (let n = 0; n < 2; n++) {
			await net.control.notarize('ALPHA');
			await net.control.mine('KMD');
		}
		await net.control.mine('ALPHA', 2);
		await sender.reconcileAll();
		const { state, rejection, finalAt } = await reviewed(sender, id);
		expect({ state, rejection }).toEqual({
			state: 'rejected',
			rejection: { code: 'never.confirmed', params: { why: 'spent' } }
		});
		expect(finalAt).not.toBeNull();
		expect((await sender.heldUtxos('ALPHA')).some(({ holder }) => holder.id === id)).toBe(false);
	});

	describe('a refused one', () => {
		/** A transaction that was refused because a confirmed rival spends its coins. */
		async function refused(): Promise<string> {
			const id = await sender.createToken('ALPHA', creation({ name: 'REFUSED' }), 'ada');
			const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'RIVAL', '0.00001');
			await net.rpc('ALPHA', 'sendrawtransaction', hex);
			await net.control.mine('ALPHA');
			expect(await sender.send(id, 'ada')).toBe('rejected');
			expect((await reviewed(sender, id)).finalAt).toBeNull();
			return id;
		}

		test('is found when its bytes get there by another way', async () => {
			const id = await refused();
			await net.control.reorg('ALPHA', 2, true, true);
			await net.rpc('ALPHA', 'sendrawtransaction', (await reviewed(sender, id)).hex);
			await sender.reconcileAll();
			expect(await stateOf(id)).toEqual({ state: 'broadcast', height: null });
			const { height } = await net.control.mine('ALPHA');
			await sender.reconcileAll();
			expect(await stateOf(id)).toEqual({ state: 'confirmed', height });
		});

		test('whose bytes never expire is watched until something else spends its inputs', async () => {
			const id = await sender.createToken('ALPHA', creation({ name: 'ENDLESS' }), 'ada');
			const built = parseTransaction((await reviewed(sender, id)).hex);
			const vin = built.vin.map((input) => ({ ...input, scriptSig: new Uint8Array() }));
			const unsigned = bytesToHex(serializeTransaction({ ...built, vin, expiryHeight: 0 }));
			const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'signrawtransaction', unsigned);
			const txid = txidOf(parseTransaction(hex));
			await database.db
				.updateTable('transactions')
				.set({ hex, txid })
				.where('id', '=', id)
				.execute();
			const rival = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'RIVAL', '0.00001');
			await net.rpc('ALPHA', 'sendrawtransaction', rival.hex);
			expect(await sender.send(id, 'ada')).toBe('rejected');
			await net.control.mine('ALPHA');
			await sender.reconcileAll();
			await net.control.reorg('ALPHA', 1, true, true);
			await net.control.mine('ALPHA', 220);
			await sender.reconcileAll();
			expect(await reviewed(sender, id)).toMatchObject({ state: 'rejected', finalAt: null });
			await net.rpc('ALPHA', 'sendrawtransaction', hex);
			const { height } = await net.control.mine('ALPHA');
			await sender.reconcileAll();
			expect(await stateOf(id)).toEqual({ state: 'confirmed', height });
		});

		test('is refused for good only when the block that spends its coins is final', async () => {
			const id = await refused();
			await sender.reconcileAll();
			expect(await reviewed(sender, id)).toMatchObject({ state: 'rejected', finalAt: null });
			await net.control.mine('ALPHA', 10);
			for (let n = 0; n < 2; n++) {
				await net.control.notarize('ALPHA');
				await net.control.mine('KMD');
			}
			await net.control.mine('ALPHA', 2);
			await sender.reconcileAll();
			const { state, finalAt } = await reviewed(sender, id);
			expect(state).toBe('rejected');
			expect(finalAt).not.toBeNull();
			const calls = proxy.count('sendrawtransaction');
			expect(await sender.send(id, 'ada')).toBe('rejected');
			expect(proxy.count('sendrawtransaction')).toBe(calls);
		});
	});

	test('reaches the oldest of more than a hundred open ones, and asks a dead daemon once', async () => {
		const oldest = await sent('OLD');
		const { id: _id, ...row } = await reviewed(sender, oldest);
		const store = createStore(database.db, locks);
		for (let n = 0; n < 150; n++) {
			const txid = n.toString(16).padStart(64, 'f');
			const review = { ...row.review, txid, inputs: [] };
			const id = await store.add({ ...row, txid, review }, row.createdAt + 1 + n);
			await store.move(id, ['reviewed'], { state: 'broadcast' });
		}
		await net.control.mine('ALPHA');
		await net.control.fault('ALPHA', 'drop');
		const before = proxy.count('getrawtransaction');
		await sender.reconcileAll();
		expect(proxy.count('getrawtransaction')).toBe(before);
		expect((await stateOf(oldest)).state).toBe('broadcast');
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		await sender.reconcileAll();
		expect((await stateOf(oldest)).state).toBe('confirmed');
		expect(proxy.count('getrawtransaction')).toBe(before + 151);
	});

	test('calls one unknown whose server ended over it, also while its daemon is away', async () => {
		const id = await sender.createToken('ALPHA', creation({ name: 'KILLED' }), 'ada');
		const store = createStore(database.db, locks);
		const sending = (ago: number) =>
			store.move(id, ['reviewed', 'broadcasting'], {
				state: 'broadcasting',
				broadcastAt: Date.now() - ago
			});
		await net.control.fault('ALPHA', 'drop');
		await sending(60_000);
		await sender.reconcileAll();
		expect((await stateOf(id)).state).toBe('broadcasting');
		await sending(2 * 60_000);
		await sender.reconcileAll();
		expect((await stateOf(id)).state).toBe('unknown');
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		expect(await sender.send(id, 'ada')).toBe('broadcast');
	});

	test('one that gets no answer keeps no other one from being looked at and sent again', async () => {
		await database.db.deleteFrom('transactions').execute();
		const mute = await sent('MUTE');
		await net.control.mine('ALPHA');
		await net.control.mine('ALPHA');
		const lost = await sent('OTHER');
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		expect(await stateOf(lost)).toMatchObject({ state: 'confirmed' });
		await net.control.reorg('ALPHA', 2, true, true);
		expect(await net.rpc('ALPHA', 'getrawmempool')).toEqual([]);
		// It would be looked up before the other one, each time.
		await database.db
			.updateTable('transactions')
			.set({ checked_round: 0n })
			.where('id', '=', mute)
			.execute();
		const { hex } = await reviewed(sender, mute);
		const sends = proxy.count('sendrawtransaction');
		proxy.rewrite = (_method, body) => {
			if (body.includes(hex)) throw new Error('no answer');
			return body;
		};
		const round = async (): Promise<string> => {
			await sender.reconcileAll();
			await gateway.probe();
			return (await stateOf(lost)).state;
		};
		// Only a few lookups: on a busy machine other calls time out as well.
		await expect.poll(round, { timeout: 10_000 }).toBe('broadcast');
		proxy.rewrite = null;
		expect(proxy.count('sendrawtransaction')).toBe(sends + 1);
		expect((await stateOf(mute)).state).toBe('confirmed');
	});
});
