/** Balances of active coins: requested once for all pages, which never wait for them long. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createHoldings, totalOf } from '#lib/server/kdf/holdings/holdings.ts';
import { kdfPortOver } from '#lib/server/kdf/calls/kdfPort.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { ADDRESS, legacyRefused, ok, refused } from './scriptedNode.ts';
import { createWorld, NODE, type World } from './world.ts';

const address = (index: number, side: 0 | 1, spendable: string) => ({
	address: ADDRESS,
	derivation_path: `m/44'/141'/0'/${side}/${index}`,
	chain: side === 0 ? 'External' : 'Internal',
	balance: { KMD: { spendable, unspendable: '0' } }
});

type Listed = ReturnType<typeof address>;

describeOnBothDatabases('what an active coin holds', (database) => {
	let world: World;
	beforeEach(async () => {
		world = await createWorld(database);
		world.node.enabled.add('KMD');
	});
	afterEach(() => world.close());

	const asked = (method: string): number =>
		world.node.seen.filter((call) => call.method === method).length;
	const look = async (waitMs = 5_000) =>
		(await world.activations.holdings.of(NODE, ['KMD'], waitMs)).get('KMD')!;

	/** Gives the node an HD wallet, whose addresses it lists page by page. */
	const pagesOf = (external: Listed[], internal: Listed[]): void => {
		world.node.on('my_balance', () => legacyRefused("'my_address' is deprecated for HD wallets"));
		world.node.on('account_balance', ({ params }) => {
			const { chain, limit } = params as { chain: string; limit: number };
			const { PageNumber: page } = params['paging_options'] as { PageNumber: number };
			const listed = chain === 'External' ? external : internal;
			const skipped = (page - 1) * limit;
			return ok({
				account_index: 0,
				derivation_path: "m/44'/141'/0'",
				addresses: listed.slice(skipped, skipped + limit),
				page_balance: { KMD: { spendable: '0', unspendable: '0' } },
				limit,
				skipped,
				total: listed.length,
				total_pages: Math.ceil(listed.length / limit),
				paging_options: { PageNumber: page }
			});
		});
	};

	it('is asked for in one call, however many people look', async () => {
		const [first] = await Promise.all([look(), look(), look()]);
		await look();
		expect(totalOf('KMD', first.holding!)).toEqual({
			spendable: '7.5',
			unspendable: '0',
			isPart: false
		});
		expect(asked('my_balance')).toBe(1);
	});

	it('is not what the node says of another coin or account', async () => {
		const body = { coin: 'BTC', balance: '21', unspendable_balance: '0', address: ADDRESS };
		world.node.on('my_balance', () => ({ body }));
		const { holding, failure } = await look();
		expect(holding).toBeNull();
		expect(failure).toMatchObject({
			kind: 'misfit',
			error: { code: 'kdf.validation-mismatch', params: { about: expect.anything() as unknown } }
		});
		const history = (of: string) => ({
			coin: of,
			target: { type: 'iguana' },
			current_block: 1,
			transactions: [],
			sync_status: { state: 'Finished' },
			limit: 10,
			skipped: 0,
			total: 0,
			total_pages: 0,
			paging_options: { PageNumber: 1 }
		});
		const read = () =>
			world.gateway.call(NODE, 'my_tx_history', { coin: 'KMD' }).catch((error: unknown) => error);
		world.node.on('my_tx_history', () => ok(history('BTC')));
		expect(await read()).toMatchObject({ code: 'kdf.validation-mismatch' });
		world.node.on('my_tx_history', () => ok(history('KMD')));
		expect(await read()).toMatchObject({ coin: 'KMD' });
		pagesOf([address(0, 0, '1')], []);
		const part = () => world.activations.holdings.part(NODE, 'KMD', { account: 1, page: 1 }, 5_000);
		expect((await part()).failure).toMatchObject({ kind: 'misfit' });
	});

	it('keeps nobody waiting for a slow node, and is there once the node has answered', async () => {
		let answer: () => void = () => undefined;
		const answered = new Promise<void>((done) => (answer = done));
		world.node.on('my_balance', async () => {
			await answered;
			return { body: { coin: 'KMD', balance: '1', unspendable_balance: '0', address: ADDRESS } };
		});
		expect(await look(20)).toEqual({ holding: null, failure: null });
		expect(await look(20)).toEqual({ holding: null, failure: null });
		answer();
		expect((await look()).holding?.lines[0]?.spendable).toBe('1');
		expect(asked('my_balance')).toBe(1);
	});

	it('holds up nothing else, however many coins have servers that are slow, and neither do activations', async () => {
		let answer: () => void = () => undefined;
		const answered = new Promise<void>((done) => (answer = done));
		const slowly = async () => {
			await answered;
			return legacyRefused('Timeout');
		};
		world.node.on('my_balance', slowly).on('electrum', slowly);
		const { activations, gateway, node } = world;
		expect((await activations.active(NODE)).tickers).not.toBeNull();
		const tickers = Array.from({ length: 8 }, (_, n) => `SLOW${n}`);
		await activations.holdings.of(NODE, tickers, 20);
		const params = { servers: [{ url: 'slow.example:1' }] };
		const begun = tickers.map((coin) =>
			gateway.call(NODE, 'electrum', { coin, ...params }).catch((error: unknown) => error)
		);
		const looked = await activations.active(NODE);
		expect([looked.failure, [...(looked.tickers ?? [])]]).toEqual([null, ['KMD']]);
		answer();
		await Promise.all(begun);
		expect(node.count('electrum')).toBe(8);
		await vi.waitFor(() => expect(node.count('my_balance')).toBe(8));
	});

	it('is the sum over both sides of the account in a wallet of many addresses', async () => {
		world.node.on('my_balance', () => legacyRefused("'my_address' is deprecated for HD wallets"));
		world.node.on('account_balance', ({ params }) => {
			const isExternal = params['chain'] === 'External';
			const addresses = isExternal
				? [address(0, 0, '0.1'), address(1, 0, '0.2')]
				: [address(0, 1, '1.00000001')];
			return ok({
				account_index: 0,
				derivation_path: "m/44'/141'/0'",
				addresses,
				page_balance: { KMD: { spendable: '0', unspendable: '0' } },
				limit: 50,
				skipped: 0,
				total: isExternal ? 3 : 1,
				total_pages: 1,
				paging_options: { PageNumber: 1 }
			});
		});
		const { holding } = await look();
		expect(totalOf('KMD', holding!)?.spendable).toBe('1.30000001');
		expect(holding).toMatchObject({ account: 0, further: 1 });
	});

	it('is said to be a part of it on each page of an account with many, and the last page leads to no next one', async () => {
		const all = Array.from({ length: 70 }, (_, index) => address(index, 0, '1'));
		pagesOf(all, all.slice(0, 1));
		const pageOf = async (page: number) => {
			const part = { account: 0, page };
			const { holding } = await world.activations.holdings.part(NODE, 'KMD', part, 5_000);
			return { total: totalOf('KMD', holding!), hasNext: holding!.hasNext };
		};
		const part = { unspendable: '0', isPart: true };
		expect(await pageOf(1)).toEqual({ total: { spendable: '51', ...part }, hasNext: true });
		expect(await pageOf(2)).toEqual({ total: { spendable: '20', ...part }, hasNext: false });
		all.length = 3;
		expect(await pageOf(3)).toEqual({ total: null, hasNext: false });
	});

	it('is not shown of the wallet that the node had before it was started with another one', async () => {
		let time = Date.now();
		const holdings = createHoldings(kdfPortOver(world.gateway), () => time);
		const now = async (waitMs: number) => {
			time += 60_000;
			return (await holdings.of(NODE, ['KMD'], waitMs)).get('KMD')!;
		};
		const wallet = (hash: string): void => {
			world.node.on('get_public_key_hash', () => ok({ public_key_hash: hash.repeat(40) }));
		};
		wallet('a');
		await now(5_000);
		// The same wallet, with servers that have become slow.
		world.node.on('my_balance', () => 'hang');
		expect((await now(300)).holding?.lines[0]?.address).toBe(ADDRESS);
		expect((await now(5_000)).failure).not.toBeNull();
		wallet('b');
		expect((await now(300)).holding).toBeNull();
		expect((await now(5_000)).holding).toBeNull();
	});

	it('says why a wallet with one address does not tell its balance, not that it has one address', async () => {
		world.node.on('my_balance', () => legacyRefused('Transport("all servers errored")'));
		world.node.on('account_balance', () =>
			refused(
				'CoinIsActivatedNotWithHDWallet',
				'Coin is expected to be activated with the HD wallet derivation method'
			)
		);
		const { holding, failure } = await look();
		expect(holding).toBeNull();
		expect(failure).toMatchObject({ type: null, message: 'Transport("all servers errored")' });
	});

	it('is asked for again by a clock that was set back', async () => {
		let time = Date.now();
		const holdings = createHoldings(kdfPortOver(world.gateway), () => time);
		await holdings.of(NODE, ['KMD'], 5_000);
		time -= 3_600_000;
		await holdings.of(NODE, ['KMD'], 5_000);
		expect(asked('my_balance')).toBe(2);
	});

	it('is in a file with every address of the account, however many there are', async () => {
		const all = Array.from({ length: 2_300 }, (_, index) => address(index, 0, '1'));
		pagesOf(all, []);
		const { lines } = await world.activations.holdings.file(NODE, 'KMD', 0);
		expect(lines.map(({ path }) => path)).toEqual(all.map((one) => one.derivation_path));
	});

	it('says why it is not known, and what was known before', async () => {
		world.node.on('account_balance', () =>
			refused('UnknownAccount', "HD account '7' is not activated", { account_id: 7 })
		);
		const part = { account: 7, page: 1 };
		const seen = await world.activations.holdings.part(NODE, 'KMD', part, 5_000);
		expect(seen.holding).toBeNull();
		expect(seen.failure?.type).toBe('UnknownAccount');
	});
});
