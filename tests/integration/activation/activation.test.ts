import { createListedServers } from '#lib/server/kdf/servers/listedServers.ts';
import { failureWords, safeWords } from '#lib/messages/activation/failures.ts';
import { formFaults } from '#lib/messages/activation/formFaults.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { factsOf } from '#lib/server/kdf/holdings/balances.ts';
import { activationEvents } from '#lib/messages/activation/events.ts';
import { padOf } from '#lib/server/kdf/activation/pads.ts';
import { ActivationStore } from '#lib/server/kdf/activation/store.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import type { Probe } from '#lib/server/kdf/egress/probe.ts';
import { describeOnBothDatabases, withoutLog } from '../../support/database.ts';
import { addRecorded } from '../../support/members.ts';
import {
	activated,
	ADDRESS,
	legacyRefused,
	ok,
	PASSWORD,
	refused,
	taskError
} from './scriptedNode.ts';
import { UNJUDGED } from '../../support/permissive.ts';
import { createWorld, NODE, type World } from './world.ts';
import { createCipher } from '#lib/server/platform/secrets/encrypt.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

const PIN = '918273645';
const inProgress = { status: 'InProgress', details: 'RequestingWalletBalance' };
const wantsPin = { status: 'UserActionRequired', details: 'EnterTrezorPin' };
const wrongPin = taskError('CoinCreationError', 'Error on platform coin KMD creation: InvalidPin', {
	ticker: 'KMD',
	error: 'InvalidPin'
});

/** The error of a refused action. */
async function refusal(act: Promise<unknown>): Promise<unknown> {
	return act.then(
		() => null,
		(error: unknown) => error
	);
}

/** The code of a refused action, or `done`. */
async function outcome(act: Promise<unknown>): Promise<string> {
	try {
		await act;
		return 'done';
	} catch (error) {
		if (isAppError(error, 'activation')) return error.code;
		throw error;
	}
}

describeOnBothDatabases('activation', (database) => {
	let world: World;
	beforeEach(async () => {
		world = await createWorld(database);
	});
	afterEach(() => world.close());

	const tellTask = (id: number, status: unknown): unknown => world.node.tasks.set(id, status);
	const events = async (id: string): Promise<string[]> =>
		(await world.activations.events(id)).map(({ message }) => activationEvents.text(message));

	it('keeps the addresses of a request closed in the database', async () => {
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		const address = JSON.parse((await world.row(id)).params) as unknown;
		const stored = await database.db
			.selectFrom('activations')
			.selectAll()
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		expect(JSON.stringify(address)).toContain('127.0.0.1');
		expect(stored.probes).not.toBeNull();
		expect(Object.values(stored).map(String).join(' ')).not.toContain('127.0.0.1');
	});

	it('ends what cannot be decrypted any more, and keeps neither its coin nor other work waiting', async () => {
		const other = await world.begin('DOC', 'task::enable_utxo', { mm2: '1' });
		const ids = [await world.begin('KMD', 'task::enable_utxo')];
		await world.pass(0);
		world.node.tasks.set(1, activated('KMD'));
		await world.pass(2);
		ids.push(await world.begin('KMD', 'task::enable_utxo'));
		const spoiled = { params: 'sealed:1:AAAA', probes: 'sealed:1:AAAA' };
		await database.db.updateTable('activations').set(spoiled).where('id', 'in', ids).execute();
		await world.pass(2);
		const [done, late] = [await world.row(ids[0]!), await world.row(ids[1]!)];
		expect([done.state, done.unreadable, late.state, late.open_key]).toEqual([
			...['active', true, 'failed', null]
		]);
		expect(await world.words(late.id)).toMatchObject({
			what: expect.stringContaining('cannot be read') as string,
			safe: safeWords.nothing
		});
		expect(await outcome(world.activations.repeat(late.id, 'ada'))).toBe('activation.unreadable');
		// The form's values are not needed any more for a task that the node already works on.
		await database.db.updateTable('activations').set(spoiled).where('id', '=', other).execute();
		world.node.tasks.set(0, activated('DOC'));
		await world.pass(2);
		expect((await world.row(other)).state).toBe('active');
		world.node.enabled.add('KMD');
		const { coins } = await world.activations.coins.catalog();
		const { swaps } = await world.activations.look({
			node: NODE,
			coin: coins.find(({ ticker }) => ticker === 'KMD')!,
			coins,
			tickers: new Set(['KMD']),
			waitMs: 5_000,
			part: { account: 0, page: 1, history: 1 }
		});
		expect(swaps).toBeNull();
		const next = await world.activations.begin({
			node: NODE,
			coin: 'KMD',
			method: 'task::enable_utxo',
			by: 'ada',
			params: {
				ticker: 'KMD',
				activation_params: { mode: { rpc: 'Native' } }
			}
		});
		expect(next.joined).toBe(false);
	});

	it('begins anew when the one that it would join ends at that moment', async () => {
		// SQLite has one writer at a time.
		if (database.dialect === 'SQLite') return;
		const before = await world.begin('KMD', 'task::enable_utxo');
		const inserts = new WeakSet<object>();
		const racing = database.db.withPlugin({
			transformQuery({ node, queryId }) {
				if (node.kind === 'InsertQueryNode') inserts.add(queryId);
				return node;
			},
			async transformResult({ result, queryId }) {
				if (inserts.has(queryId) && result.rows.length === 0) {
					const ended = { state: 'cancelled', open_key: null } as const;
					await database.db
						.updateTable('activations')
						.set(ended)
						.where('id', '=', before)
						.execute();
				}
				return result;
			}
		});
		const store = new ActivationStore({
			db: racing as typeof database.db,
			audit: world.audit,
			cipher: createCipher([new Uint8Array(32).fill(7)])
		});
		const asked = {
			id: randomUUID(),
			node: NODE,
			coin: 'KMD',
			params: '{}',
			by: 'ben',
			method: 'task::enable_utxo' as const,
			state: 'starting' as const
		} satisfies Parameters<typeof store.begin>[0];
		expect(await store.begin(asked)).toEqual({ id: asked.id, joined: false });
		await database.db.deleteFrom('activations').where('id', '=', asked.id).execute();
	});

	it('looks at the servers, starts a task, follows it, keeps the result and lets the node forget it', async () => {
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		let row = await world.row(id);
		expect([row.state, Number(row.task_id)]).toEqual(['running', 0]);
		const probes = JSON.parse(row.probes!) as Probe[];
		expect(probes.map(({ ok: good }) => good)).toEqual([true, false]);
		expect(probes[0]).toMatchObject({ height: 4321, software: 'ElectrumX 1.16.0' });
		expect(probes[1]!.reason).toMatch(/^Nothing answers at 127\.0\.0\.1:/);
		tellTask(0, inProgress);
		await world.pass(1);
		row = await world.row(id);
		expect(row.step).toBe('"RequestingWalletBalance"');
		expect(world.node.tasks.has(0)).toBe(true);
		tellTask(0, activated('KMD'));
		await world.pass(1);
		row = await world.row(id);
		expect([row.state, row.forget_task, row.due_at, row.open_key]).toEqual([
			'active',
			null,
			null,
			null
		]);
		expect(factsOf('KMD', JSON.parse(row.result!) as Plain).lines).toEqual([
			{ address: ADDRESS, path: null, ticker: 'KMD', spendable: '7.5', unspendable: '0' }
		]);
		expect(world.node.tasks.has(0)).toBe(false);
		const asked = world.node.seen.filter(({ method }) => method.endsWith('::status'));
		expect(asked.map(({ params }) => params['forget_if_finished'])).toEqual([
			false,
			false,
			false,
			true
		]);
		expect(await events(id)).toEqual([
			'Started by ada',
			'1 of 2 servers answered',
			'In progress on the trading node as task 0',
			'Activated'
		]);
	});

	it('activates in one call, and takes a coin that is active already for a success with its balance', async () => {
		world.node.on('electrum', () => ({
			body: {
				result: 'success',
				coin: 'KMD',
				address: ADDRESS,
				balance: '7.62',
				unspendable_balance: '0',
				required_confirmations: 2,
				requires_notarization: true,
				mature_confirmations: 100
			}
		}));
		const first = await world.begin('KMD', 'electrum');
		await world.pass(0);
		expect((await world.row(first)).state).toBe('active');
		const sent = world.node.seen.find(({ method }) => method === 'electrum')!;
		expect(sent.params).toMatchObject({
			coin: 'KMD',
			min_connected: 1,
			max_connected: 2,
			mm2: 1,
			required_confirmations: 2,
			requires_notarization: true,
			tx_history: false
		});

		world.node.enabled.add('KMD');
		world.node.on('electrum', () => legacyRefused('Coin KMD already initialized'));
		world.node.on('task::enable_utxo::init', () =>
			refused('CoinIsAlreadyActivated', 'Coin KMD is activated already', { ticker: 'KMD' })
		);
		for (const method of ['electrum', 'task::enable_utxo'] as const) {
			const id = await world.begin('KMD', method);
			await world.pass(0);
			const row = await world.row(id);
			expect(row.state).toBe('active');
			expect(factsOf('KMD', JSON.parse(row.result!) as Plain).lines[0]!.spendable).toBe('7.5');
			expect((await events(id)).at(-1)).toBe('It was active already');
		}
		// Of two concurrent tasks for one coin, the loser learns of it in its status.
		world.node.on('task::enable_utxo::init', () => ok({ task_id: world.node.begin(inProgress) }));
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		tellTask(
			0,
			taskError('CoinIsAlreadyActivated', 'Coin KMD is activated already', { ticker: 'KMD' })
		);
		await world.pass(1);
		expect((await world.row(id)).state).toBe('active');
	});

	it('keeps nobody waiting with the first call to a node, however long that takes', async () => {
		const { promise: servers, resolve: answered } = Promise.withResolvers<true>();
		world.node.on('electrum', async () => {
			await servers;
			return legacyRefused('Coin KMD already initialized');
		});
		world.node.enabled.add('KMD');
		await world.begin('KMD', 'electrum');
		const moved = world.pass(0);
		while (world.node.count('electrum') === 0) await pause(5);
		const { tickers } = await world.activations.active(NODE);
		answered(true);
		await moved;
		expect(tickers).toEqual(new Set(['KMD']));
	});

	it('has one task for a coin, however many people ask at once', async () => {
		const begun = await Promise.all(
			['ada', 'ben', 'cy', 'dan'].map((by) => world.begin('KMD', 'task::enable_utxo', {}, by))
		);
		expect(new Set(begun).size).toBe(1);
		await world.pass(0);
		expect(world.node.count('task::enable_utxo::init')).toBe(1);
		expect((await events(begun[0]!)).filter((words) => words.includes('joined'))).toHaveLength(3);
		// Another coin, and the same coin later, get their own tasks.
		expect(await world.begin('DOC', 'task::enable_utxo')).not.toBe(begun[0]);
		tellTask(0, activated('KMD'));
		await world.pass(1);
		expect(await world.begin('KMD', 'task::enable_utxo')).not.toBe(begun[0]);
	});

	it('goes on after the console was killed, between asking the node and hearing from it as well', async () => {
		// The response to the first request is lost, and the console is killed.
		let asked = 0;
		world.node.on('task::enable_utxo::init', () => {
			asked += 1;
			const id = world.node.begin(inProgress);
			return asked === 1 ? 'drop' : ok({ task_id: id });
		});
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		expect((await world.row(id)).state).toBe('waiting');
		await world.pass(5);
		expect((await world.row(id)).state).toBe('running');

		// The lease of a killed worker ends, and another console continues.
		await database.db
			.updateTable('activations')
			.set({
				lease_owner: 'killed',
				lease_until: BigInt(world.now() + 15_000),
				due_at: BigInt(world.now())
			})
			.where('id', '=', id)
			.execute();
		const other = await world.restarted();
		await other.advanceDue();
		expect((await world.row(id)).lease_owner).toBe('killed');
		tellTask(1, activated('KMD'));
		await world.pass(16);
		expect((await world.row(id)).state).toBe('active');
	});

	it('tells tasks of an earlier life of the node from those of the present one', async () => {
		const first = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		expect(Number((await world.row(first)).task_id)).toBe(0);
		world.node.restart();
		// The node immediately uses the id again for another coin's task.
		const second = await world.begin('DOC', 'task::enable_utxo', { mm2: '1' });
		await world.pass(0);
		expect(Number((await world.row(second)).task_id)).toBe(0);
		expect((await world.row(first)).state).toBe('void');
		expect((await events(first)).at(-1)).toBe('The trading node was restarted, so task 0 is void');

		// Also without another task: the node does not know the task.
		world.node.restart();
		await world.pass(2);
		expect((await world.row(second)).state).toBe('void');
		expect((await events(second)).at(-1)).toBe('The trading node does not know task 0 any more');
		// And when another client got the id, and the result names another coin.
		const third = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		tellTask(0, activated('LTC'));
		await world.pass(1);
		expect((await world.row(third)).state).toBe('void');
		// If another client has read the result, nothing is lost while the coin is active.
		const fourth = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		world.node.tasks.clear();
		world.node.enabled.add('KMD');
		await world.pass(1);
		expect((await world.row(fourth)).state).toBe('active');
	});

	it('takes no task of an earlier life for its own where the answer hides whose it is', async () => {
		const beginEth = async (): Promise<string> => {
			const { id } = await world.activations.begin({
				node: NODE,
				coin: 'ETH',
				method: 'task::enable_eth',
				by: 'ada',
				params: {
					ticker: 'ETH',
					nodes: [],
					swap_contract_address: `0x${'1'.repeat(40)}`,
					fallback_swap_contract: `0x${'2'.repeat(40)}`,
					erc20_tokens_requests: []
				}
			});
			await world.pass(0);
			return id;
		};
		// A wallet with a single address, whose result names no coin.
		const done = {
			status: 'Ok',
			details: {
				current_block: 7,
				eth_addresses_infos: {},
				erc20_addresses_infos: {},
				nfts_infos: {}
			}
		};
		const lost = await beginEth();
		world.node.restart();
		// Another client's task, for another platform.
		world.node.begin(done);
		world.node.enabled.add('MATIC');
		await world.pass(2);
		expect((await world.row(lost)).state).toBe('void');
		expect((await events(lost)).at(-1)).toBe('Task 0 now belongs to another coin');
		// The result is still available to the other client.
		expect(world.node.tasks.get(0)).toBe(done);

		// While the node cannot list its coins, such a result is not used; afterwards that of our own task is accepted.
		const own = await beginEth();
		tellTask(Number((await world.row(own)).task_id), done);
		world.node.on('get_enabled_coins', () => 'drop');
		await world.pass(2);
		expect((await world.row(own)).state).toBe('running');
		world.node.on('get_enabled_coins', () => ok({ coins: [{ ticker: 'ETH' }] }));
		await world.pass(10);
		expect((await world.row(own)).state).toBe('active');

		// A failure of another coin must not count as a failure of this one, nor its success as a success.
		for (const [type, data] of [
			['CoinIsAlreadyActivated', { ticker: 'LTC' }],
			['CoinCreationError', { ticker: 'LTC', error: 'no' }],
			['CoinConfigIsNotFound', 'LTC']
		] as const) {
			const id = await world.begin('KMD', 'task::enable_utxo');
			await world.pass(0);
			tellTask(Number((await world.row(id)).task_id), taskError(type, 'no', data));
			await world.pass(2);
			expect([type, (await world.row(id)).state]).toEqual([type, 'void']);
		}
	});

	it('takes no task for lost whose id was heard of before that of an earlier one', async () => {
		// The node has accepted the password, so both can be called at the same time.
		await world.activations.active(NODE);
		const ids = {
			KMD: await world.begin('KMD', 'task::enable_utxo'),
			DOC: await world.begin('DOC', 'task::enable_utxo', { mm2: '1' })
		};
		const states = async () =>
			[(await world.row(ids.KMD)).state, (await world.row(ids.DOC)).state] as const;
		world.node.on('task::enable_utxo::init', async () => {
			const id = world.node.begin(inProgress);
			// The response with the smaller id arrives after the one with the larger id was stored.
			while (id === 0 && !(await states()).includes('running')) await pause(5);
			return ok({ task_id: id });
		});
		world.activations.start();
		while ((await states()).some((state) => state === 'probing' || state === 'starting')) {
			await pause(5);
		}
		expect(await states()).toEqual(['running', 'running']);
	});

	it('tries again with growing delays while the network is away, at once when asked, and gives up at last', async () => {
		const id = await world.begin('GONE', 'task::enable_utxo');
		await world.pass(0);
		expect(world.node.count('task::enable_utxo::init')).toBe(0);
		expect(await world.words(id)).toMatchObject({
			what: 'The server does not answer.',
			next: expect.stringContaining('try again later') as string
		});
		const delays: number[] = [];
		for (let row = await world.row(id); row.state === 'waiting'; row = await world.row(id)) {
			const wait = (Number(row.due_at) - world.now()) / 1_000;
			delays.push(wait);
			if (delays.length === 2) {
				await world.activations.hurry(id, 'ben');
				await world.pass(0);
			} else {
				await world.pass(wait - 1);
				expect((await world.row(id)).attempt).toBe(row.attempt);
				await world.pass(1);
			}
		}
		expect(delays).toEqual([5, 15, 45, 120, 300]);
		expect((await world.row(id)).state).toBe('failed');
		expect((await events(id)).at(-1)).toBe('Failed after attempt 6, the last one');
		expect(await outcome(world.activations.hurry(id, 'ben'))).toBe('activation.not-waiting');

		// A task that fails without a server is retried too, and its result is read first.
		const other = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		tellTask(0, taskError('Transport', 'Transport error: all servers errored', 'all'));
		await world.pass(1);
		expect(await world.row(other)).toMatchObject({ state: 'waiting', forget_task: null });
		expect(world.node.tasks.size).toBe(0);
		await world.pass(5);
		expect((await world.row(other)).state).toBe('running');
	});

	it('tries again at once when asked, also while a result is being read away or cannot be', async () => {
		const id = await world.begin('KMD', 'task::enable_utxo');
		const failNow = (): void => {
			tellTask(world.node.nextTask - 1, taskError('Transport', 'all servers errored', 'all'));
		};
		await world.pass(0);
		failNow();
		world.node.on('task::enable_utxo::status', async ({ params }) => {
			if (params['forget_if_finished'] !== false) await world.activations.hurry(id, 'ben');
			return ok(world.node.tasks.get(Number(params['task_id'])));
		});
		await world.pass(1);
		await world.pass(0);
		expect(await world.row(id)).toMatchObject({ attempt: 2n, state: 'running' });
		failNow();
		world.node.on('task::enable_utxo::status', ({ params }) =>
			params['forget_if_finished'] === false
				? ok(world.node.tasks.get(Number(params['task_id'])))
				: 'drop'
		);
		await world.pass(1);
		expect(await world.row(id)).toMatchObject({ state: 'waiting', forget_task: 1n });
		await world.activations.hurry(id, 'ben');
		await world.pass(0);
		expect(await world.row(id)).toMatchObject({ attempt: 3n, state: 'running' });
	});

	it('ends what waits for its next try although the node does not remove an old result, which it does later', async () => {
		let forgets = false;
		world.node.on('task::enable_utxo::status', ({ params }) => {
			const id = Number(params['task_id']);
			const task = world.node.tasks.get(id);
			if (params['forget_if_finished'] === false) return ok(task);
			if (!forgets) return 'drop';
			world.node.tasks.delete(id);
			return ok(task);
		});
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		tellTask(0, taskError('Transport', 'Transport error: all servers errored', 'all'));
		await world.pass(1);
		expect(await world.row(id)).toMatchObject({ state: 'waiting', forget_task: 0n });
		await world.activations.cancel(id, 'ben');
		const before = world.node.count('task::enable_utxo::status');
		await world.pass(0);
		const ended = await world.row(id);
		expect(ended).toMatchObject({ state: 'cancelled', open_key: null, forget_task: 0n });
		expect((await events(id)).at(-1)).toBe('Canceled before the trading node was asked');
		// It is tried again after a pause, not at once.
		expect(world.node.count('task::enable_utxo::status')).toBe(before + 1);
		expect(Number(ended.due_at)).toBe(world.now() + 3_000);
		forgets = true;
		await world.pass(3);
		expect(await world.row(id)).toMatchObject({ forget_task: null, due_at: null });
		expect(world.node.tasks.size).toBe(0);
	});

	it('ends a task when asked, and says what became of one that had finished', async () => {
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		await world.activations.cancel(id, 'ben');
		await world.pass(0);
		expect((await world.row(id)).state).toBe('cancelled');
		expect(world.node.tasks.size).toBe(0);
		expect(await refusal(world.activations.cancel(id, 'ben'))).toMatchObject({
			code: 'activation.ended',
			params: { coin: 'KMD', state: 'cancelled' }
		});

		// The task finishes at the node while the request to cancel it is under way.
		const late = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		tellTask(1, activated('KMD'));
		await world.activations.cancel(late, 'ben');
		await world.pass(0);
		expect((await world.row(late)).state).toBe('active');
		expect(await events(late)).toContain('Task finished before it could be canceled');
		expect(await refusal(world.activations.cancel(late, 'ben'))).toMatchObject({
			code: 'activation.ended',
			params: { coin: 'KMD', state: 'active' }
		});
		// Before the node was asked, and between two attempts.
		const early = await world.begin('GONE', 'task::enable_utxo');
		const unrecorded = withoutLog(database.db, () => world.activations.cancel(early, 'ben'));
		await expect(unrecorded).rejects.toThrow(/audit_events/);
		expect((await world.row(early)).cancel_by).toBeNull();
		await world.activations.cancel(early, 'ben');
		await world.pass(0);
		expect((await world.row(early)).state).toBe('cancelled');
		const waiting = await world.begin('GONE', 'task::enable_utxo');
		await world.pass(0);
		expect((await world.row(waiting)).state).toBe('waiting');
		await world.activations.cancel(waiting, 'ben');
		await world.pass(0);
		expect((await world.row(waiting)).state).toBe('cancelled');
		expect(await outcome(world.activations.cancel('0000', 'ben'))).toBe('activation.unknown');
	});

	it('says of one that is ended after an unanswered call whether the node acted, or that it may have', async () => {
		const begin = async (): Promise<string> => {
			const id = await world.begin('KMD', 'electrum');
			await world.pass(0);
			expect(await world.row(id)).toMatchObject({ state: 'waiting' });
			return id;
		};
		world.node.on('electrum', () => 'hang');
		const unsure = await begin();
		await world.activations.cancel(unsure, 'ben');
		await world.pass(0);
		const ended = await world.row(unsure);
		expect(ended.state).toBe('cancelled');
		expect((await events(unsure)).at(-1)).toBe(
			'Canceled; the trading node may have acted all the same'
		);
		expect(JSON.parse(ended.failure!)).toMatchObject({ kind: 'unsure' });

		const done = await begin();
		world.node.enabled.add('KMD');
		await world.activations.cancel(done, 'ben');
		await world.pass(0);
		expect(await world.row(done)).toMatchObject({ state: 'active', failure: null });
		expect((await world.row(done)).result).toContain(ADDRESS);
		expect((await events(done)).at(-1)).toBe('It became active before it was canceled');

		// The coin is disabled, and still listed because of its tokens.
		world.node.on('my_balance', () => legacyRefused('No such coin: KMD'));
		const passive = await begin();
		await world.activations.cancel(passive, 'ben');
		await world.pass(0);
		expect((await world.row(passive)).state).toBe('cancelled');
	});

	it('ends when asked where its node is not configured any more, and is seldom looked at until then', async () => {
		const due = (one: string): Promise<unknown> =>
			database.db.updateTable('activations').set({ due_at: 0n }).where('id', '=', one).execute();
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		const without = await world.withoutNodes();
		await due(id);
		await without.advanceDue();
		const row = await world.row(id);
		expect(row.state).toBe('running');
		expect(Number(row.due_at) - world.now()).toBe(60_000);
		await without.cancel(id, 'ben');
		await without.advanceDue();
		expect(await world.row(id)).toMatchObject({ state: 'cancelled', due_at: null });
		expect((await events(id)).at(-1)).toBe(
			'Canceled; the trading node may have acted all the same'
		);

		// The result is at a trading node that is no longer configured.
		const active = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		tellTask(1, activated('KMD'));
		world.node.on('task::enable_utxo::status', ({ params }) =>
			params['forget_if_finished'] === false ? ok(world.node.tasks.get(1)) : 'drop'
		);
		await world.pass(1);
		expect(await world.row(active)).toMatchObject({ state: 'active', forget_task: 1n });
		await due(active);
		await without.advanceDue();
		expect(await world.row(active)).toMatchObject({ forget_task: null, due_at: null });
		await without.stop();
	});

	it('remembers of an unanswered call that the node may have acted, over tries that ask it nothing', async () => {
		const begin = async (): Promise<string> => {
			const id = await world.begin('KMD', 'electrum');
			await world.pass(0);
			expect(JSON.parse((await world.row(id)).failure!)).toMatchObject({ kind: 'unsure' });
			return id;
		};
		const again = async (id: string, kind: string): Promise<void> => {
			await world.pass(5);
			const row = await world.row(id);
			expect(row).toMatchObject({ state: 'waiting', attempt: 2n });
			expect(JSON.parse(row.failure!)).toMatchObject({ kind });
			expect((await world.words(id)).safe).toBe(safeWords.unsure);
		};
		const canceled = async (id: string): Promise<unknown> => {
			await world.activations.cancel(id, 'ben');
			await world.pass(0);
			return (await events(id)).at(-1);
		};
		const DOUBT = 'Canceled; the trading node may have acted all the same';
		world.node.on('electrum', () => 'hang');

		// A safety control blocks the next attempt.
		const stopped = await begin();
		await world.safetyControls.turnOn('read-only', 'an incident', 'ada');
		await world.pass(5);
		expect(await world.row(stopped)).toMatchObject({ state: 'starting', attempt: 2n });
		expect(await canceled(stopped)).toBe(DOUBT);
		await world.safetyControls.turnOff('read-only', null);

		// The node is offline.
		const away = await begin();
		await world.node.stop();
		await again(away, 'away');
		expect(await canceled(away)).toBe(DOUBT);
		await world.node.start();

		// No server of the coin responds, so the node is not asked, until there are no attempts left.
		const silent = await begin();
		await world.electrum.stop();
		await again(silent, 'refused');
		for (const seconds of [15, 45, 120, 300]) await world.pass(seconds);
		expect(await world.row(silent)).toMatchObject({ state: 'failed', attempt: 6n });
		expect((await world.words(silent)).safe).toBe(safeWords.unsure);
	});

	it.each<[string, Parameters<World['node']['on']>[1], RegExp, RegExp]>([
		[
			'an unknown ticker',
			() => refused('CoinConfigIsNotFound', 'Coin KMD config is not found', 'KMD'),
			/^The node does not know KMD/,
			/Check the spelling/
		],
		[
			'a coin described as another kind',
			() =>
				refused('UnexpectedCoinProtocol', 'Unexpected platform protocol {"type":"QTUM"} for KMD', {
					ticker: 'KMD',
					protocol: { type: 'QTUM' }
				}),
			/protocol QTUM/,
			/method that fits/
		],
		[
			'a protocol it cannot read',
			() =>
				refused('CoinProtocolParseError', 'Coin KMD protocol parsing failed: x', {
					ticker: 'KMD',
					error: 'unknown variant'
				}),
			/unknown variant/,
			/coins file/
		],
		[
			'a device that is not set up',
			() =>
				refused(
					'CoinCreationError',
					'Error on platform coin KMD creation: Hardware Wallet context is not initialized',
					{ ticker: 'KMD', error: 'Hardware Wallet context is not initialized' }
				),
			/not set up on this node/,
			/Connect the hardware wallet/
		],
		[
			'an internal error',
			() => refused('Internal', 'Internal error: boom', 'boom', 500),
			/boom/,
			/Try again/
		],
		[
			'an error type of a later version',
			() => refused('SomethingNew', 'A new thing'),
			/A new thing/,
			/Correct/
		]
	])('says in words that the node refuses %s', async (_, answer, what, next) => {
		world.node.on('task::enable_utxo::init', answer);
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		expect((await world.row(id)).state).toBe('failed');
		const words = await world.words(id);
		expect(words.what).toMatch(what);
		expect(words.next).toMatch(next);
		expect(words.safe).toBe(safeWords.nothing);
	});

	it.each([
		[
			'mm2 param is not set neither in coins config nor enable request, assuming that coin is not supported',
			/^Neither the node’s coins file nor the request sets mm2 for KMD/
		],
		[
			'"protocol" field is missing in coins file. The file format is deprecated, please execute ./mm2 update_config command to convert it or download a new one',
			/^The node does not know KMD/
		],
		[
			'Internal error: manager:77] min_connected should be greater than 0',
			/minimum number of connected servers is 0/
		],
		[
			'Internal error: manager:80] min_connected (2) must be <= max_connected (1)',
			/min_connected \(2\) must be <= max_connected \(1\)/
		],
		["Error parsing the native wallet configuration '/x/y.conf': No such file", /daemon of KMD/],
		['ZHTLC protocol is not supported by lp_coininit', /ZHTLC protocol/],
		[
			'Deactivated coin due to error in balance querying: Ok(Err(UnexpectedDerivationMethod(ExpectedSingleAddress)))',
			/many addresses/
		]
	])('says in words what the older calls answer: %s', async (text, what) => {
		world.node.on('electrum', () => legacyRefused(text));
		const id = await world.begin('KMD', 'electrum');
		await world.pass(0);
		expect((await world.row(id)).state).toBe('failed');
		expect((await world.words(id)).what).toMatch(what);
	});

	it('offers the ordinary way for BCH that the coins file describes as a UTXO coin', async () => {
		world.node.on('task::enable_bch::init', () =>
			refused('UnexpectedCoinProtocol', 'Unexpected platform protocol {"type":"UTXO"} for BCH', {
				ticker: 'BCH',
				protocol: { type: 'UTXO' }
			})
		);
		const id = await world.begin('BCH', 'task::enable_bch');
		await world.pass(0);
		const words = await world.words(id);
		expect(words.what).toBe(failureWords.protocol('BCH', 'UTXO'));
		expect(words.offer).toBe('task::enable_utxo');
	});

	it('says that the node is down, goes on when it is back, and is held up by no password twice', async () => {
		await world.node.stop();
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		expect((await world.row(id)).state).toBe('waiting');
		expect((await world.words(id)).what).toBe(failureWords.away('node-1').what);
		await world.node.start();
		await world.pass(5);
		expect((await world.row(id)).state).toBe('running');
		// The node goes offline during a task: the activation remains and says so.
		await world.node.stop();
		await world.pass(1);
		expect(await world.row(id)).toMatchObject({
			state: 'running',
			reason: expect.stringMatching(/"code":"call\.failed".*"kind":"(?:away|unsure)"/) as string
		});
		await world.node.start();
		tellTask(0, activated('KMD'));
		await world.pass(3);
		expect((await world.row(id)).state).toBe('active');
	});

	it('stops at the first refused password', async () => {
		for (const name of ['task::enable_utxo::init', 'get_enabled_coins']) {
			world.node.on(name, () =>
				refused(
					'UserpassIsInvalid',
					'Userpass is invalid! - Rate Limit attempts left: 9',
					{ error_type: 'NbAttemptsLeft', error_data: 9 },
					403
				)
			);
		}
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		expect((await world.row(id)).state).toBe('failed');
		const words = await world.words(id);
		expect(words.what).toBe(failureWords.password('node-1').what);
		expect(words.admin).toBe(true);
		const before = world.node.seen.filter(({ method }) => method !== 'version').length;
		const again = await world.activations.repeat(id, 'ada');
		await world.pass(0);
		expect((await world.words(again.id)).what).toBe(failureWords.password('node-1').what);
		expect(world.node.seen.filter(({ method }) => method !== 'version')).toHaveLength(before);
	});

	it('waits while the console is read-only, and goes on afterwards without a lost try', async () => {
		await world.safetyControls.turnOn('read-only', 'an incident', 'ada');
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		expect(await world.row(id)).toMatchObject({
			state: 'starting',
			reason: JSON.stringify({
				code: 'call.stopped',
				params: {
					failure: {
						kind: 'switched-off',
						message: '',
						control: { code: 'safety.read-only', params: { by: 'ada', reason: 'an incident' } }
					}
				}
			})
		});
		expect(world.node.count('task::enable_utxo::init')).toBe(0);
		await world.safetyControls.turnOff('read-only', null);
		await world.pass(5);
		expect(await world.row(id)).toMatchObject({ state: 'running', attempt: 1n, reason: null });
	});

	it.each(['task::enable_utxo', 'electrum'] as const)(
		'ends what waits for the end of read-only mode, and asks the node nothing of it afterwards: %s',
		async (method) => {
			await world.safetyControls.turnOn('read-only', 'an incident', 'ada');
			const id = await world.begin('KMD', method);
			await world.pass(0);
			expect((await world.row(id)).state).toBe('starting');
			await world.activations.cancel(id, 'ben');
			await world.pass(0);
			expect((await world.row(id)).state).toBe('cancelled');
			await world.safetyControls.turnOff('read-only', null);
			await world.pass(10);
			const asked = world.node.seen.map(({ method: name }) => name);
			expect(asked.filter((name) => name.includes(method))).toEqual([]);
			expect((await world.activations.events(id)).at(-1)?.message.code).toBe('ended.before');
		}
	);

	it('keeps the node away from private networks that nobody listed', async () => {
		await world.close();
		world = await createWorld(database, { privateServers: '10.0.0.0/8' });
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		expect((await world.words(id)).what).toBe(
			'Every selected server is in a private network that is not listed.'
		);
		expect(world.electrum.connections).toBe(0);
		expect(world.node.count('task::enable_utxo::init')).toBe(0);
		// A server that an admin listed is checked and passed on; the other one is left out.
		const url = `127.0.0.1:${world.electrum.port}`;
		const admin = await addRecorded(database.db, world.audit, 'admin');
		const list = (coin: string) =>
			world.activations.listed.add({ coin, url, protocol: 'TCP', private: true }, admin);
		await list('KMD');
		const next = await world.begin('KMD', 'task::enable_utxo', { min_connected: '2' });
		await world.pass(0);
		expect((await world.row(next)).state).toBe('running');
		const sent = world.node.seen.find(({ method }) => method === 'task::enable_utxo::init')!;
		// Two connections to one server could never be established.
		const { rpc_data: data } = (
			sent.params as { activation_params: { mode: { rpc_data: unknown } } }
		).activation_params.mode;
		expect(data).toEqual({
			servers: [expect.objectContaining({ url }) as object],
			min_connected: 1,
			max_connected: 1
		});
		const older = await world.begin('DOC', 'electrum', { mm2: '1', min_connected: '2' });
		await list('DOC');
		await world.pass(0);
		expect((await world.row(older)).state).not.toBe('probing');
		expect(world.node.seen.find(({ method }) => method === 'electrum')?.params).toMatchObject({
			min_connected: 1,
			max_connected: 1
		});
	});

	it('opens what is listed at one server at every other one, from then on', async () => {
		const admin = await addRecorded(database.db, world.audit, 'admin');
		const refuse = (): Promise<void> => Promise.resolve();
		const [here, there] = [1, 2].map(() => createListedServers(database.db, world.audit, refuse));
		expect(await there!.opened()).toEqual([]);
		const server = { coin: 'KMD', url: '10.1.2.9:1', protocol: 'TCP', private: true } as const;
		await here!.add(server, admin);
		expect(await there!.opened()).toHaveLength(1);
		await here!.remove('KMD', server.url, 'TCP', admin);
		expect(await there!.opened()).toEqual([]);
	});

	it('lists no server, and removes none, for a member who is an admin no more', async () => {
		const { listed } = world.activations;
		const admin = await addRecorded(database.db, world.audit, 'admin');
		const former = await addRecorded(database.db, world.audit, 'operator');
		const server = { coin: 'KMD', url: '10.1.2.3:1', protocol: 'TCP', private: true } as const;
		await expect(listed.add(server, former)).rejects.toMatchObject({ code: 'account.not-admin' });
		expect(await listed.list()).toEqual([]);
		expect(await listed.opened()).toEqual([]);
		await listed.add(server, admin);
		await expect(listed.remove('KMD', server.url, 'TCP', former)).rejects.toMatchObject({
			code: 'account.not-admin'
		});
		expect(await listed.list()).toMatchObject([{ url: server.url, addedBy: admin.name }]);
		expect(await listed.remove('KMD', server.url, 'TCP', admin)).toBe(true);
	});

	it('lets one person give the PIN, counts the tries, and closes the pad with the task', async () => {
		const id = await world.begin('KMD', 'task::enable_utxo', { key: 'hardware' });
		await world.pass(0);
		tellTask(0, wantsPin);
		await world.pass(1);
		let row = await world.row(id);
		expect(padOf(row, world.now())).toEqual({
			kind: 'pin',
			holder: null,
			until: world.now() + 300_000,
			given: 0,
			wrong: 0
		});
		const { pads } = world.activations;
		expect(await outcome(pads.answer(id, 'ada', 'pin', PIN, UNJUDGED))).toBe(
			'activation.pad-not-held'
		);
		const takes = await Promise.all(['ada', 'ben'].map((by) => outcome(pads.take(id, by))));
		expect(takes.filter((said) => said === 'done')).toHaveLength(1);
		const holder = takes[0] === 'done' ? 'ada' : 'ben';
		const other = holder === 'ada' ? 'ben' : 'ada';
		expect(takes).toContain('activation.pad-held');
		expect(await outcome(pads.answer(id, other, 'pin', PIN, UNJUDGED))).toBe(
			'activation.pad-not-held'
		);
		expect(await outcome(pads.answer(id, holder, 'pin', '12a', UNJUDGED))).toBe(
			'activation.pin-invalid'
		);
		expect(world.node.count('task::enable_utxo::user_action')).toBe(0);
		await pads.answer(id, holder, 'pin', PIN, UNJUDGED);
		expect(world.node.seen.at(-1)!.params).toEqual({
			task_id: 0,
			user_action: { action_type: 'TrezorPin', pin: PIN }
		});
		// The device asks again within the task: the second attempt.
		await world.pass(1);
		row = await world.row(id);
		expect(padOf(row, world.now())).toMatchObject({ given: 1, holder });
		// An unused pad is released.
		await world.pass(91);
		await pads.take(id, other);
		expect(padOf(await world.row(id), world.now())).toMatchObject({ holder: other });
		tellTask(0, wrongPin);
		await world.pass(1);
		row = await world.row(id);
		expect(row).toMatchObject({ state: 'failed', pin_holder: null, wrong_pins: 1n });
		expect(padOf(row, world.now())).toBeNull();
		expect(await outcome(pads.answer(id, other, 'pin', PIN, UNJUDGED))).toBe(
			'activation.pad-closed'
		);
	});

	it('sends nothing that was typed for a PIN as a passphrase, for which the node waits anew', async () => {
		const id = await world.begin('KMD', 'task::enable_utxo', { key: 'hardware' });
		await world.pass(0);
		tellTask(0, wantsPin);
		await world.pass(1);
		const { pads } = world.activations;
		await pads.take(id, 'ada');
		await pads.answer(id, 'ada', 'pin', PIN, UNJUDGED);
		tellTask(0, { status: 'UserActionRequired', details: 'EnterTrezorPassphrase' });
		await world.pass(10);
		expect(padOf(await world.row(id), world.now())).toMatchObject({
			kind: 'passphrase',
			until: world.now() + 300_000
		});
		for (const again of [PIN, '']) {
			expect(await outcome(pads.answer(id, 'ada', 'pin', again, UNJUDGED))).toBe(
				'activation.pad-closed'
			);
		}
		expect(world.node.count('task::enable_utxo::user_action')).toBe(1);
		await pads.answer(id, 'ada', 'passphrase', '', UNJUDGED);
		expect(world.node.seen.at(-1)!.params).toEqual({
			task_id: 0,
			user_action: { action_type: 'TrezorPassphrase', passphrase: '' }
		});
	});

	it('warns after three wrong PINs, over tasks of their own', async () => {
		let { id } = { id: await world.begin('KMD', 'task::enable_utxo', { key: 'hardware' }) };
		const said: string[] = [];
		for (let wrong = 1; wrong <= 3; wrong++) {
			if (wrong > 1) ({ id } = await world.activations.repeat(id, 'ada'));
			await world.pass(0);
			const task = Number((await world.row(id)).task_id);
			tellTask(task, wrongPin);
			await world.pass(1);
			said.push((await world.words(id)).what);
		}
		expect(said[0]).toBe(failureWords.pin(null).what);
		expect(said[2]).toBe(failureWords.pin(3).what);
		({ id } = await world.activations.repeat(id, 'ada'));
		await world.pass(0);
		tellTask(Number((await world.row(id)).task_id), activated('KMD'));
		await world.pass(1);
		expect((await world.row(id)).wrong_pins).toBe(0n);
	});

	it('counts wrong PINs of a device on, whatever it was asked for and from which page', async () => {
		const wrong = async (coin: string): Promise<string> => {
			const id = await world.begin(coin, 'task::enable_utxo', { key: 'hardware' });
			await world.pass(0);
			tellTask(Number((await world.row(id)).task_id), wrongPin);
			await world.pass(1);
			return (await world.words(id)).what;
		};
		await wrong('KMD');
		await wrong('KMD');
		// A coin with the node's own key gives no information about the device.
		const other = await world.begin('DOC', 'task::enable_utxo');
		await world.pass(0);
		tellTask(Number((await world.row(other)).task_id), activated('DOC'));
		await world.pass(1);
		expect((await world.row(other)).state).toBe('active');
		expect(await wrong('KMD')).toBe(failureWords.pin(3).what);

		// The right PIN resets the counter.
		const right = await world.begin('KMD', 'task::enable_utxo', { key: 'hardware' });
		await world.pass(0);
		const task = Number((await world.row(right)).task_id);
		tellTask(task, wantsPin);
		await world.pass(1);
		await world.activations.pads.take(right, 'ada');
		await world.activations.pads.answer(right, 'ada', 'pin', PIN, UNJUDGED);
		tellTask(task, activated('KMD'));
		await world.pass(1);
		expect(await world.row(right)).toMatchObject({ state: 'active', wrong_pins: 0n });
		expect(await wrong('KMD')).toBe(failureWords.pin(null).what);
	});

	it('leaves nothing of a PIN or of the password in a row, an event, an error or the audit log', async () => {
		const id = await world.begin('KMD', 'task::enable_utxo', { key: 'hardware' });
		await world.pass(0);
		tellTask(0, wantsPin);
		await world.pass(1);
		// A node whose parser repeats its input.
		world.node.on('task::enable_utxo::user_action', ({ text }) =>
			refused('InvalidRequest', `Error parsing request: invalid type: ${text}`, text)
		);
		await world.activations.pads.take(id, 'ada');
		let caught: unknown;
		try {
			await world.activations.pads.answer(id, 'ada', 'pin', PIN, UNJUDGED);
		} catch (error) {
			caught = error;
		}
		expect(isAppError(caught, 'activation')).toBe(true);
		const deep = (error: unknown): string =>
			error instanceof Error
				? `${error.message} ${error.stack ?? ''} ${deep(error.cause)} ${JSON.stringify(error)}`
				: String(error);
		const rows: unknown[] = [deep(caught), await world.audit.list({ limit: 500 })];
		for (const table of ['activations', 'activation_events', 'kdf_stops'] as const) {
			rows.push(
				await database.db
					.selectFrom(table as 'activations')
					.selectAll()
					.execute()
			);
		}
		const everything = JSON.stringify(rows, (_, value: unknown) =>
			typeof value === 'bigint' ? String(value) : value
		);
		expect(everything).not.toContain(PIN);
		expect(everything).not.toContain(PASSWORD);
		expect(everything).toContain('pad.answered');
	});

	it('says at the field what is wrong with a form, all at once', async () => {
		const errors = async (...args: Parameters<World['fill']>): Promise<object> => {
			const read = await world.fill(...args);
			return read.ok ? {} : read.errors;
		};
		expect(await errors('KMD', 'electrum', { min_connected: '0' })).toEqual({
			min_connected: formFaults.connections.none
		});
		expect(await errors('KMD', 'electrum', { min_connected: '2', max_connected: '1' })).toEqual({
			min_connected: formFaults.connections.contradict(2, 1)
		});
		expect(await errors('KMD', 'electrum', { min_connected: '3' })).toEqual({
			min_connected: formFaults.connections.tooFew(2, 3)
		});
		expect(await errors('KMD', 'electrum', { server: [] })).toEqual({
			server: formFaults.needed.server('KMD')
		});
		// The coins file does not define it.
		expect(await errors('DOC', 'electrum')).toEqual({
			mm2: formFaults.needed.mm2('DOC')
		});
		expect(await errors('BCH', 'task::enable_bch', { bchd_url: [] })).toEqual({
			allow_slp_unsafe_conf: formFaults.needed.bchd
		});
		expect(
			await errors('BCH', 'task::enable_bch', { bchd_url: [], allow_slp_unsafe_conf: 'yes' })
		).toEqual({});
		expect(await errors('KMD', 'electrum', { free_servers: 'a.example:1 SSL' })).toEqual({
			free_servers: formFaults.adminOnly.servers
		});
		expect(await errors('KMD', 'electrum', { free_servers: 'a.example:1 SSL' }, true)).toEqual({});
		expect(
			await errors(
				'KMD',
				'electrum',
				{ free_servers: 'http://x', required_confirmations: 'two', merge_at: '1' },
				true
			)
		).toEqual({
			free_servers: expect.stringContaining('host:port') as string,
			required_confirmations: formFaults.wholeFrom(0),
			merge_at: formFaults.wholeFrom(2),
			check_every: formFaults.wholeFrom(1),
			max_merge_at_once: formFaults.wholeFrom(2)
		});
		expect(await errors('KMD', 'electrum', { server: ['TCP evil.example:1'] })).toEqual({
			server: formFaults.notOffered.server
		});
	});

	it('disables a coin, and lists what the node has active', async () => {
		world.node.enabled.add('KMD');
		expect((await world.activations.active(NODE)).tickers).toEqual(new Set(['KMD']));
		world.node.on('disable_coin', ({ params }) => {
			world.node.enabled.delete(String(params['coin']));
			return {
				body: { result: { coin: params['coin'], cancelled_orders: [], passivized: false } }
			};
		});
		expect(await world.activations.disable(NODE, 'KMD', false, 'ada', UNJUDGED)).toEqual({
			passive: false
		});
		expect((await world.activations.active(NODE)).tickers).toEqual(new Set());
		await world.node.stop();
		const { tickers, failure } = await world.activations.active(NODE);
		expect(tickers).toBeNull();
		expect(['away', 'unsure']).toContain(failure?.kind);
	});
});
