/** Activation at trading nodes with unknown responses: no task is lost, none waits forever, nothing crashes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureWords } from '#lib/messages/activation/failures.ts';
import { activationEvents } from '#lib/messages/activation/events.ts';
import { factsOf } from '#lib/server/kdf/holdings/balances.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import { explainSigning, stepWords } from '../../../src/routes/kdf/failureWords.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { activated, ADDRESS, legacyRefused, ok, refused, taskError } from './scriptedNode.ts';
import { UNJUDGED } from '../../support/permissive.ts';
import { createWorld, NODE, type World } from './world.ts';

const TRANSACTION = {
	tx_hex: '',
	tx_hash: 'ab',
	from: [],
	to: [],
	coin: 'KMD',
	internal_id: 'ab',
	total_amount: '1',
	spent_by_me: '0',
	received_by_me: '1',
	my_balance_change: '1',
	block_height: 1,
	timestamp: 1,
	fee_details: null,
	memo: null,
	transaction_type: 'StandardTransfer'
};

const KEY = {
	address: ADDRESS,
	derivation_path: "m/44'/141'/0'/0/0",
	chain: 'External',
	balance: { KMD: { spendable: '7.5', unspendable: '0' } }
};
/** The first page of an account. */
const ACCOUNT = {
	account_index: 0,
	derivation_path: "m/44'/141'/0'",
	addresses: [KEY],
	page_balance: KEY.balance,
	limit: 1,
	skipped: 0,
	total: 1,
	total_pages: 1,
	paging_options: { PageNumber: 1 }
};

describeOnBothDatabases('an activation at an unseen node', (database) => {
	let world: World;
	beforeEach(async () => {
		world = await createWorld(database);
	});
	afterEach(() => world.close());

	const running = async (): Promise<string> => {
		const id = await world.begin('KMD', 'task::enable_utxo');
		await world.pass(0);
		return id;
	};
	const state = async (id: string): Promise<string> => (await world.row(id)).state;
	const tell = (status: unknown): unknown => world.node.tasks.set(0, status);
	/** Returns the history that is shown of KMD when the node answers with these transactions. */
	async function historyOf(transactions: readonly object[]) {
		world.node.enabled.add('KMD');
		world.node.on('my_tx_history', () =>
			ok({
				coin: 'KMD',
				target: { type: 'iguana' },
				current_block: 1,
				limit: 10,
				skipped: 0,
				transactions,
				total: transactions.length,
				total_pages: 1,
				sync_status: { state: 'Finished' },
				paging_options: { PageNumber: 1 }
			})
		);
		const { coins } = await world.activations.coins.catalog();
		const { history } = await world.activations.look({
			node: NODE,
			coin: coins.find(({ ticker }) => ticker === 'KMD')!,
			coins,
			tickers: new Set(['KMD']),
			waitMs: 5_000,
			part: { account: 0, page: 1, history: 1 }
		});
		return history;
	}

	it('is told no moment that no calendar has, by a signer or a server of a coin', async () => {
		// Microseconds, or any other unexpected number.
		const strange = 9_007_199_254_740_991;
		world.node.on('wc_get_sessions', () =>
			ok({
				sessions: [
					{ topic: 'a', metadata: {}, pairing_topic: 'b', namespaces: {}, expiry: strange }
				]
			})
		);
		const [session] = await world.activations.remote.sessions(NODE);
		expect(new Date(session!.expiry! * 1_000).getUTCFullYear()).toBe(9_999);

		const history = await historyOf([{ ...TRANSACTION, timestamp: strange }]);
		if (history?.kind !== 'kept') throw new Error(JSON.stringify(history));
		expect(new Date(history.transactions[0]!.time! * 1_000).getUTCFullYear()).toBe(9_999);
	});

	it('shows a history whatever kinds of transactions are in it', async () => {
		const kinds = [
			'StandardTransfer',
			{ TokenTransfer: 'ab' },
			{ CustomTendermintMsg: { msg_type: 'SendHtlcAmount', token_id: null } },
			{ TendermintIBCTransfer: { token_id: 'ab' } }
		];
		const history = await historyOf(
			kinds.map((transaction_type) => ({ ...TRANSACTION, transaction_type }))
		);
		expect(history).toMatchObject({ kind: 'kept' });
		expect(history?.kind === 'kept' && history.transactions).toHaveLength(4);
	});

	it('shows a fee with the coin that pays it, also where the node leaves the coin out', async () => {
		const sent = { ...TRANSACTION, my_balance_change: '-1' };
		const details = [
			{ type: 'Utxo', amount: '0.00001' },
			{ type: 'Utxo', amount: '0.00001', coin: null },
			{ type: 'Utxo', amount: '0.00001', coin: 'BTC' },
			{ type: 'Utxo', amount: 0.00001, coin: 'KMD' },
			{ type: 'Eth', total_fee: 1e-8, coin: 'ETH' }
		];
		const history = await historyOf(details.map((fee_details) => ({ ...sent, fee_details })));
		if (history?.kind !== 'kept') throw new Error(JSON.stringify(history));
		expect(history.transactions.map(({ fee }) => fee)).toEqual([
			'0.00001 KMD',
			'0.00001 KMD',
			'0.00001 BTC',
			'0.00001 KMD',
			'0.00000001 ETH'
		]);
	});

	it('goes on through steps without a name here, and shows them', async () => {
		const id = await running();
		tell({ status: 'InProgress', details: { CountingSheep: { sheep: '7' } }, since: 1 });
		await world.pass(1);
		expect(await state(id)).toBe('running');
		const row = await world.row(id);
		expect(stepWords(JSON.parse(row.step!) as Plain)).toBe('CountingSheep');
		expect(row.reason).toBeNull();
		tell({ status: 'Pondering', details: null });
		await world.pass(1);
		expect((await world.row(id)).reason).toContain('misfit');
		tell(activated('KMD'));
		await world.pass(3);
		expect(await state(id)).toBe('active');
	});

	it('is active when the result has more, other or fewer members than any build here', async () => {
		const id = await running();
		const result = activated('KMD') as { details: { wallet_balance: object } };
		tell({
			...result,
			details: {
				...result.details,
				current_block: '4321',
				wallet_balance: {
					...result.details.wallet_balance,
					balance: { KMD: { spendable: 7.5, unspendable: 0, locked: '1' } }
				},
				peers: []
			}
		});
		await world.pass(1);
		expect(await state(id)).toBe('active');
		expect(factsOf('KMD', JSON.parse((await world.row(id)).result!) as Plain).lines).toEqual([
			{ address: ADDRESS, path: null, ticker: 'KMD', spendable: '7.5', unspendable: '0' }
		]);
		expect((await world.gateway.node(NODE))!.mismatches).toBeGreaterThan(0);
		const device = await world.activations.begin({
			node: NODE,
			coin: 'hardware wallet',
			method: 'task::init_trezor',
			params: {},
			by: 'ada'
		});
		await world.pass(0);
		world.node.tasks.set(1, { status: 'Ok', details: { kind: 'Ledger' } });
		await world.pass(1);
		expect(await state(device.id)).toBe('active');
	});

	it('fails with the node’s words when the error has another form, and is not asked about for ever', async () => {
		for (const [task, details, said] of [
			[0, { error_type: 'NewKind', error: 'the moon is full', since: 7 }, 'the moon is full'],
			[1, 'the moon is new', 'the moon is new'],
			[2, null, 'without a reason']
		] as const) {
			const id = await running();
			world.node.tasks.set(task, { status: 'Error', details });
			await world.pass(1);
			expect(await state(id)).toBe('failed');
			expect((await world.words(id)).what).toContain(said);
			expect((await world.row(id)).due_at).toBeNull();
		}
	});

	it('is active after one call whose answer cannot be read, when the coin is listed; else it says what is not known', async () => {
		world.node.on('electrum', () => {
			world.node.enabled.add('KMD');
			return { body: { result: 'success', wallet: { coin: 'KMD' } } };
		});
		const known = await world.begin('KMD', 'electrum');
		await world.pass(0);
		expect(await state(known)).toBe('active');
		world.node.enabled.clear();
		world.node.on('electrum', () => ({ body: { result: 'perhaps' } }));
		const unknown = await world.begin('DOC', 'electrum', { mm2: '1' });
		await world.pass(0);
		expect(await state(unknown)).toBe('failed');
		expect((await world.words(unknown)).what).toBe(failureWords.misfit(NODE).what);
	});

	it('outlives pages of proxies, answers that break off, errors with the wrong status, and results with one', async () => {
		const id = await running();
		const answers = [
			{ status: 502, text: '<html><h1>502 Bad Gateway</h1></html>' },
			{ status: 200, text: '<html>Welcome</html>' },
			{ status: 503, text: '{"message":"no upstream"}' },
			{ status: 500, text: 'The RPC service aborted without responding.' },
			{ status: 200, text: '{"mmrpc":"2.0","result":{"status":"InPro', cut: true },
			{ status: 200, text: '' },
			{ status: 200, text: 'null' },
			{ status: 200, text: '[]' },
			'drop' as const,
			{ status: 500, body: { mmrpc: '2.0', result: { status: 'Ok' }, id: 0 } }
		];
		for (const answer of answers) {
			world.node.on('task::enable_utxo::status', () => answer);
			await world.pass(3);
			expect([answer, await state(id)]).toEqual([answer, 'running']);
			expect((await world.row(id)).reason).not.toBeNull();
			await world.gateway.probe();
		}
		// An error counts as one whatever its status: the task is gone, and the coin is not listed.
		world.node.on('task::enable_utxo::status', () => {
			const answer = refused('NoSuchTask', "No such task '0'", 0);
			return typeof answer === 'object' && 'body' in answer ? { ...answer, status: 200 } : answer;
		});
		await world.pass(3);
		expect(await state(id)).toBe('void');
	});

	it('takes a coin for active whatever words a build has for it', async () => {
		for (const answer of [
			legacyRefused('Coin KMD already initialized'),
			legacyRefused('Coin KMD already activated'),
			refused('CoinIsAlreadyActivated', 'Coin KMD is activated already', { ticker: 'KMD' }, 200)
		]) {
			world.node.enabled.add('KMD');
			world.node.on('electrum', () => answer);
			const id = await world.begin('KMD', 'electrum');
			await world.pass(0);
			expect(await state(id)).toBe('active');
		}
	});

	it('offers to sign with what was activated from here where a node cannot list its coins', async () => {
		const signature =
			'HzetbqVj9gnUOznon9bvE61qRlmjH5R+rNgkxu8uyce3UBbOu+2aGh7r/GGSVFGZjRnaYC60hdwtdirTKLb7bE4=';
		const unknown = (): ReturnType<typeof refused> => refused('NoSuchMethod', 'No such method');
		for (const method of ['get_enabled_coins', 'my_balance', 'account_balance']) {
			world.node.on(method, unknown);
		}
		world.node.on('electrum', () => ({
			body: {
				result: 'success',
				coin: 'KMD',
				address: ADDRESS,
				balance: '7.5',
				unspendable_balance: '0',
				required_confirmations: 2,
				requires_notarization: true,
				mature_confirmations: 100
			}
		}));
		world.node.on('sign_message', () => ok({ signature }));
		const id = await world.begin('KMD', 'electrum');
		await world.pass(0);
		expect(await state(id)).toBe('active');
		const { coins, known } = await world.activations.signers(NODE);
		expect([coins.map(({ ticker }) => ticker), known]).toEqual([['KMD'], false]);
		const [coin] = coins;
		const signing = world.activations.signingBy(UNJUDGED);
		expect(await signing.signer(NODE, coin!, null)).toMatchObject({
			ok: true,
			signer: { coin: 'KMD', address: null }
		});
		expect(await signing.sign(NODE, coin!, 'test', null, null)).toMatchObject({
			ok: true,
			address: 'R9o9xTocqr6CeEDGDH6mEYpwLoMz6jNjMW'
		});
	});

	it('does not count a signature for which it was not asked, and says what does not fit', async () => {
		const coin = (await world.activations.coins.find('KMD'))!;
		const nameless = { ...coin, ticker: '' };
		let given = 0;
		const giveBack = () => Promise.resolve(void (given += 1));
		const sign = (of: typeof coin) =>
			world.activations.signingBy(UNJUDGED).sign(NODE, of, 'test', null, null, null, giveBack);
		const unsigned = await sign(nameless);
		if (unsigned.ok) throw new Error('It was signed.');
		expect(explainSigning(NODE, '', unsigned.problem)).toMatchObject({
			what: 'The parameters do not fit sign_message: coin: expected a ticker.',
			safe: 'Nothing was signed.'
		});
		expect([given, world.node.count('sign_message')]).toEqual([1, 0]);
		world.node.on('sign_message', () => refused('InvalidRequest', 'Invalid request: x', 'x'));
		expect(await sign(coin)).toMatchObject({ ok: false });
		expect([given, world.node.count('sign_message')]).toEqual([1, 1]);
	});

	describe('that does not serve the list of its active coins', () => {
		const unserved = (): ReturnType<typeof refused> => refused('NoSuchMethod', 'No such method');
		const manyKeys = legacyRefused("'my_address' is deprecated for HD wallets");
		beforeEach(() => {
			world.node.on('get_enabled_coins', unserved);
		});

		/** An activation whose task the node does not know any more, as of its next poll. */
		async function lost(): Promise<string> {
			const id = await running();
			world.node.tasks.clear();
			await world.pass(3);
			return id;
		}
		const events = async (id: string): Promise<string[]> =>
			(await world.activations.events(id)).map(({ message }) => activationEvents.text(message));

		it('is active when its coin has a balance or an account, and lost when it has none', async () => {
			for (const [held, accounts, end] of [
				[null, unserved(), 'active'],
				[legacyRefused('No such coin: KMD'), unserved(), 'void'],
				[manyKeys, ok(ACCOUNT), 'active'],
				[manyKeys, refused('UnknownAccount', 'Unknown account', { account_id: 0 }), 'active'],
				[manyKeys, refused('Transport', 'Transport error: away', 'away', 500), 'active'],
				[manyKeys, refused('NoSuchCoin', 'No such coin KMD', { coin: 'KMD' }), 'void'],
				[unserved(), refused('NoSuchCoin', 'No such coin KMD', { coin: 'KMD' }), 'void']
			] as const) {
				world.node.enabled.add('KMD');
				if (held !== null) world.node.on('my_balance', () => held);
				world.node.on('account_balance', () => accounts);
				const id = await lost();
				const row = await world.row(id);
				expect([held, accounts, row.state]).toEqual([held, accounts, end]);
				expect([row.failure, row.due_at, row.open_key]).toEqual([null, null, null]);
			}
		});

		it('is lost, and says that the node does not tell, where no other call tells either', async () => {
			for (const accounts of [unserved(), refused('Internal', 'Internal error', 'x', 500)]) {
				world.node.on('my_balance', unserved);
				world.node.on('account_balance', () => accounts);
				const row = await world.row(await lost());
				expect(row).toMatchObject({ state: 'void', due_at: null, open_key: null });
				expect(JSON.parse(row.failure!)).toMatchObject({ kind: 'refused' });
			}
		});

		it('says why it waits where the node does not answer now, and is ended when asked', async () => {
			world.node.on('my_balance', () => 'drop');
			const id = await lost();
			const row = await world.row(id);
			expect(row.state).toBe('running');
			expect(row.reason).not.toBeNull();
			await world.activations.cancel(id, 'ben');
			await world.pass(3);
			expect(await world.row(id)).toMatchObject({ state: 'cancelled', due_at: null });
			expect((await events(id)).at(-1)).toBe(
				'Canceled; the trading node may have acted all the same'
			);
		});

		it('takes the result of its task when no call tells whose it is', async () => {
			const id = await running();
			world.node.on('my_balance', unserved).on('account_balance', unserved);
			tell({ status: 'Ok', details: { wallet: 'new' } });
			await world.pass(1);
			expect(await state(id)).toBe('active');
			world.node.on('my_balance', () => legacyRefused('No such coin: KMD'));
			const other = await running();
			world.node.tasks.set(1, { status: 'Ok', details: { wallet: 'new' } });
			await world.pass(1);
			expect(await state(other)).toBe('void');
		});
	});

	it('goes on where the node refuses to cancel its task, and to forget a result', async () => {
		const refuses = (): ReturnType<typeof refused> =>
			refused('MethodNotAllowed', 'Method is not allowed', undefined, 403);
		world.node.on('task::enable_utxo::cancel', refuses);
		const id = await running();
		await world.activations.cancel(id, 'ben');
		await world.pass(0);
		expect(await world.row(id)).toMatchObject({ state: 'running', cancel_by: null });
		world.node.on('task::enable_utxo::status', ({ params }) =>
			params['forget_if_finished'] === false ? ok(world.node.tasks.get(0)) : refuses()
		);
		tell(taskError('Transport', 'Transport error: away', 'away'));
		await world.pass(3);
		expect(await world.row(id)).toMatchObject({ state: 'waiting', forget_task: null });
		const [last] = (await world.activations.events(id)).filter(
			({ message }) => message.code === 'end.refused'
		);
		expect(last).toBeDefined();
	});

	it('is ended when asked although its status can never be read, and is seldom asked for until then', async () => {
		const id = await running();
		tell({ status: 'Pondering', details: null });
		await world.pass(61);
		const row = await world.row(id);
		expect(row.state).toBe('running');
		expect(Number(row.due_at) - world.now()).toBe(60_000);
		world.node.on('task::enable_utxo::cancel', () =>
			refused('TaskFinished', 'Task is finished already', 0, 409)
		);
		await world.activations.cancel(id, 'ben');
		await world.pass(0);
		expect(await world.row(id)).toMatchObject({ state: 'cancelled', due_at: null, open_key: null });
		expect((await world.activations.events(id)).at(-1)?.message.code).toBe('ended.unsure');
	});

	it('is over at a node that was replaced by a build without such tasks', async () => {
		const ids = [await running(), await world.begin('DOC', 'task::enable_utxo', { mm2: '1' })];
		await world.pass(0);
		for (const verb of ['status', 'cancel']) {
			world.node.on(`task::enable_utxo::${verb}`, () => refused('NoSuchMethod', 'No such method'));
		}
		world.node.enabled.add('KMD');
		await world.pass(1);
		expect(await Promise.all(ids.map(state))).toEqual(['active', 'void']);
		// While the node does not tell what is active, an end is still possible.
		world.node.on('get_enabled_coins', () => 'drop');
		const last = await world.begin('DOC', 'task::enable_utxo', { mm2: '1' });
		await world.pass(0);
		expect(await state(last)).toBe('running');
		await world.activations.cancel(last, 'ben');
		await world.pass(0);
		expect(await world.row(last)).toMatchObject({ state: 'cancelled', open_key: null });
	});

	it('is cancelled again only while the node says that it is cancelling the task', async () => {
		const internal = (data: string) => (): ReturnType<typeof refused> =>
			refused('Internal', `Internal error: ${data}`, data, 500);
		const id = await running();
		world.node.on(
			'task::enable_utxo::cancel',
			internal("RPC '0' task is in unexpected status. Actual: 'Cancelled', expected: 'InProgress'")
		);
		await world.activations.cancel(id, 'ben');
		await world.pass(0);
		expect(await world.row(id)).toMatchObject({ state: 'running', cancel_by: 'ben' });
		world.node.on('task::enable_utxo::cancel', internal('the moon is full'));
		await world.pass(3);
		expect(await world.row(id)).toMatchObject({ state: 'running', cancel_by: null });
		const cancels = world.node.count('task::enable_utxo::cancel');
		tell(activated('KMD'));
		await world.pass(3);
		expect(await state(id)).toBe('active');
		expect(world.node.count('task::enable_utxo::cancel')).toBe(cancels);
	});

	it('starts a task that is numbered in text', async () => {
		world.node.tasks.set(3, { status: 'InProgress', details: 'ActivatingCoin' });
		world.node.on('task::enable_utxo::init', () => ok({ task_id: '3', queue: 1 }));
		const id = await running();
		expect(await state(id)).toBe('running');
		expect(Number((await world.row(id)).task_id)).toBe(3);
	});
});
