import { rejections } from '#lib/messages/transactions/rejections.ts';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { locks } from '#lib/server/locks.ts';
import type { Sender } from '#lib/server/wallet/transactions/sender.ts';
import { createStore, REVIEW_MS, type Send } from '#lib/server/wallet/transactions/store.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { heldResult } from '../../support/heldResult.ts';
import {
	auditOf,
	between,
	creation,
	gatewayTo,
	made,
	refusal,
	reviewed,
	senderOver,
	transfer,
	unitsOf
} from './support.ts';
import { shared } from '../../support/shared.ts';

const MINUTE = 60_000;

describeOnBothDatabases('a reviewed transaction goes out once', (database) => {
	let sender: Sender;
	let now: number;
	let id: string;
	let calls: number;
	const net = shared(() => startDevnet());
	const proxy = shared(() => between(net, 'ALPHA'));
	const gateway = shared(() => gatewayTo(net, database, { ALPHA: { url: proxy.url } }));
	beforeAll(() => {
		now = Date.now();
		sender = senderOver(database, gateway, { clock: () => now });
	});
	beforeEach(async () => {
		id = await create();
		calls = proxy.count('sendrawtransaction');
	});
	afterEach(async () => {
		proxy.rewrite = null;
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		await net.control.mine('ALPHA');
		await sender.reconcileAll();
		await sender.discard(id, 'ada');
	});

	const create = (name = 'ONCE'): Promise<string> =>
		sender.createToken('ALPHA', creation({ name }), 'ada');
	const press = (): Promise<string> => sender.send(id, 'ada');
	const row = (): Promise<Send> => reviewed(sender, id);
	const sends = (): number => proxy.count('sendrawtransaction') - calls;
	const waiting = (): Promise<string[]> => net.rpc('ALPHA', 'getrawmempool');
	/** Breaks the connection behind the daemon: it acts, and its response is lost. */
	const loseAnswers = (...methods: string[]): void => {
		proxy.rewrite = (method, body) => {
			if (methods.includes(method)) throw new Error('the answer is lost');
			return body;
		};
	};

	test('not while a draft has its coins that a server with a clock ahead of this one built', async () => {
		const ahead = senderOver(database, gateway, { clock: () => now + REVIEW_MS + MINUTE });
		const other = await ahead.consolidate('ALPHA', 'bob');
		expect(await refusal(net, press())).toMatchObject({ code: 'utxos.locked' });
		expect(sends()).toBe(0);
		expect((await row()).state).toBe('reviewed');
		await ahead.discard(other, 'bob');
		expect(await press()).toBe('broadcast');
		expect((await sender.heldUtxos('ALPHA')).some(({ holder }) => holder.id === id)).toBe(true);
	});

	test('however often and from wherever the button is pressed', async () => {
		const elsewhere = senderOver({ ...database, db: await database.openAnother() }, gateway, {
			clock: () => now
		});
		const pressed = await Promise.all(
			Array.from({ length: 8 }, (_, i) => (i % 2 ? sender : elsewhere).send(id, 'ada'))
		);
		expect(pressed.every((state) => state === 'broadcast' || state === 'broadcasting')).toBe(true);
		expect(pressed).toContain('broadcast');
		expect(await press()).toBe('broadcast');
		expect(sends()).toBe(1);
		expect(await waiting()).toEqual([(await row()).txid]);
	});

	test('also when something in between says that it failed, after the daemon took it', async () => {
		proxy.rewrite = (method, body) =>
			method === 'sendrawtransaction'
				? '{"result":null,"error":{"code":-32603,"message":"upstream timed out"},"id":null}'
				: body;
		expect(await press()).toBe('broadcast');
		expect(await waiting()).toEqual([(await row()).txid]);
		expect(sends()).toBe(1);
	});

	test('and an answer about another transaction does not settle it', async () => {
		loseAnswers('sendrawtransaction');
		const { rewrite } = proxy;
		proxy.rewrite = (method, body) =>
			method === 'getrawtransaction'
				? body.replaceAll(/"txid":"[0-9a-f]{64}"/g, `"txid":"${'ab'.repeat(32)}"`)
				: rewrite!(method, body);
		expect(await press()).toBe('unknown');
		proxy.rewrite = null;
		expect(await press()).toBe('broadcast');
		expect(sends()).toBe(1);
	});

	test('or not at all: a discarded review is gone', async () => {
		expect(await sender.discard(id, 'ada')).toBe(true);
		expect(await sender.discard(id, 'ada')).toBe(false);
		expect(await press()).toBe('discarded');
		expect(sends()).toBe(0);
	});

	test('and cannot be discarded once it is out', async () => {
		await press();
		expect(await sender.discard(id, 'ada')).toBe(false);
		expect((await row()).state).toBe('broadcast');
	});

	test('and cannot be discarded where its bytes were sent by other means', async () => {
		await net.rpc('ALPHA', 'sendrawtransaction', (await row()).hex);
		await net.control.fault('ALPHA', 'work-queue-full');
		await expect(sender.discard(id, 'ada')).rejects.toMatchObject({
			code: 'transaction.not-built',
			params: { certain: 'discard-unknown' }
		});
		expect((await row()).state).toBe('reviewed');
		await net.control.fault('ALPHA', 'none');
		expect(await sender.discard(id, 'ada')).toBe(false);
		expect((await row()).state).toBe('broadcast');
	});

	test('and is not discarded, nor its coins let go, by a daemon that has not read all blocks', async () => {
		const { txid, hex } = await row();
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		const tip = await net.rpc<number>('ALPHA', 'getblockcount');
		const unknown = '{"result":null,"error":{"code":-5,"message":"No information"},"id":null}';
		proxy.rewrite = (method, body) =>
			method === 'getrawtransaction' || method === 'gettransaction'
				? unknown
				: method === 'getinfo'
					? body
							.replace(/"blocks": ?\d+/, `"blocks":${tip - 5}`)
							.replace(/"tiptime": ?\d+/, '"tiptime":1600000000')
							.replace(/"longestchain": ?\d+/, `"longestchain":${tip}`)
					: body;
		const syncing = { code: 'daemon.syncing', params: { tip } };
		await expect(sender.discard(id, 'ada')).rejects.toMatchObject({
			code: 'transaction.not-built',
			params: { certain: 'discard-unknown', why: syncing }
		});
		await expect(sender.drop(await row())).rejects.toMatchObject(syncing);
		now += REVIEW_MS;
		await expect(press()).rejects.toMatchObject({ params: { why: syncing } });
		now -= REVIEW_MS;
		expect((await row()).state).toBe('reviewed');
		proxy.rewrite = null;
		expect(await sender.drop(await row())).toBe(false);
		expect(await row()).toMatchObject({ state: 'confirmed', txid });
	});

	test('and can be discarded when its daemon is configured no more', async () => {
		const none = gatewayBefore();
		expect(await senderOver(database, none).discard(id, 'ada')).toBe(true);
		await none.close();
	});

	test('sending and discarding at once ends in one of the two', async () => {
		const [state, discarded] = await Promise.all([press(), sender.discard(id, 'ada')]);
		expect(state).toBe(discarded ? 'discarded' : 'broadcast');
		expect(sends()).toBe(discarded ? 0 : 1);
	});

	test('an id that was never a review is gone', async () => {
		const error = await refusal(net, sender.send('00000000-0000-4000-8000-000000000000', 'ada'));
		expect(error.code).toBe('transaction.unknown');
	});

	test('two reviews never hold the same coins', async () => {
		const rows = await sender.list();
		const error = await refusal(net, create('SECOND'));
		expect(error.code).toBe('utxos.locked');
		expect(await sender.list()).toEqual(rows);
		await sender.discard(id, 'ada');
		id = await create('SECOND');
		expect(await press()).toBe('broadcast');
	});

	test('of two that are reviewed at the same moment one is told to wait', async () => {
		await sender.discard(id, 'ada');
		const both = await Promise.allSettled([create('LEFT'), create('RIGHT')]);
		const good = both.filter((one) => one.status === 'fulfilled');
		expect(good).toHaveLength(1);
		id = good[0]!.value;
		const bad = both.filter((one) => one.status === 'rejected');
		expect(bad[0]!.reason).toMatchObject({ code: 'utxos.locked' });
	});

	test('a review is good until its last millisecond', async () => {
		now += REVIEW_MS - 1;
		expect(await press()).toBe('broadcast');
	});

	test('a review that is too old is refused, and its coins are free', async () => {
		now += REVIEW_MS;
		const next = await create('NEXT');
		expect((await refusal(net, press())).code).toBe('transaction.review-expired');
		expect((await row()).state).toBe('discarded');
		expect(await press()).toBe('discarded');
		expect(sends()).toBe(0);
		// The new review still locks them.
		expect((await refusal(net, create('THIRD'))).code).toBe('utxos.locked');
		id = next;
	});

	test('a connection that breaks before the act leaves it open, and it can be sent again', async () => {
		await net.control.fault('ALPHA', 'drop', {
			method: 'sendrawtransaction',
			count: 1,
			phase: 'before'
		});
		expect(await press()).toBe('unknown');
		expect(await sender.reconcile(id)).toBe('absent');
		expect(await waiting()).toEqual([]);
		expect(await press()).toBe('broadcast');
		expect(await waiting()).toEqual([(await row()).txid]);
	});

	test('a connection that breaks after the act is looked up, and nothing goes out twice', async () => {
		await net.control.fault('ALPHA', 'drop', {
			method: 'sendrawtransaction',
			count: 1,
			phase: 'after'
		});
		expect(await press()).toBe('broadcast');
		expect(await sender.reconcile(id)).toBe('broadcast');
		expect(await press()).toBe('broadcast');
		expect(sends()).toBe(1);
		expect(await waiting()).toEqual([(await row()).txid]);
	});

	test('while nobody can say whether it went out, nothing else is said, and it stays unknown', async () => {
		loseAnswers('sendrawtransaction', 'getrawtransaction');
		expect(await press()).toBe('unknown');
		expect((await row()).state).toBe('unknown');
		expect(await sender.unconfirmedTokens('ALPHA')).toHaveLength(1);
		const error = await refusal(net, press());
		expect(error.params).toMatchObject({ certain: 'send-unknown' });
		expect((await row()).state).toBe('unknown');
		// Long after the review's end it is still looked up.
		now += 60 * MINUTE;
		proxy.rewrite = null;
		expect(await press()).toBe('broadcast');
		expect(sends()).toBe(1);
	});

	test('an unknown one that was mined meanwhile is found in its block', async () => {
		loseAnswers('sendrawtransaction', 'getrawtransaction');
		expect(await press()).toBe('unknown');
		proxy.rewrite = null;
		const { height } = await net.control.mine('ALPHA');
		expect(await press()).toBe('confirmed');
		expect(await row()).toMatchObject({ state: 'confirmed', height });
		expect(sends()).toBe(1);
	});

	test('a daemon that refuses to listen leaves the review as it was', async () => {
		await net.control.fault('ALPHA', 'warm-up', { method: 'sendrawtransaction' });
		const error = await refusal(net, press());
		expect(error.code).toBe('transaction.not-built');
		expect(error.params).toMatchObject({ certain: 'not-sent' });
		expect((await row()).state).toBe('reviewed');
		const { txid } = await row();
		const recorded = async () =>
			(await auditOf(database).list({ limit: 20 }))
				.filter(({ target }) => target === txid)
				.map(({ action, outcome }) => `${action} ${outcome}`);
		// The send was recorded before the call; that it did not go out is recorded, too.
		expect(await recorded()).toEqual([
			'send.failed failed',
			'send.sent done',
			'send.reviewed done'
		]);
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		expect(await press()).toBe('broadcast');
		expect((await recorded())[0]).toBe('send.sent done');
	});

	test('a daemon that does not listen to what may be out already leaves it unknown', async () => {
		await net.control.fault('ALPHA', 'drop', { method: 'sendrawtransaction', count: 1 });
		expect(await press()).toBe('unknown');
		await net.control.fault('ALPHA', 'warm-up', { method: 'sendrawtransaction' });
		now += 60 * MINUTE;
		const error = await refusal(net, press());
		expect(error.params).toMatchObject({ certain: 'send-unknown' });
		expect((await row()).state).toBe('unknown');
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		expect(await press()).toBe('broadcast');
	});

	test('somebody who pressed before it became unknown cannot make it look unsent', async () => {
		const slow = await between(net, 'ALPHA');
		const elsewhere = gatewayTo(net, database, { ALPHA: { url: slow.url } });
		const asked = Promise.withResolvers<null>();
		const answered = Promise.withResolvers<null>();
		slow.rewrite = async (method, body) => {
			if (method === 'getinfo') {
				asked.resolve(null);
				await answered.promise;
			}
			return body;
		};
		const late = senderOver(database, elsewhere, { clock: () => now }).send(id, 'bob');
		await asked.promise;
		loseAnswers('sendrawtransaction', 'getrawtransaction');
		expect(await press()).toBe('unknown');
		await net.control.fault('ALPHA', 'warm-up', { method: 'sendrawtransaction' });
		answered.resolve(null);
		const [end] = await Promise.allSettled([late]);
		await elsewhere.close();
		await slow.stop();
		expect((await row()).state).toBe('unknown');
		expect(await sender.discard(id, 'ada')).toBe(false);
		expect(end).toEqual({ status: 'fulfilled', value: 'unknown' });
	});

	test('a row that a crash left behind is looked up and can be sent', async () => {
		const store = createStore(database.db, locks);
		expect(await store.move(id, ['reviewed'], { state: 'broadcasting', broadcastAt: now })).toBe(
			true
		);
		await sender.reconcileAll();
		expect((await row()).state).toBe('broadcasting');
		expect(await press()).toBe('broadcasting');
		now += 3 * MINUTE;
		await sender.reconcileAll();
		expect((await row()).state).toBe('unknown');
		expect(await press()).toBe('broadcast');
	});

	test('a row that a crash left behind is looked up when the clock was set back since', async () => {
		const store = createStore(database.db, locks);
		const broadcastAt = now + 60 * MINUTE;
		await store.move(id, ['reviewed'], { state: 'broadcasting', broadcastAt });
		await sender.reconcileAll();
		expect((await row()).state).toBe('unknown');
		expect(await press()).toBe('broadcast');
	});

	test('one that was called left behind is on its way as soon as its daemon says so', async () => {
		const store = createStore(database.db, locks);
		proxy.rewrite = async (method, body) => {
			if (method === 'sendrawtransaction') await store.leaveBehind(now + 3 * MINUTE, 2 * MINUTE);
			return body;
		};
		expect(await press()).toBe('broadcast');
		expect(await row()).toMatchObject({ state: 'broadcast', takenAt: now });
	});

	test('a row that a crash left behind after the act is found', async () => {
		const store = createStore(database.db, locks);
		await store.move(id, ['reviewed'], { state: 'broadcasting', broadcastAt: now });
		await net.rpc('ALPHA', 'sendrawtransaction', (await row()).hex);
		now += 3 * MINUTE;
		await sender.reconcileAll();
		expect((await row()).state).toBe('broadcast');
		expect(sends()).toBe(0);
	});

	test('one daemon that is down does not keep the others from being looked after', async () => {
		await press();
		const beta = await sender.createToken('BETA', creation(), 'ada');
		await sender.send(beta, 'ada');
		await net.control.mine('ALPHA');
		await net.control.mine('BETA');
		await net.control.fault('BETA', 'warm-up');
		await sender.reconcileAll();
		expect((await row()).state).toBe('confirmed');
		expect((await reviewed(sender, beta)).state).toBe('broadcast');
		await net.control.fault('BETA', 'none');
		await gateway.probe();
		await sender.reconcileAll();
		expect((await reviewed(sender, beta)).state).toBe('confirmed');
	});

	test('coins that somebody else spends first make the chain refuse it, in words', async () => {
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'RIVAL', '0.00001');
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		expect(await press()).toBe('rejected');
		const { rejection, settledAt } = await row();
		expect(rejections.text(rejection!)).toContain('16: mempool conflict');
		expect(rejections.text(rejection!)).toContain('spends the same inputs');
		expect(settledAt).toBe(now);
		// The rival transaction may never be confirmed: until that is certain, the same bytes may be retried.
		expect(await press()).toBe('rejected');
		expect(sends()).toBe(2);
	});

	test('coins that a discarded review releases while another asks for them are locked for that one', async () => {
		const utxos = (await locks.heldBy(database.db, 'ALPHA', now)).filter(
			({ holder }) => holder.id === id
		);
		const held = heldResult(
			database.db,
			({ length }, text) => length === 0 && text.startsWith('insert into "locked_utxos"')
		);
		const { dialect } = database.db;
		const holder = { kind: 'send', id: 'another' } as const;
		const locking = held.db
			.transaction()
			.execute((trx) =>
				locks.lock(trx, { dialect, chain: 'ALPHA', holder, utxos, until: now + MINUTE, now })
			);
		await held.isHeld;
		const discarding = sender.discard(id, 'ada');
		// SQLite has one writer: there it is discarded afterwards.
		if (dialect === 'postgres') await discarding;
		held.release();
		const [locked] = await Promise.allSettled([locking, discarding]);
		await locks.unlock(database.db, holder.id);
		expect(locked).toMatchObject(
			dialect === 'postgres'
				? { status: 'fulfilled' }
				: { status: 'rejected', reason: { code: 'utxos.locked' } }
		);
	});

	test('coins are free in the same moment in which a refusal is stored', async () => {
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'RIVAL', '0.00001');
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		const db = await database.openAnother();
		const held = heldResult(database.db, (_rows, text) =>
			/^update "transactions" set .*"rejection".*"spent_since"/.test(text)
		);
		const other = senderOver(database, gateway, { db: held.db, clock: () => now });
		const sending = other.send(id, 'ada');
		await held.isHeld;
		const shown = async () => ({
			...(await db
				.selectFrom('transactions')
				.select('state')
				.where('id', '=', id)
				.executeTakeFirstOrThrow()),
			isLocked:
				(await db.selectFrom('locked_utxos').select('txid').where('holder', '=', id).execute())
					.length > 0
		});
		expect(await shown()).toEqual({ state: 'unknown', isLocked: true });
		held.release();
		expect(await sending).toBe('rejected');
		expect(await shown()).toEqual({ state: 'rejected', isLocked: false });
	});

	test('coins that are spent in a block make the chain refuse it, in words', async () => {
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', 'RIVAL', '0.00001');
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		expect(await press()).toBe('rejected');
		expect(rejections.text((await row()).rejection!)).toContain('spent in the meantime');
		// Its coins are no longer locked.
		id = await create('AFTER');
		expect(await press()).toBe('broadcast');
	});

	test('one that somebody else brought into a block is mined, not refused', async () => {
		await net.rpc('ALPHA', 'sendrawtransaction', (await row()).hex);
		const { height } = await net.control.mine('ALPHA');
		expect(await press()).toBe('confirmed');
		expect(await row()).toMatchObject({ state: 'confirmed', height, rejection: null });
	});

	test('one that a daemon says is in a block, which another one behind it does not show yet, stays unknown', async () => {
		proxy.rewrite = (method, body) =>
			method === 'sendrawtransaction'
				? '{"result":null,"error":{"code":-27,"message":"transaction already in block chain"},"id":null}'
				: method === 'getrawtransaction'
					? '{"result":null,"error":{"code":-5,"message":"No information available about transaction"},"id":null}'
					: body;
		expect(await press()).toBe('unknown');
		expect((await row()).rejection).toBeNull();
		proxy.rewrite = null;
		expect(await press()).toBe('broadcast');
		expect(sends()).toBe(1);
	});

	test('a refusal that comes after it was found is not believed, and its coins stay kept', async () => {
		const direct = gatewayTo(net, database);
		const other = senderOver(database, direct, { clock: () => now });
		const error = (code: number): string =>
			`{"result":null,"error":{"code":${code},"message":"no"},"id":null}`;
		proxy.rewrite = async (method, body) => {
			if (method === 'sendrawtransaction') return error(-26);
			if (method === 'getrawtransaction') return error(-5);
			if (method !== 'gettransaction') return body;
			await other.reconcile(id);
			return error(-5);
		};
		expect(await press()).toBe('broadcast');
		expect(await row()).toMatchObject({ state: 'broadcast', rejection: null });
		const held = await sender.heldUtxos('ALPHA');
		expect(held.filter(({ holder }) => holder.id === id)).not.toEqual([]);
		await direct.close();
	});

	test('a look that began before it was out does not make it unknown', async () => {
		let answer = (): void => undefined;
		const isAsked = new Promise<void>((asked) => {
			proxy.rewrite = (method, body) => {
				if (method !== 'getrawtransaction' || !body.includes('"code":-5')) return body;
				asked();
				return new Promise((resolve) => (answer = () => resolve(body)));
			};
		});
		const early = sender.reconcile(id);
		await isAsked;
		proxy.rewrite = null;
		expect(await press()).toBe('broadcast');
		answer();
		expect(await early).toBe('absent');
		expect((await row()).state).toBe('broadcast');
	});

	test('an answer with another txid is not taken for a success', async () => {
		const { txid } = await row();
		proxy.rewrite = (method, body) =>
			method === 'sendrawtransaction' ? body.replace(txid, 'ab'.repeat(32)) : body;
		const error = await refusal(net, press());
		expect(error.code).toBe('transaction.other-txid');
		expect((await row()).state).toBe('unknown');
		proxy.rewrite = null;
		expect(await press()).toBe('broadcast');
		expect(sends()).toBe(1);
	});

	test('an answer that cannot be understood is looked up', async () => {
		proxy.rewrite = (method, body) =>
			method === 'sendrawtransaction' ? '{"result":7,"error":null,"id":null}' : body;
		expect(await press()).toBe('broadcast');
		expect(sends()).toBe(1);
	});

	test('a transfer whose answer is lost moves its units once', async () => {
		await sender.discard(id, 'ada');
		const bob = net.chains.get('BETA')!.pubkey;
		const tokenid = await made(net, sender, { name: 'UNITS' });
		id = await sender.moveToken('ALPHA', transfer(tokenid, bob, 250n), 'ada');
		loseAnswers('sendrawtransaction', 'getrawtransaction');
		expect(await press()).toBe('unknown');
		proxy.rewrite = null;
		await Promise.all([press(), press(), press()]);
		await net.control.mine('ALPHA');
		expect(await unitsOf(net, tokenid, bob)).toBe(250);
		expect(await unitsOf(net, tokenid)).toBe(750);
	});
});
