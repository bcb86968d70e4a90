import { problems } from '#lib/messages/batch-transfers/problems.ts';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { hexToBytes } from '#lib/chain/bytes.ts';
import { ccAddress, tokenScript } from '#lib/chain/cryptocondition.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { auditNotice } from '#lib/server/access/notifications/auditNotices.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { heldResult } from '../../support/heldResult.ts';
import { forkBundled } from '../../support/forkBundled.ts';
import { auditOf, gatewayTo, made, unitsOf } from '../transactions/support.ts';
import type { Order } from './process.ts';
import { idOf, keyOf, partsOver, rowsOf, type Parts } from './support.ts';
import { shared } from '../../support/shared.ts';

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url));
const CHAINS = ['ALPHA'];

describeOnBothDatabases('one token to many recipients', (database) => {
	let parts: Parts;
	let token: string;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayTo(net, database));
	beforeAll(async () => {
		parts = partsOver(database.db, gateway);
		token = await made(net, parts.sender, { name: 'MANY', supply: 10_000n });
	});

	const review = (rows: ReturnType<typeof rowsOf>) =>
		parts.batchTransfers.review('ALPHA', token, rows, 'ada');
	const stateOf = async (id: string) => (await parts.batchTransfers.get(id))!.batchTransfer;
	const linesOf = async (id: string) => (await parts.batchTransfers.get(id))!.lines;

	/** Runs rounds, each followed by a block, until the batch is in one of the states. */
	async function roundsUntil(id: string, ...states: string[]): Promise<number> {
		for (let round = 1; round <= 60; round++) {
			await parts.batchTransfers.round();
			const { state } = await stateOf(id);
			if (states.includes(state)) return round;
			await net.control.mine('ALPHA');
		}
		throw new Error(
			`the series is still ${(await stateOf(id)).state}: ${JSON.stringify(await linesOf(id), (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))}`
		);
	}

	/** A daemon that refuses every send, with its own messages. */
	const refusingGateway = (): Gateway => ({
		...gateway,
		async call(daemon, method, params, options) {
			if (method !== 'sendrawtransaction') return gateway.call(daemon, method, params, options);
			// Bytes that no daemon accepts.
			return gateway.call(
				daemon,
				method,
				[`${String(params[0]).slice(0, -8)}01000000`] as never,
				options
			);
		}
	});
	const refusing = (): Parts => partsOver(database.db, refusingGateway());

	/** Safety controls, and a gateway that checks them. */
	function guarded() {
		const safetyControls = createSafetyControls(database.db, auditOf(database));
		const { daemons } = loadConfig({ KOMODO_HOME: net.dir, KOMODECK_DATA: database.dataDir });
		const asking = createGateway(
			{ daemons },
			{ pollEvery: null, refusal: (method) => safetyControls.refusal(method) }
		);
		return { safetyControls, asking };
	}

	/** Runs work with daemons that build, while a safety control stops every send. */
	async function frozenSends(work: (gateway: Gateway) => Promise<unknown>): Promise<void> {
		const { safetyControls, asking } = guarded();
		await safetyControls.turnOn('freeze', 'it is built and does not leave', 'grace');
		await work({
			...gateway,
			call: (daemon, method, params, options) =>
				(method === 'sendrawtransaction' ? asking : gateway).call(daemon, method, params, options)
		});
		await safetyControls.turnOff('freeze', null);
		await asking.close();
	}

	/** Transfers of the token on the chain since a height, by recipient. */
	const held = async (n: number): Promise<number> => unitsOf(net, token, keyOf(n));

	test('each row is checked: address, token address, label, key and amount, and the sum against the wallet', async () => {
		await parts.addressBook.add(
			{ kind: 'pubkey', value: keyOf(1), chain: '', label: 'Alice', note: '' },
			CHAINS,
			'ada'
		);
		await parts.addressBook.add(
			{ kind: 'address', value: addressOfPubkey(keyOf(2)), chain: '', label: 'Till', note: '' },
			CHAINS,
			'ada'
		);
		const outcome = await review(
			rowsOf(
				['Alice', '5'],
				[addressOfPubkey(keyOf(3)), '5'],
				[ccAddress(tokenScript(hexToBytes(keyOf(1)))), '5'],
				['Till', '5'],
				['\u0410lice', '5'],
				[`02${'ff'.repeat(32)}`, '5'],
				[`02${'deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'}`, '5'],
				[keyOf(4), '1.5'],
				['', '3'],
				['', '']
			)
		);
		if (outcome.ok) throw new Error('it was taken');
		expect(outcome.errors).toEqual({
			1: { recipient: expect.stringMatching(/This is an address/) as string },
			2: { recipient: expect.stringMatching(/token address of the public key “Alice”/) as string },
			3: { recipient: expect.stringMatching(/“Till” is an address/) as string },
			4: { recipient: expect.stringMatching(/no such label/) as string },
			5: { recipient: expect.stringMatching(/not a public key/) as string },
			6: { recipient: expect.stringMatching(/burn key/) as string },
			7: { amount: expect.stringMatching(/whole number of base units/) as string },
			8: { recipient: expect.stringMatching(/Enter the public key/) as string }
		});
		const tooMuch = await review(rowsOf(['Alice', '9000'], [keyOf(5), '1001']));
		expect(tooMuch).toMatchObject({
			ok: false,
			problem: expect.stringMatching(/: 1 missing/) as string
		});
		expect(await review([])).toMatchObject({ ok: false });
		const many = Array.from({ length: 501 }, (_, n) => ({ recipient: keyOf(n), amount: '1' }));
		expect(await review(many)).toMatchObject({
			ok: false,
			problem: expect.stringMatching(/500/) as string
		});
	});

	test('coins that somebody at the daemon has locked pay no fees', async () => {
		const unspent = await net.rpc<{ txid: string; vout: number }[]>('ALPHA', 'listunspent');
		await net.rpc('ALPHA', 'lockunspent', false, unspent);
		try {
			const refused = await review(rowsOf([keyOf(5), '1']));
			if (refused.ok) throw new Error('it was taken');
			expect(refused.problem).toMatch(/has 0(\.0+)? ALPHA that are not locked\.$/);
		} finally {
			await net.rpc('ALPHA', 'lockunspent', true);
		}
	});

	test('a series goes out one after the other, each a transaction of its own, and a label is a recipient', async () => {
		const id = idOf(await review(rowsOf(['alice', '7'], [keyOf(11), '8'], [keyOf(11), '9'])));
		await parts.batchTransfers.round();
		// Nothing is sent before a member confirms.
		expect(await net.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual([]);
		expect(await parts.batchTransfers.confirm(id, 'grace')).toBe(true);
		expect(await parts.batchTransfers.confirm(id, 'grace')).toBe(false);
		await roundsUntil(id, 'done');
		const lines = await linesOf(id);
		expect(lines.map(({ sendState }) => sendState)).toEqual([
			'confirmed',
			'confirmed',
			'confirmed'
		]);
		expect(new Set(lines.map(({ txid }) => txid)).size).toBe(3);
		expect([await held(1), await held(11)]).toEqual([7, 17]);
		const send = (await parts.sender.get(lines[0]!.send!))!;
		expect(send).toMatchObject({ kind: 'token-transfer', createdBy: 'grace' });
	});

	test('it is stopped and goes on; what is given up was never sent', async () => {
		const id = idOf(await review(rowsOf([keyOf(21), '1'], [keyOf(22), '2'], [keyOf(23), '3'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await parts.batchTransfers.round();
		expect(await parts.batchTransfers.stop(id, 'grace')).toBe(true);
		await net.control.mine('ALPHA');
		await parts.batchTransfers.round();
		await net.control.mine('ALPHA');
		expect([await held(21), await held(22), await held(23)]).toEqual([1, 0, 0]);
		expect(await parts.batchTransfers.goOn(id, 'grace')).toBe(true);
		await roundsUntil(id, 'done');
		expect([await held(21), await held(22), await held(23)]).toEqual([1, 2, 3]);
		const other = idOf(await review(rowsOf([keyOf(24), '1'])));
		expect(await parts.batchTransfers.discard(other, 'ada')).toBe(true);
		expect(await parts.batchTransfers.confirm(other, 'ada')).toBe(false);
	});

	test('one that is stopped can be discarded: what was sent stays sent, and nothing else goes out', async () => {
		const id = idOf(await review(rowsOf([keyOf(25), '1'], [keyOf(26), '2'], [keyOf(27), '3'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await parts.batchTransfers.round();
		expect(await parts.batchTransfers.discard(id, 'grace')).toBe(false);
		await parts.batchTransfers.stop(id, 'grace');
		expect(await parts.batchTransfers.discard(id, 'grace')).toBe(true);
		const [newest] = await auditOf(database).list({ limit: 1 });
		expect(newest).toMatchObject({ actor: 'grace', action: 'series.discarded', target: id });
		expect(await stateOf(id)).toMatchObject({ state: 'discarded' });
		// It is still listed, because some of it was sent.
		expect((await parts.batchTransfers.ofToken('ALPHA', token)).map((one) => one.id)).toContain(id);
		await net.control.mine('ALPHA');
		expect(await parts.batchTransfers.goOn(id, 'grace')).toBe(false);
		await parts.batchTransfers.round();
		await net.control.mine('ALPHA');
		expect([await held(25), await held(26), await held(27)]).toEqual([1, 0, 0]);
		await parts.sender.reconcileAll();
		expect((await linesOf(id))[0]).toMatchObject({ state: 'broadcast', sendState: 'confirmed' });
	});

	test('one that is discarded while a failed transfer is put back sends nothing more', async () => {
		const id = idOf(await review(rowsOf([keyOf(28), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await refusing().batchTransfers.round();
		await database.db
			.updateTable('batch_transfers')
			.set({ state: 'stopped' })
			.where('id', '=', id)
			.execute();
		const between = partsOver(database.db, refusingGateway(), Date.now, undefined, (sender) => ({
			...sender,
			async send(...sent) {
				expect(await parts.batchTransfers.discard(id, 'grace')).toBe(true);
				return sender.send(...sent);
			}
		}));
		expect(await between.batchTransfers.retry(id, 'ada')).toBe(0);
		expect(await stateOf(id)).toMatchObject({ state: 'discarded' });
		expect(await linesOf(id)).toMatchObject([{ state: 'failed' }]);
	});

	test('a transfer that is refused does not hide the others, and is sent again when somebody says so', async () => {
		const id = idOf(await review(rowsOf([keyOf(31), '1'], [keyOf(32), '2'], [keyOf(33), '3'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await refusing().batchTransfers.round();
		const [first, second] = await linesOf(id);
		expect(first).toMatchObject({
			state: 'failed',
			problem: { code: 'transaction.rejected' }
		});
		expect(second!.state).toBe('failed');
		expect(await stateOf(id)).toMatchObject({ state: 'done' });
		// The first one's own bytes are sent after all; the others spend the same coins, and are built again.
		expect(await parts.batchTransfers.retry(id, 'ada')).toBe(2);
		await roundsUntil(id, 'done');
		expect([await held(31), await held(32), await held(33)]).toEqual([1, 2, 3]);
		expect(await parts.batchTransfers.retry(id, 'ada')).toBe(0);
	});

	test('a transfer that was refused and went out by its own page is not made once more', async () => {
		const id = idOf(await review(rowsOf([keyOf(34), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await refusing().batchTransfers.round();
		const [refused] = await linesOf(id);
		expect(refused).toMatchObject({ state: 'failed', sendState: 'rejected' });
		// The page of the transaction offers to send the same bytes again.
		expect(await parts.sender.send(refused!.send!, 'ada')).toBe('broadcast');
		expect(await parts.batchTransfers.retry(id, 'ada')).toBe(0);
		await parts.batchTransfers.round();
		await net.control.mine('ALPHA');
		await parts.batchTransfers.round();
		await net.control.mine('ALPHA');
		expect(await held(34)).toBe(1);
		const [line] = await linesOf(id);
		expect(line).toMatchObject({ state: 'broadcast', send: refused!.send, problem: null });
	});

	test('a transfer that a person sends while the series gives it up is not made once more', async () => {
		const id = idOf(await review(rowsOf([keyOf(35), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await frozenSends((sending) => partsOver(database.db, sending).batchTransfers.round());
		const [{ send: built } = { send: null }] = await linesOf(id);
		const { db } = database;
		const row = await db
			.selectFrom('transactions')
			.selectAll()
			.where('id', '=', built!)
			.executeTakeFirstOrThrow();
		expect(row.state).toBe('reviewed');
		// As far as is known, another transaction with the same inputs was sent.
		const other = { ...row, id: 'other', txid: '0'.repeat(64), state: 'unknown' } as const;
		await db.insertInto('transactions').values(other).execute();
		const meanwhile = partsOver(db, gateway, Date.now, undefined, (sender) => ({
			...sender,
			async drop(send) {
				await sender.send(send.id, 'ada');
				return sender.drop(send);
			}
		}));
		await meanwhile.batchTransfers.round();
		await db.deleteFrom('transactions').where('id', '=', 'other').execute();
		await roundsUntil(id, 'done');
		expect(await held(35)).toBe(1);
	});

	test('a wallet that is locked stops the series with the reason; it goes on when it is open', async () => {
		const id = idOf(await review(rowsOf([keyOf(41), '1'], [keyOf(42), '2'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await database.db
			.insertInto('assignments')
			.values({ kind: 'series', item: id, holder: 'bob', at: Date.now() })
			.execute();
		await net.control.wallet('ALPHA', { locked: true });
		await parts.batchTransfers.round();
		await net.control.wallet('ALPHA', { locked: false });
		expect(await stateOf(id)).toMatchObject({
			state: 'stopped',
			problem: { params: { error: { code: 'transaction.unsigned' } } }
		});
		const [stop] = (await auditOf(database).list({ limit: 20 })).filter(
			({ action, target }) => action === 'series.stopped' && target === id
		);
		expect(auditNotice(stop!)).toMatchObject({
			message: { code: 'batch.stopped' },
			path: `/chains/ALPHA/token/${token}/batch-transfer/${id}`,
			to: [{ members: ['ada'] }, { members: ['bob'] }]
		});
		await parts.batchTransfers.goOn(id, 'ada');
		await roundsUntil(id, 'done');
		expect([await held(41), await held(42)]).toEqual([1, 2]);
	});

	test('a daemon that is away holds the series up, and nothing is lost or repeated', async () => {
		const id = idOf(await review(rowsOf([keyOf(51), '1'], [keyOf(52), '2'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await net.control.fault('ALPHA', 'drop', {
			method: 'sendrawtransaction',
			count: 1,
			phase: 'after'
		});
		await parts.batchTransfers.round();
		expect((await stateOf(id)).state).toBe('running');
		await roundsUntil(id, 'done');
		expect([await held(51), await held(52)]).toEqual([1, 2]);
	});

	test('a frozen console holds the series up with the reason, and it goes on by itself when it is lifted', async () => {
		const { safetyControls, asking } = guarded();
		const frozen = partsOver(database.db, asking);
		const id = idOf(await review(rowsOf([keyOf(53), '1'], [keyOf(54), '2'])));
		await safetyControls.turnOn('freeze', 'we look at something', 'grace');
		await frozen.batchTransfers.confirm(id, 'ada');
		await frozen.batchTransfers.round();
		const { state, problem } = await stateOf(id);
		expect(state).toBe('running');
		expect(problems.text(problem!)).toMatch(/frozen by grace/);
		expect(await net.rpc<string[]>('ALPHA', 'getrawmempool')).toEqual([]);
		await safetyControls.turnOff('freeze', null);
		await roundsUntil(id, 'done');
		await asking.close();
		expect([await held(53), await held(54)]).toEqual([1, 2]);
		expect(await stateOf(id)).toMatchObject({ problem: null });
	});

	test('change of a transaction beside it that waits for a block is waited for', async () => {
		const own = await made(net, parts.sender, { name: 'BESIDE', supply: 100n }, 'ada');
		const wait = idOf(
			await parts.batchTransfers.review('ALPHA', own, rowsOf([keyOf(60), '5']), 'ada')
		);
		const request = {
			kind: 'token-transfer',
			tokenid: own,
			recipient: keyOf(61),
			units: 1n
		} as const;
		const beside = await parts.sender.moveToken('ALPHA', request, 'ada');
		expect(await parts.sender.send(beside, 'ada')).toBe('broadcast');
		await parts.batchTransfers.confirm(wait, 'ada');
		await parts.batchTransfers.round();
		expect((await stateOf(wait)).state).toBe('running');
		await roundsUntil(wait, 'done');
		expect(await unitsOf(net, own, keyOf(60))).toBe(5);
	});

	test('what a safety control keeps here is not on record at each round as sent', async () => {
		const id = idOf(await review(rowsOf([keyOf(91), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		const { safetyControls, asking } = guarded();
		const half = partsOver(database.db, {
			...gateway,
			mayLeave: asking.mayLeave,
			call: (daemon, method, params, options) =>
				(method === 'sendrawtransaction' ? asking : gateway).call(daemon, method, params, options)
		});
		await safetyControls.turnOn('freeze', 'we look at something', 'grace');
		await half.batchTransfers.round();
		const newest = async () => (await auditOf(database).list({ limit: 1 }))[0]!;
		const { seq } = await newest();
		for (let n = 0; n < 3; n += 1) await half.batchTransfers.round();
		expect(await newest()).toMatchObject({ seq, action: 'send.reviewed' });
		expect(problems.text((await stateOf(id)).problem!)).toMatch(/frozen by grace/);
		await safetyControls.turnOff('freeze', null);
		await roundsUntil(id, 'done');
		await asking.close();
		expect(await held(91)).toBe(1);
	});

	test('a series whose next transfer could not leave before its review was too old goes on by itself', async () => {
		const id = idOf(await review(rowsOf([keyOf(57), '1'], [keyOf(58), '2'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await frozenSends((sending) => partsOver(database.db, sending).batchTransfers.round());
		const [{ send } = { send: null }] = await linesOf(id);
		expect(await parts.sender.get(send!)).toMatchObject({ state: 'reviewed' });
		const later = partsOver(database.db, gateway, () => Date.now() + 11 * 60_000);
		await later.batchTransfers.round();
		expect(await stateOf(id)).toMatchObject({ state: 'running', problem: null });
		for (let round = 0; (await stateOf(id)).state === 'running'; round++) {
			expect(round).toBeLessThan(10);
			await later.batchTransfers.round();
			await net.control.mine('ALPHA');
		}
		expect(await stateOf(id)).toMatchObject({ state: 'done' });
		expect([await held(57), await held(58)]).toEqual([1, 2]);
	});

	test('a transfer that somebody sent by other means before its review was too old is not made once more', async () => {
		for (const [n, mined] of [
			[155, false],
			[156, true]
		] as const) {
			const id = idOf(await review(rowsOf([keyOf(n), '1'])));
			await parts.batchTransfers.confirm(id, 'ada');
			await frozenSends((sending) => partsOver(database.db, sending).batchTransfers.round());
			const [{ send } = { send: null }] = await linesOf(id);
			const { hex } = (await parts.sender.get(send!))!;
			await net.rpc('ALPHA', 'sendrawtransaction', hex);
			if (mined) await net.control.mine('ALPHA');
			const later = partsOver(database.db, gateway, () => Date.now() + 11 * 60_000);
			for (let round = 0; (await stateOf(id)).state === 'running'; round++) {
				expect(round).toBeLessThan(10);
				await later.batchTransfers.round();
				await net.control.mine('ALPHA');
			}
			expect((await linesOf(id))[0]).toMatchObject({ send, state: 'broadcast' });
			expect(await held(n)).toBe(1);
		}
	});

	test('a transfer that the series itself discarded is built again, also when it dies over it', async () => {
		const id = idOf(await review(rowsOf([keyOf(59), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await frozenSends((sending) => partsOver(database.db, sending).batchTransfers.round());
		const [{ send } = { send: null }] = await linesOf(id);
		const { db } = database;
		const row = await db
			.selectFrom('transactions')
			.selectAll()
			.where('id', '=', send!)
			.executeTakeFirstOrThrow();
		const other = { ...row, id: 'in the way', txid: '1'.repeat(64), state: 'unknown' } as const;
		await db.insertInto('transactions').values(other).execute();
		const dying = partsOver(db, gateway, Date.now, undefined, (sender) => ({
			...sender,
			async drop(review) {
				await sender.drop(review);
				throw new Error('It dies here.');
			}
		}));
		await expect(dying.batchTransfers.round()).rejects.toThrow('It dies here.');
		await db.deleteFrom('transactions').where('id', '=', 'in the way').execute();
		expect((await parts.sender.get(send!))?.rejection).toMatchObject({ code: 'batch.dropped' });
		await roundsUntil(id, 'done');
		expect(await held(59)).toBe(1);
		expect(await linesOf(id)).toMatchObject([{ state: 'broadcast', problem: null }]);
	});

	test('a transfer that was refused and is made once more goes out by its own page no more', async () => {
		const id = idOf(await review(rowsOf([keyOf(70), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await refusing().batchTransfers.round();
		const [refused] = await linesOf(id);
		expect(await refusing().batchTransfers.retry(id, 'ada')).toBe(1);
		// The address of its page stays the same.
		expect(await parts.sender.send(refused!.send!, 'ada')).toBe('rejected');
		expect(await parts.sender.get(refused!.send!)).toMatchObject({
			rejection: { code: 'batch.replaced' }
		});
		await roundsUntil(id, 'done');
		expect(await held(70)).toBe(1);
	});

	test('a block that is taken back while a series runs costs nothing and repeats nothing', async () => {
		const id = idOf(await review(rowsOf([keyOf(55), '1'], [keyOf(56), '2'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await parts.batchTransfers.round();
		await net.control.mine('ALPHA');
		await parts.batchTransfers.round();
		await net.control.reorg('ALPHA', 1, true);
		await roundsUntil(id, 'done');
		expect([await held(55), await held(56)]).toEqual([1, 2]);
	});

	test('a transfer that was out, lost its block and is refused since has failed, and can be sent again', async () => {
		const id = idOf(await review(rowsOf([keyOf(65), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await parts.batchTransfers.round();
		await net.control.mine('ALPHA');
		await parts.sender.reconcileAll();
		await net.control.reorg('ALPHA', 1, true, true);
		await refusing().sender.reconcileAll();
		expect(await linesOf(id)).toMatchObject([
			{ state: 'failed', sendState: 'rejected', problem: { code: 'transaction.rejected' } }
		]);
		await refusing().batchTransfers.round();
		expect(await stateOf(id)).toMatchObject({ state: 'done' });
		expect(await held(65)).toBe(0);
		await parts.batchTransfers.retry(id, 'ada');
		await roundsUntil(id, 'done');
		await net.control.mine('ALPHA');
		expect(await held(65)).toBe(1);
	});

	test('a transfer that was out and is refused twice is not made once more as long as a block could take it', async () => {
		const id = idOf(await review(rowsOf([keyOf(68), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await parts.batchTransfers.round();
		await net.control.mine('ALPHA');
		await parts.sender.reconcileAll();
		const send = (await linesOf(id))[0]!.send!;
		const { hex } = (await parts.sender.get(send))!;
		await net.control.reorg('ALPHA', 1, true, true);
		await refusing().sender.reconcileAll();
		expect(await linesOf(id)).toMatchObject([{ state: 'failed', sendState: 'rejected' }]);
		await expect(refusing().batchTransfers.retry(id, 'ada')).rejects.toMatchObject({
			code: 'transaction.still-possible',
			params: { row: 1 }
		});
		expect(await linesOf(id)).toMatchObject([{ state: 'failed', send }]);
		// Other nodes of the network still had it.
		await net.rpc('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		await parts.sender.reconcileAll();
		expect(await linesOf(id)).toMatchObject([{ state: 'broadcast', sendState: 'confirmed', send }]);
		expect(await parts.batchTransfers.retry(id, 'ada')).toBe(0);
		await roundsUntil(id, 'done');
		expect(await held(68)).toBe(1);
	});

	test('what is put back goes on, also where the next one cannot be looked up', async () => {
		const id = idOf(await review(rowsOf([keyOf(66), '1'], [keyOf(67), '2'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await frozenSends((sending) => partsOver(database.db, sending).batchTransfers.round());
		const [{ send } = { send: null }] = await linesOf(id);
		expect(await parts.sender.discard(send!, 'ada')).toBe(true);
		await refusing().batchTransfers.round();
		expect(await stateOf(id)).toMatchObject({ state: 'done' });
		await net.control.fault('ALPHA', 'down');
		await expect(parts.batchTransfers.retry(id, 'ada')).rejects.toMatchObject({
			code: 'transaction.not-built'
		});
		await net.control.fault('ALPHA', 'none');
		await gateway.probe();
		expect(await linesOf(id)).toMatchObject([{ state: 'waiting' }, { state: 'failed' }]);
		await roundsUntil(id, 'done');
		await net.control.mine('ALPHA');
		expect([await held(66), await held(67)]).toEqual([1, 0]);
	});

	test('what is put back while a round ends its series is sent all the same', async () => {
		const id = idOf(await review(rowsOf([keyOf(38), '1'])));
		await parts.batchTransfers.confirm(id, 'ada');
		await frozenSends((frozen) => partsOver(database.db, frozen).batchTransfers.round());
		const [built] = await linesOf(id);
		expect(await parts.sender.discard(built!.send!, 'ada')).toBe(true);
		const { db, isHeld, release } = heldResult(
			database.db,
			(rows) => rows.length > 0 && rows.every((row) => 'units' in row && row['state'] === 'failed')
		);
		const ending = partsOver(db, gateway).batchTransfers.round();
		await isHeld;
		expect(await parts.batchTransfers.retry(id, 'ada')).toBe(1);
		release();
		await ending;
		expect(await stateOf(id)).toMatchObject({ state: 'running' });
		await roundsUntil(id, 'done');
		expect(await held(38)).toBe(1);
	});

	test('two servers at one series send each transfer once', async () => {
		const id = idOf(
			await review(rowsOf(...[61, 62, 63, 64].map((n) => [keyOf(n), String(n)] as const)))
		);
		await parts.batchTransfers.confirm(id, 'ada');
		const other = partsOver(await database.openAnother(), gateway);
		for (let round = 0; (await stateOf(id)).state !== 'done'; round++) {
			expect(round).toBeLessThan(40);
			await Promise.all([parts.batchTransfers.round(), other.batchTransfers.round()]);
			await net.control.mine('ALPHA');
		}
		expect(await Promise.all([61, 62, 63, 64].map(held))).toEqual([61, 62, 63, 64]);
	});

	test('a server killed before, between and after the sends is followed by one that finishes, and nothing is sent twice', async () => {
		const deaths: Order['dieAt'][] = [
			{ method: 'tokentransfer', call: 1, when: 'before' },
			{ method: 'tokentransfer', call: 1, when: 'after' },
			{ method: 'sendrawtransaction', call: 1, when: 'before' },
			{ method: 'sendrawtransaction', call: 1, when: 'after' },
			{ method: 'tokentransfer', call: 2, when: 'after' }
		];
		// A crash leaves the same rows in both databases, so only one of them runs all cases.
		const tried = database.db.dialect === 'sqlite' ? deaths : deaths.slice(2, 4);
		for (const [at, dieAt] of tried.entries()) {
			const keys = [100, 101, 102].map((n) => n + 10 * at);
			const id = idOf(await review(rowsOf(...keys.map((n) => [keyOf(n), '5'] as const))));
			await parts.batchTransfers.confirm(id, 'ada');
			const order: Order = { database: database.options, komodoHome: net.dir, id, dieAt };
			const child = await forkBundled(PROCESS, order);
			const signal = await new Promise<string | null>((resolve, reject) => {
				let rounds = 0;
				child.once('exit', (_code, by) => resolve(by));
				child.on('message', () => {
					rounds += 1;
					if (rounds > 20) reject(new Error('it did not die'));
					net.control.mine('ALPHA').then(() => child.connected && child.send('go'), reject);
				});
			});
			expect(signal).toBe('SIGKILL');
			// A row that the dead process was sending is looked up once its time is over.
			const later = partsOver(database.db, gateway, () => Date.now() + 3 * 60_000);
			for (let round = 0; (await stateOf(id)).state !== 'done'; round++) {
				expect(round, JSON.stringify(dieAt)).toBeLessThan(40);
				await later.sender.reconcileAll();
				await later.batchTransfers.round();
				await net.control.mine('ALPHA');
			}
			expect(await Promise.all(keys.map(held)), JSON.stringify(dieAt)).toEqual([5, 5, 5]);
		}
	});

	test('of two hundred recipients each is sent in its turn, and what is stopped on the way waits', async () => {
		const rows = Array.from({ length: 200 }, (_, n) => [keyOf(300 + n), '1'] as const);
		const id = idOf(await review(rowsOf(...rows)));
		await parts.batchTransfers.confirm(id, 'ada');
		const out = async (): Promise<number> =>
			(await linesOf(id)).filter(({ sendState }) => sendState === 'confirmed').length;
		for (let round = 0; (await out()) < 20; round++) {
			expect(round).toBeLessThan(60);
			await parts.batchTransfers.round();
			await net.control.mine('ALPHA');
		}
		await parts.batchTransfers.stop(id, 'ada');
		const lines = await linesOf(id);
		expect(lines.map(({ n }) => n)).toEqual(rows.map((_, n) => n + 1));
		expect(lines.slice(0, 20).every(({ sendState }) => sendState === 'confirmed')).toBe(true);
		expect(lines.slice(22).every(({ state }) => state === 'waiting')).toBe(true);
		expect([await held(300), await held(319), await held(340)]).toEqual([1, 1, 0]);
	});
});
