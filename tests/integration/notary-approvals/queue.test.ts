import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { queueProblems } from '#lib/messages/notary-approvals/queueProblems.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { MOST_BURNS } from '#lib/server/cross-chain/notary-approvals/queue/approvalQueues.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { auditOf } from '../transactions/support.ts';
import {
	describeOnBothDatabases,
	isWaiting,
	withoutLog,
	type TestDatabase
} from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { heldResult } from '../../support/heldResult.ts';
import { forkBundled } from '../../support/forkBundled.ts';
import {
	daemonsOf,
	gatewayToAll,
	importsOf,
	NOTARIES,
	publishedBurn,
	roomOver,
	type Room
} from './support.ts';
import type { Order } from './queueProcess.ts';
import { shared } from '../../support/shared.ts';

const PROCESS = fileURLToPath(new URL('queueProcess.ts', import.meta.url));
const MINUTE = 60_000;

describeOnBothDatabases('a queue that approves several burns', (database: TestDatabase) => {
	let room: Room;
	let amount = 0;
	const net = shared(() => startDevnet());
	const gateway = shared(() => gatewayToAll(net));
	beforeEach(async () => {
		room = roomOver(database.db, gateway);
		await net.control.mine('BETA');
	});

	/** Publishes this many burns; their next step waits for approvals. */
	async function burns(many: number): Promise<{ id: string; txid: string }[]> {
		const published = [];
		for (let n = 0; n < many; n++) {
			amount += 1;
			published.push(await publishedBurn(net, room, `0.${100 + amount}`));
		}
		for (const { id } of published) await room.migrations.advance(id);
		return published;
	}
	async function queueOf(txids: readonly string[], of = room): Promise<string> {
		const created = await of.queues.create(txids, 'nora');
		if (!('id' in created)) throw new Error(created.refused);
		return created.id;
	}
	const items = async (id: string) => (await room.queues.get(id))!.items;
	const states = async (id: string) => (await items(id)).map(({ state }) => state);
	const shown = async (id: string): Promise<string[]> =>
		(await items(id)).flatMap(({ state, transaction }) =>
			state === 'underway' && transaction?.state === 'reviewed' ? [transaction.id] : []
		);
	const problemsOf = async (id: string) =>
		(await items(id)).map(({ problem }) => problem && queueProblems.text(problem));
	const mempool = () => net.rpc<string[]>('BETA', 'getrawmempool');
	const five = <T>(value: T): T[] => NOTARIES.map(() => value);
	const four = <T>(value: T): T[] => five(value).slice(1);

	test('every wallet signs one approval after the other, nothing goes out unseen, and both burns arrive', async () => {
		const [one, two] = await burns(2);
		const id = await queueOf([one!.txid, two!.txid, one!.txid]);
		// The list of approvals is stored before anything is built.
		expect(await states(id)).toEqual([...five('waiting'), ...five('waiting')]);
		await room.queues.round();
		expect(await states(id)).toEqual([...five('underway'), ...five('waiting')]);
		expect((await items(id)).map(({ daemon }) => daemon)).toEqual([...NOTARIES, ...NOTARIES]);
		const first = await items(id);
		for (const { transaction, burnTxid, daemon } of first.slice(0, 5)) {
			expect(transaction).toMatchObject({
				kind: 'notary-approval',
				state: 'reviewed',
				chain: 'BETA',
				daemon,
				createdBy: 'nora',
				request: { burnTxid }
			});
		}
		expect((await problemsOf(id)).slice(5)).toEqual(
			five(expect.stringMatching(/one approval after the other/) as string)
		);
		expect(await mempool()).toEqual([]);

		// Only approvals that were shown are sent; those built meanwhile wait for another confirmation.
		expect(await room.queues.confirm(id, await shown(id), 'nora')).toBe(5);
		await room.queues.advance(id);
		expect(await states(id)).toEqual([...five('sent'), ...five('underway')]);
		expect(await mempool()).toHaveLength(5);
		expect(await room.queues.confirm(id, await shown(id), 'oleg')).toBe(5);
		await room.queues.advance(id);
		await room.queues.advance(id);
		expect(await mempool()).toHaveLength(10);
		await net.control.mine('BETA');
		await room.sender.reconcileAll();
		await room.queues.advance(id);
		const { queue, items: last } = (await room.queues.get(id))!;
		expect(queue.state).toBe('done');
		expect(last.map(({ transaction }) => transaction?.state)).toEqual([
			...five('confirmed'),
			...five('confirmed')
		]);
		expect(last.map(({ confirmedBy }) => confirmedBy)).toEqual([...five('nora'), ...five('oleg')]);
		for (const burn of [one!, two!]) {
			expect((await room.notaryApprovals.published(burn.txid))!.counted).toBeLessThanOrEqual(5);
			await room.migrations.advance(burn.id);
			await net.control.mine('BETA');
			await room.migrations.advance(burn.id);
			expect(await importsOf(gateway, burn.txid)).toHaveLength(1);
		}
	});

	test('what is left out stays, and each approval has its own result: sent, refused or not sent in time', async () => {
		const [burn] = await burns(1);
		await net.control.fault(NOTARIES[4]!, 'down');
		const id = await queueOf([burn!.txid]);
		await room.queues.advance(id);
		await net.control.fault(NOTARIES[4]!, 'none');
		expect(await states(id)).toEqual([...five('underway').slice(1), 'refused']);
		expect((await problemsOf(id))[4]).toMatch(/BETA-notary-5 is offline/);
		const [first, second, third, fourth] = await shown(id);
		// Discarded on its own page, so it is not sent.
		expect(await room.sender.discard(second!, 'nora')).toBe(true);
		expect(await room.queues.confirm(id, [first!, second!, 'something-else'], 'nora')).toBe(1);
		await room.queues.advance(id);
		expect(await states(id)).toEqual(['sent', 'refused', 'underway', 'underway', 'refused']);
		expect((await problemsOf(id))[1]).toMatch(/discarded by hand/);
		const late = roomOver(database.db, gateway, { sendClock: () => Date.now() + 11 * MINUTE });
		expect(await late.queues.confirm(id, [third!], 'nora')).toBe(1);
		await late.queues.advance(id);
		expect(await states(id)).toEqual(['sent', 'refused', 'lapsed', 'lapsed', 'refused']);
		await net.control.mine('BETA');
		await room.sender.reconcileAll();
		await room.queues.advance(id);
		expect((await room.queues.get(id))!.queue.state).toBe('done');
		// By this server's clock the coins of both are still locked.
		for (const review of [third!, fourth!]) await room.sender.discard(review, 'nora');
		// Approvals that were not sent are built again, sent ones are not.
		expect(await room.queues.buildAgain(id, 'oleg')).toBe(4);
		await room.queues.advance(id);
		expect(await states(id)).toEqual(['sent', 'underway', 'underway', 'underway', 'underway']);
		expect((await items(id))[1]!.transaction!.createdBy).toBe('oleg');
		await room.queues.discard(id, 'oleg');
		expect(await states(id)).toEqual(['sent', 'refused', 'refused', 'refused', 'refused']);
		expect(await mempool()).toEqual([]);
		await room.migrations.withdraw(burn!.id, 'ada');
		expect(await room.queues.buildAgain(id, 'oleg')).toBe(4);
		await room.queues.advance(id);
		expect((await problemsOf(id)).slice(1)).toEqual(
			five(expect.stringMatching(/takes no more approvals/) as string).slice(1)
		);
	});

	/** A queue of one burn, of whose five approvals this many were discarded by hand. */
	async function givenUp(many: number): Promise<string> {
		const [burn] = await burns(1);
		const id = await queueOf([burn!.txid]);
		await room.queues.advance(id);
		const reviews = await shown(id);
		for (const review of reviews.slice(0, many)) await room.sender.discard(review, 'nora');
		return id;
	}

	test('what is built again while a round ends its queue is built', async () => {
		const id = await givenUp(5);
		const { db, isHeld, release } = heldResult(
			database.db,
			(rows) =>
				rows.length > 0 && rows.every((row) => 'burn_txid' in row && row['state'] === 'refused')
		);
		const ending = roomOver(db, gateway).queues.advance(id);
		await isHeld;
		expect(await room.queues.buildAgain(id, 'oleg')).toBe(5);
		release();
		await ending;
		expect((await room.queues.get(id))!.queue.state).toBe('open');
		await room.queues.advance(id);
		expect(await states(id)).toEqual(five('underway'));
		await room.queues.discard(id, 'oleg');
	});

	test('what is built again while the rest of its queue is discarded is built', async () => {
		const id = await givenUp(4);
		await room.queues.advance(id);
		expect(await states(id)).toEqual([...four('refused'), 'underway']);
		const { db, isHeld, release } = heldResult(database.db, (_rows, statement) =>
			/^update "approval_queues"/.test(statement)
		);
		const building = roomOver(db, gateway).queues.buildAgain(id, 'oleg');
		await isHeld;
		const discarding = room.queues.discard(id, 'nora');
		await isWaiting(database, database.db);
		release();
		await discarding;
		expect(await building).toBe(4);
		// On SQLite the second begins after the first has ended, and discards what that one began.
		const { queue, items: last } = (await room.queues.get(id))!;
		expect(queue.state).toBe(last.some(({ state }) => state === 'waiting') ? 'open' : 'discarded');
	});

	test('an approval that the daemon refuses is refused, with the reason, and can be built again', async () => {
		const [burn] = await burns(1);
		const id = await queueOf([burn!.txid]);
		await room.queues.advance(id);
		const [first] = await shown(id);
		expect(await room.queues.confirm(id, [first!], 'nora')).toBe(1);
		const refusing = roomOver(database.db, {
			...gateway,
			call(daemon, method, params, options) {
				if (method !== 'sendrawtransaction') return gateway.call(daemon, method, params, options);
				// Bytes that no daemon accepts.
				const bent = [`${String(params[0]).slice(0, -8)}01000000`] as never;
				return gateway.call(daemon, method, bent, options);
			}
		});
		await refusing.queues.advance(id);
		expect((await states(id))[0]).toBe('refused');
		expect((await problemsOf(id))[0]).toContain('is malformed');
		expect(await room.queues.buildAgain(id, 'nora')).toBe(1);
		await room.queues.advance(id);
		expect(await states(id)).toEqual(five('underway'));
		await room.queues.discard(id, 'nora');
	});

	test('what is confirmed, built again or discarded is so with its record, or not at all', async () => {
		const [burn] = await burns(1);
		const id = await queueOf([burn!.txid]);
		const brokenOff = (act: () => Promise<unknown>) =>
			expect(withoutLog(database.db, act)).rejects.toThrow(/audit_events/);
		await room.queues.advance(id);
		expect(await states(id)).toEqual(five('underway'));
		const reviews = await shown(id);
		await brokenOff(() => room.queues.confirm(id, reviews, 'nora'));
		expect(await states(id)).toEqual(five('underway'));
		for (const { transaction } of await items(id))
			await room.sender.discard(transaction!.id, 'nora');
		await brokenOff(() => room.queues.discard(id, 'nora'));
		expect(await states(id)).toEqual(five('underway'));
		await room.queues.advance(id);
		await room.queues.advance(id);
		expect((await room.queues.get(id))!.queue.state).toBe('done');
		await brokenOff(() => room.queues.buildAgain(id, 'nora'));
		expect(await states(id)).toEqual(five('refused'));
		expect(await room.queues.buildAgain(id, 'nora')).toBe(5);
		await room.queues.advance(id);
		expect(await states(id)).toEqual(five('underway'));
		await room.queues.discard(id, 'nora');
	});

	test('what is discarded while another server is at it is discarded, and on record as what it is', async () => {
		const [burn] = await burns(1);
		const built = await queueOf([burn!.txid]);
		await room.queues.advance(built);
		const waiting = await queueOf([burn!.txid]);
		let asked = 0;
		const discards = async (id: string, moment: number): Promise<void> => {
			asked = 0;
			const rights = {
				walletRefusal: async () => {
					if ((asked += 1) === moment) await room.queues.advance(id);
					return null;
				}
			};
			await roomOver(database.db, gateway, { rights }).queues.discard(id, 'oleg');
		};
		const told = async (target: string) =>
			(await auditOf(database).list({ action: 'approvals.discarded', limit: 50 }))
				.filter((event) => event.target === target)
				.map(({ detail }) => detail);
		// The worker finds the approvals of the first four wallets discarded, and ends them.
		await discards(built, 5);
		expect(await states(built)).toEqual(five('refused'));
		expect(await told(built)).toEqual([{ approvals: 5 }]);
		// The worker starts the waiting approvals.
		await discards(waiting, 1);
		expect(await states(waiting)).toEqual(five('refused'));
		expect(await told(waiting)).toEqual([{ approvals: 5 }]);
		expect((await room.queues.get(waiting))!.queue.state).toBe('discarded');
	});

	test('who discards a queue of which the rest is sent meanwhile hears that some was discarded, on record once', async () => {
		const [one, two] = await burns(2);
		const id = await queueOf([one!.txid, two!.txid]);
		await room.queues.advance(id);
		const [other] = NOTARIES.slice(-1);
		let asked = 0;
		const rights = {
			async walletRefusal(_person: string, daemon: string) {
				asked += 1;
				// The tenth call is for the last approval of both burns: another server starts the waiting ones.
				if (asked === 10) await room.queues.advance(id);
				if (asked === 11) {
					const begun = (await items(id)).flatMap(({ state, transaction }) =>
						state === 'underway' && transaction?.daemon !== other ? [transaction!.id] : []
					);
					await room.queues.confirm(id, begun, 'nora');
					await room.queues.advance(id);
				}
				return daemon === other ? new AppError('wallet.not-granted', { daemon }) : null;
			}
		};
		await roomOver(database.db, gateway, { rights }).queues.discard(id, 'oleg');
		const [mine, its] = [four('refused'), 'underway'];
		expect(await states(id)).toEqual([...mine, its, ...four('sent'), 'waiting']);
		const events = await auditOf(database).list({ action: 'approvals.discarded', limit: 50 });
		expect(events.filter(({ target }) => target === id).map(({ detail }) => detail)).toEqual([
			{ approvals: 4 }
		]);
		await room.queues.discard(id, 'nora');
	});

	test('the wallets of others are left out, and who may not use a wallet sends nothing of it', async () => {
		const [burn] = await burns(1);
		const mine = new Set([NOTARIES[0], NOTARIES[1]]);
		const refusal = (person: string, daemon: string) =>
			Promise.resolve(person === 'nora' && mine.has(daemon) ? null : denied(daemon));
		const own = roomOver(database.db, gateway, {
			rights: { walletRefusal: refusal, sendRefusal: refusal }
		});
		const denied = (daemon: string) => new AppError('wallet.not-granted', { daemon });
		expect(await own.queues.create([burn!.txid], 'otto')).toEqual({ refused: 'no-wallet' });
		const id = await queueOf([burn!.txid], own);
		await own.queues.advance(id);
		expect((await items(id)).map(({ daemon }) => daemon)).toEqual([...mine]);
		await expect(own.queues.confirm(id, await shown(id), 'otto')).rejects.toMatchObject({
			code: 'work.denied'
		});
		await expect(own.queues.discard(id, 'otto')).rejects.toMatchObject({ code: 'work.denied' });
		expect(await states(id)).toEqual(['underway', 'underway']);
		expect(await mempool()).toEqual([]);
		await own.queues.discard(id, 'nora');
		expect((await room.queues.get(id))!.queue.state).toBe('discarded');
	});

	test('a role that was taken away and a console that was frozen stop what was confirmed, and nothing is lost', async () => {
		const [burn] = await burns(1);
		const id = await queueOf([burn!.txid]);
		await room.queues.advance(id);
		await room.queues.confirm(id, await shown(id), 'nora');
		const demoted = roomOver(database.db, gateway, {
			rights: {
				sendRefusal: () => Promise.resolve(new AppError('wallet.role-gone', { person: 'nora' }))
			}
		});
		await demoted.queues.advance(id);
		expect(await states(id)).toEqual(five('underway'));
		expect((await problemsOf(id))[0]).toMatch(/may no longer approve burns/);
		const safetyControls = createSafetyControls(database.db, auditOf(database));
		const asking = gatewayToAll(net, {}, null, (method) => safetyControls.refusal(method));
		const frozen = roomOver(database.db, asking);
		await safetyControls.turnOn('freeze', 'we look at something', 'grace');
		await frozen.queues.confirm(id, await shown(id), 'nora');
		await frozen.queues.advance(id);
		expect(await states(id)).toEqual(five('underway'));
		expect((await problemsOf(id))[0]).toMatch(/frozen by grace/);
		await safetyControls.turnOff('freeze', null);
		await asking.close();
		// Nothing is sent automatically when the freeze is turned off: a member must confirm again.
		await room.queues.advance(id);
		expect(await mempool()).toEqual([]);
		const over = roomOver(database.db, gateway, {
			rights: { measureSpend: () => Promise.reject(new AppError('limit.unreadable')) }
		});
		await over.queues.confirm(id, await shown(id), 'nora');
		await over.queues.advance(id);
		expect(await states(id)).toEqual(five('underway'));
		await room.queues.confirm(id, await shown(id), 'nora');
		await room.queues.advance(id);
		expect(await mempool()).toHaveLength(5);
	});

	test('what was confirmed stays so while a reorganization keeps it from being measured', async () => {
		const [burn] = await burns(1);
		const id = await queueOf([burn!.txid]);
		await room.queues.advance(id);
		await room.queues.confirm(id, await shown(id), 'nora');
		const missing = new AppError('limit.parent-unknown', { txid: '0'.repeat(64) });
		const unmeasured = roomOver(database.db, gateway, {
			rights: { measureSpend: () => Promise.reject(missing) }
		});
		await unmeasured.queues.advance(id);
		expect(await states(id)).toEqual(five('confirmed'));
		expect((await problemsOf(id))[0]).toBe(missing.message);
		expect(await mempool()).toEqual([]);
		await room.queues.advance(id);
		expect(await states(id)).toEqual(five('sent'));
		expect(await problemsOf(id)).toEqual(five(null));
	});

	test('two servers at one queue build and send every approval once', async () => {
		const published = await burns(2);
		const id = await queueOf(published.map(({ txid }) => txid));
		const other = roomOver(await database.openAnother(), gateway);
		const both = () => Promise.all([room.queues.advance(id), other.queues.advance(id)]);
		for (let wave = 0; wave < 2; wave++) {
			await both();
			const ready = await shown(id);
			expect(ready).toHaveLength(5);
			await Promise.all([
				room.queues.confirm(id, ready, 'nora'),
				other.queues.confirm(id, ready, 'oleg')
			]);
			await both();
			expect(await mempool()).toHaveLength(5 * (wave + 1));
		}
	});

	test('a server killed before and after each call is followed by one that finishes, and nothing is sent twice', async () => {
		const deaths: Order['dieAt'][] = [
			{ method: 'migrate_createnotaryapprovaltransaction', call: 2, when: 'after' },
			{ method: 'sendrawtransaction', call: 1, when: 'before' },
			{ method: 'sendrawtransaction', call: 3, when: 'after' }
		];
		// A crash leaves the same rows in both databases, so only one of them runs all cases.
		const tried = database.db.dialect === 'sqlite' ? deaths : deaths.slice(2);
		for (const dieAt of tried) {
			const [burn] = await burns(1);
			const id = await queueOf([burn!.txid]);
			if (dieAt.method === 'sendrawtransaction') {
				await room.queues.advance(id);
				await room.queues.confirm(id, await shown(id), 'nora');
			}
			const order: Order = { database: database.options, daemons: daemonsOf(net), id, dieAt };
			const child = await forkBundled(PROCESS, order);
			expect(
				await new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
			).toBe('SIGKILL');
			await room.queues.advance(id);
			if (dieAt.method !== 'sendrawtransaction') {
				expect(await shown(id), JSON.stringify(dieAt)).toHaveLength(5);
				await room.queues.confirm(id, await shown(id), 'nora');
				await room.queues.advance(id);
			}
			// A transaction that the dead process was sending is looked up some minutes later.
			const later = roomOver(database.db, gateway, { sendClock: () => Date.now() + 3 * MINUTE });
			await later.sender.reconcileAll();
			await room.queues.advance(id);
			for (const { transaction } of await items(id)) {
				if (transaction?.state === 'unknown') await room.sender.send(transaction.id, 'nora');
			}
			expect(await states(id), JSON.stringify(dieAt)).toEqual(five('sent'));
			expect(await mempool(), JSON.stringify(dieAt)).toHaveLength(5);
			await net.control.mine('BETA');
		}
	});

	test('nothing, too much and what waits for nothing are refused', async () => {
		expect(await room.queues.create([], 'nora')).toEqual({ refused: 'no-burn' });
		expect(await room.queues.create(['ab'.repeat(32)], 'nora')).toEqual({ refused: 'no-burn' });
		const many = Array.from({ length: MOST_BURNS + 1 }, (_, n) => n.toString(16).padStart(64, '0'));
		expect(await room.queues.create(many, 'nora')).toEqual({ refused: 'too-many' });
		expect(await room.queues.get('no-such')).toBeNull();
		expect(await room.queues.confirm('no-such', ['x'], 'nora')).toBe(0);
	});
});
