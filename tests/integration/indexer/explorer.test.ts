/** Compares the index's data for pages of blocks and transactions with that of daemons. */
import { beforeAll, expect, it, vi } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { newestActivity } from '#lib/server/chains/explorer/activity.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { readBlock } from '#lib/server/chains/explorer/block.ts';
import { readBlockImports } from '#lib/server/chains/explorer/blockImports.ts';
import { blockIntervals } from '#lib/server/chains/explorer/blockIntervals.ts';
import { blockList } from '#lib/server/chains/explorer/blocks.ts';
import { indexedBlock } from '#lib/server/chains/explorer/indexedBlock.ts';
import { indexedGlance, indexedNewest } from '#lib/server/chains/explorer/indexedGlance.ts';
import { headlineMessage, type Headline } from '#lib/messages/headlines.ts';
import { indexedTransaction } from '#lib/server/chains/explorer/indexedTransaction.ts';
import { chainGlance } from '#lib/server/chains/explorer/overview.ts';
import { ownUnits, tokenPiece } from '#lib/server/chains/explorer/indexedToken.ts';
import { transactionLines } from '#lib/server/chains/explorer/transactionLines.ts';
import { readTransaction } from '#lib/server/chains/explorer/transaction.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { allProgress, chainProgress } from '#lib/server/chains/lists/chains.ts';
import { transactions } from '#lib/server/chains/lists/transactions.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { gatewayTo } from '../transactions/support.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { followDaemon } from './support.ts';
import { shared } from '../../support/shared.ts';

/** A headline without the parts that need more than the bytes: a token's name and its intended amount. */
const bytesTell = (headline: Headline): object =>
	'token' in headline
		? {
				...headline,
				token: Object.fromEntries(
					Object.entries(headline.token).filter(([, value]) => value !== null)
				)
			}
		: headline;

/** Kinds that earlier versions stored as payments. */
const NAMED: ReadonlySet<string> = new Set(['notary-approval', 'self-import-source']);
const CHAINS = ['KMD', 'ALPHA', 'BETA', 'SELF'];

/** One notary of BETA approves a burn of ALPHA. */
async function approveBurn(net: Devnet): Promise<void> {
	const burns = await net.rpc<{ txid: string; targetSymbol: string }[]>(
		'ALPHA',
		'getwalletburntransactions'
	);
	const { txid } = burns.find(({ targetSymbol }) => targetSymbol === 'BETA')!;
	const proof = await net.rpc<string>('ALPHA', 'gettxoutproof', [txid]);
	const notary = 'BETA-notary-1';
	const { NotaryTxHex: hex } = await net.rpc<{ NotaryTxHex: string }>(
		notary,
		'migrate_createnotaryapprovaltransaction',
		txid,
		proof
	);
	await net.rpc(notary, 'sendrawtransaction', hex);
	await net.control.mine('BETA');
}

describeOnBothDatabases('the pages of blocks and transactions', (database) => {
	const net = shared(() => startDevnet());
	const index = shared(() => openIndex(database.options));
	const gateway = shared(() => gatewayTo(net, database));
	/** A page waits only this long for a daemon; a busy machine may take longer. */
	async function asked<T>(read: (client: PageClient) => Promise<T>): Promise<T> {
		for (let tries = 20; ; tries--) {
			try {
				return await read(new PageClient(gateway, 'test'));
			} catch (error) {
				if (tries === 0 || !isAppError(error, 'daemon') || error.code !== 'daemon.timeout')
					throw error;
			}
		}
	}

	beforeAll(async () => {
		await approveBurn(net);
		for (const chain of gateway.chains()) await followDaemon(index, gateway, chain);
	});

	/** The fees of a block, with each transaction requested from its daemon; null when one is unknown. */
	async function feesOf(chain: string, height: number): Promise<bigint | null> {
		const { tx } = await net.rpc<{ tx: string[] }>(chain, 'getblock', String(height));
		const views = await Promise.all(
			tx.slice(1).map((txid) => asked((client) => readTransaction(client, chain, txid)))
		);
		const imported = await asked((client) =>
			readBlockImports(client, index, chain, String(height))
		);
		const fees = views
			.filter(({ view: { kind } }) => kind !== 'import' && kind !== 'token-import')
			.map(({ view }) => view.fee);
		if (!fees.every((fee) => fee !== null)) return null;
		return [...fees, ...imported.imports.map(({ fee }) => fee)].reduce((sum, fee) => sum + fee, 0n);
	}

	it('tell of each block what its daemon tells', async () => {
		for (const chain of CHAINS) {
			const tip = await net.rpc<number>(chain, 'getblockcount');
			for (const height of [0, 1, tip >> 1, tip - 1, tip]) {
				const told = await asked((client) => readBlock(client, chain, String(height), 1, 50));
				const { header: _, transactions, page: _page, pages: _pages, takenBack, ...facts } = told;
				expect(takenBack).toBe(false);
				const known = await indexedBlock(index, chain, String(height));
				// The daemon has no single response with a block's fees and the time of the block below.
				const { interval, made } = known!;
				expect(known, `${chain} ${height}`).toEqual({
					...facts,
					interval,
					made: { ...facts.made, fees: made.fees },
					next: height < tip ? String(height + 1) : null
				});
				const fees = await feesOf(chain, height);
				expect(made.fees, `${chain} ${height}`).toBe(fees);
				if (height === 0) expect(interval).toBeNull();
				else {
					const below = await net.rpc<{ time: number }>(chain, 'getblock', String(height - 1));
					expect(interval).toBe(facts.time / 1000 - below.time);
				}
				expect(await indexedBlock(index, chain, facts.hash)).toEqual(known);
				expect(known!.total).toBeGreaterThanOrEqual(transactions.length);
			}
		}
		expect(await indexedBlock(index, 'ALPHA', '999999999')).toBeNull();
		expect(await indexedBlock(index, 'ALPHA', 'ab'.repeat(32))).toBeNull();
		expect(await indexedBlock(index, 'NOSUCH', '1')).toBeNull();
	});

	it('count what imports pay to the fees of their block, which are all of a reward but the new coins', async () => {
		const blocks = await index
			.selectFrom('ix_imports as i')
			.innerJoin('ix_chains as c', 'c.id', 'i.chain')
			.select(['c.name', 'i.seq'])
			.where('i.source', '<>', '')
			.execute();
		expect(blocks.map(({ name }) => name)).toContain('BETA');
		for (const { name, seq } of blocks) {
			const { made } = (await indexedBlock(index, name, String(seq >> 16n)))!;
			const tip = await net.rpc<number>(name, 'getblockcount');
			const last = (await indexedBlock(index, name, String(tip)))!.made;
			expect(made.fees).toBeGreaterThan(0n);
			expect(made.reward - made.fees!, `${name} ${seq}`).toBe(last.reward - last.fees!);
		}
	});

	it('tell the newest activity of all chains in order, with what each transaction is about', async () => {
		const activity = await newestActivity(
			index,
			[...CHAINS, 'NOSUCH'],
			await allProgress(index),
			500
		);
		const times = activity.map(({ at }) => at);
		expect(times).toEqual(times.toSorted((a, b) => b - a));
		const told = (chain: string) => activity.filter((one) => one.chain === chain);
		expect(new Set(activity.map(({ chain }) => chain))).toEqual(new Set(CHAINS));
		expect(told('BETA')[0]).toMatchObject({ kind: 'notary-approval', value: null, other: null });
		expect(
			told('ALPHA')
				.filter(({ kind }) => kind === 'token-create')
				.map(({ token }) => token)
		).toContain('ALPHAGOLD');
		const [burn] = told('ALPHA').filter(({ kind }) => kind === 'burn');
		expect(burn?.other).toBe('BETA');
		expect(burn?.value).toBeGreaterThan(0n);
		const [imported] = told('BETA').filter(({ kind }) => kind === 'import');
		expect(imported?.other).toBe('ALPHA');
		expect(told('SELF').find(({ kind }) => kind === 'import')?.other).toBeNull();
		expect(await newestActivity(index, CHAINS, await allProgress(index), 3)).toEqual(
			activity.slice(0, 3)
		);
	});

	it('tell the time between the newest blocks', async () => {
		const times = await Promise.all(
			[0, 1, 2, 3].map(async (back) => {
				const tip = await net.rpc<number>('ALPHA', 'getblockcount');
				const { time } = await net.rpc<{ time: number }>('ALPHA', 'getblock', String(tip - back));
				return time;
			})
		);
		const [last, second, third, fourth] = times as [number, number, number, number];
		const wanted = [third - fourth, second - third, last - second].map((one) => Math.max(0, one));
		expect(await blockIntervals(index, 'ALPHA', 3)).toEqual(wanted);
		expect(await blockIntervals(index, 'NOSUCH', 3)).toEqual([]);
		// The first block is years older than the second, so this is no block interval.
		const tip = await net.rpc<number>('ALPHA', 'getblockcount');
		expect(await blockIntervals(index, 'ALPHA', tip + 1)).toHaveLength(tip - 1);
	});

	it('tell of each transaction what its bytes and its daemon tell', async () => {
		const kinds = new Set<string>();
		for (const chain of CHAINS) {
			const rows = await index
				.selectFrom('ix_txs as t')
				.innerJoin('ix_chains as c', 'c.id', 't.chain')
				.select(['t.txid', 't.kind'])
				.where('c.name', '=', chain)
				.where('t.kind', '<>', 'coinbase')
				.orderBy('t.seq', 'desc')
				.limit(120)
				.execute();
			for (const { txid: bytes } of rows) {
				const txid = Buffer.from(bytes).toString('hex');
				const told = await asked((client) => readTransaction(client, chain, txid));
				const known = await indexedTransaction(index, chain, txid);
				const at = `${chain} ${told.view.kind} ${txid}`;
				expect(known?.mined, at).toEqual(told.mined);
				const { view } = known!;
				kinds.add(view.kind);
				expect(view.kind, at).toBe(told.view.kind);
				expect(view.headline, at).toMatchObject(bytesTell(told.view.headline));
				expect([view.txid, view.size, view.fee], at).toEqual([
					told.view.txid,
					told.view.size,
					told.view.fee
				]);
				expect(
					view.inputs.map(({ n, kind, txid: from, address }) => ({ n, kind, from, address })),
					at
				).toEqual(
					told.view.inputs.map(({ n, kind, txid: from, address }) => ({ n, kind, from, address }))
				);
				expect(
					view.outputs.map(({ n, value, address, spendable, spentBy }) => ({
						n,
						value,
						address,
						spendable,
						spentBy
					})),
					at
				).toEqual(
					told.view.outputs.map(({ n, value, address, spendable, spentBy }) => ({
						n,
						value,
						address,
						spendable,
						spentBy
					}))
				);
				expect(
					view.outputs.map(({ kind }) => kind),
					at
				).toEqual(told.view.outputs.map(({ kind }) => kind));
			}
		}
		const expected = ['burn', 'import', 'token-create', 'token-transfer', 'notarization'];
		for (const kind of [...expected, ...NAMED]) expect([...kinds]).toContain(kind);
		expect(await indexedTransaction(index, 'ALPHA', 'ab'.repeat(32))).toBeNull();
	});

	it('name a token whose creation made no valid units, on its page and in lists', async () => {
		// Units of a token whose data begins with f2 never count.
		const params = ['STILLBORN', '0.00000001', 'No units', 'f201'];
		const { hex } = await net.rpc<{ hex: string }>('ALPHA', 'tokencreate', ...params);
		const txid = await net.rpc<string>('ALPHA', 'sendrawtransaction', hex);
		await net.control.mine('ALPHA');
		await followDaemon(index, gateway, 'ALPHA');
		const { view } = (await indexedTransaction(index, 'ALPHA', txid))!;
		expect(headlineMessage(view.headline)).toBe('Creates token STILLBORN');
		const { id } = (await chainProgress(index, 'ALPHA'))!;
		const { rows } = await transactions.read(index, {
			chain: 'ALPHA',
			filter: { kind: 'token-create' },
			sort: '-height',
			limit: 1
		});
		const [line] = await transactionLines(index, { id, name: 'ALPHA' }, rows, new Map());
		expect(line).toMatchObject({ txid, headline: view.headline });
	});

	it('lead from a burn to its import and from the import to its burn', async () => {
		const pair = await index
			.selectFrom('ix_burns as b')
			.innerJoin('ix_chains as c', 'c.id', 'b.chain')
			.innerJoin('ix_chains as d', 'd.id', 'b.import_chain')
			.innerJoin('ix_imports as i', (join) =>
				join.onRef('i.chain', '=', 'b.import_chain').onRef('i.seq', '=', 'b.import_seq')
			)
			.select(['c.name as source', 'b.txid', 'd.name as target', 'i.txid as arrived'])
			.executeTakeFirstOrThrow();
		const [burn, arrived] = [pair.txid, pair.arrived].map((id) => Buffer.from(id).toString('hex'));
		const left = await indexedTransaction(index, pair.source, burn!);
		expect(left!.view.content).toMatchObject({
			code: 'burn',
			import: { chain: pair.target, txid: arrived }
		});
		const right = await indexedTransaction(index, pair.target, arrived!);
		expect(right!.view.content).toMatchObject({
			code: 'import',
			burnChain: pair.source,
			burnTxid: burn
		});
	});

	it('count what is notarized as its daemon does, where a notarization of an older block comes later', async () => {
		const hexes: string[] = [];
		for (let n = 0; n < 2; n++) {
			const { backNotarization } = await net.control.notarize('ALPHA');
			hexes.push(await net.rpc<string>('ALPHA', 'getrawtransaction', backNotarization));
		}
		// After a reorganization the newer transaction is in an earlier block than the older one.
		await net.control.reorg('ALPHA', 2, true, true);
		for (const hex of hexes.toReversed()) {
			await net.rpc('ALPHA', 'sendrawtransaction', hex);
			await net.control.mine('ALPHA');
		}
		await followDaemon(index, gateway, 'ALPHA');
		const recorded = await index
			.selectFrom('ix_notarizations as n')
			.innerJoin('ix_chains as c', 'c.id', 'n.chain')
			.select('n.height')
			.where('c.name', '=', 'ALPHA')
			.where('n.symbol', '=', 'ALPHA')
			.orderBy('n.seq', 'desc')
			.limit(2)
			.execute();
		expect(recorded[0]!.height).toBeLessThan(recorded[1]!.height);
		const { notarized, blocks } = await net.rpc<{ notarized: number; blocks: number }>(
			'ALPHA',
			'getinfo'
		);
		expect((await indexedGlance(index, 'ALPHA'))!.data.notarized).toBe(notarized);
		expect((await indexedBlock(index, 'ALPHA', String(blocks)))!.notarized).toBe(notarized);
	});

	it('show what the index knows, with its age, when a daemon is offline since the start', async () => {
		const { height } = (await chainProgress(index, 'ALPHA'))!;
		const glance = () =>
			chainGlance(
				new PageClient(gateway, 'test'),
				'ALPHA',
				false,
				() => indexedGlance(index, 'ALPHA'),
				{ tip: null, ofMany: false }
			);
		const newest = () => {
			const client = new PageClient(gateway, 'test');
			const kept = () => indexedNewest(index, 'ALPHA', 8);
			return client.piece('ALPHA', 'latest blocks', () => blockList(client, 'ALPHA', 8), kept);
		};
		await net.control.fault('ALPHA', 'down');
		try {
			const shown = await glance();
			expect(shown).toMatchObject({
				state: 'stale',
				data: { height, fromIndex: true, mempool: null, balance: null, ccid: 777, wrong: [] }
			});
			expect(shown.data?.notarized).toBeGreaterThan(0);
			expect(shown.data?.tipAt).toBeGreaterThan(0);
			expect(Math.abs(Date.now() - (shown.at ?? 0))).toBeLessThan(600_000);
			expect(shown.problem?.words).toMatch(/Showing the last known data/);
			const blocks = await newest();
			expect(blocks.state).toBe('stale');
			expect(blocks.data?.lines[0]?.height).toBe(height);
			expect(blocks.data?.lines).toHaveLength(8);
		} finally {
			await net.control.fault('ALPHA', 'none');
		}
	});

	it('tell of a token what the index knows, where its daemon was started without -pubkey', async () => {
		const row = await index
			.selectFrom('ix_tokens as t')
			.innerJoin('ix_chains as c', 'c.id', 't.chain')
			.select(['t.tokenid', 't.name', 't.supply'])
			.where('c.name', '=', 'ALPHA')
			.limit(1)
			.executeTakeFirstOrThrow();
		const tokenid = Buffer.from(row.tokenid).toString('hex');
		const read = () => tokenPiece(new PageClient(gateway, 'test'), index, 'ALPHA', tokenid);
		// After an absence the daemon without its key would count as another one.
		await gateway.probe();
		await net.control.wallet('ALPHA', { hasPubkey: false });
		try {
			expect(await read()).toMatchObject({
				state: 'stale',
				data: { tokenid, name: row.name, supply: row.supply },
				problem: { words: expect.stringContaining('-pubkey') as string }
			});
		} finally {
			await net.control.wallet('ALPHA', { hasPubkey: true });
		}
	});

	it('tell of a token what one’s own wallet holds, and never what another one of the chain does', async () => {
		const [tokenid] = await net.rpc<string[]>('BETA', 'tokenlist');
		const { balance } = await net.rpc<{ balance: number }>('BETA', 'tokenbalance', tokenid!);
		expect(balance).toBeGreaterThan(0);
		/** Reads the page as a member with the right to use this wallet. */
		const read = (wallet: string) => {
			const daemonFor = () => gateway.daemon(wallet);
			const client = new PageClient({ ...gateway, daemonFor }, 'test');
			return ownUnits(client, index, 'BETA', tokenid!);
		};
		const first = { state: 'fresh', data: BigInt(balance) };
		await vi.waitFor(async () => expect(await read('BETA')).toMatchObject(first), 20_000);
		await net.control.fault('BETA-notary-1', 'down');
		try {
			expect((await read('BETA-notary-1')).data ?? 0n).toBe(0n);
		} finally {
			await net.control.fault('BETA-notary-1', 'none');
		}
	});

	it('tell no fee of a transaction on KMD that claims less interest than it pays, nor the fees of its block', async () => {
		const own = addressOfPubkey(net.chains.get('KMD')!.pubkey);
		const earning = await net.rpc<string>('KMD', 'sendtoaddress', own, 10);
		await net.control.mine('KMD');
		await net.control.clock(3_660);
		await net.control.mine('KMD');
		const unspent = await net.rpc<
			{ txid: string; vout: number; amount: number; interest: number }[]
		>('KMD', 'listunspent');
		const { vout, interest } = unspent.find(
			({ txid, amount }) => txid === earning && amount === 10
		)!;
		const fee = 0.0001;
		expect(interest).toBeGreaterThan(0);
		expect(interest).toBeLessThan(fee);
		const raw = await net.rpc<string>('KMD', 'createrawtransaction', [{ txid: earning, vout }], {
			[own]: Number((10 + interest - fee).toFixed(8))
		});
		const { hex } = await net.rpc<{ hex: string }>('KMD', 'signrawtransaction', raw);
		const txid = await net.rpc<string>('KMD', 'sendrawtransaction', hex);
		await net.control.mine('KMD');
		await followDaemon(index, gateway, 'KMD');
		const { view, mined } = (await indexedTransaction(index, 'KMD', txid))!;
		expect(view).toMatchObject({ fee: null, claimed: null });
		const told = await asked((client) => readTransaction(client, 'KMD', txid));
		expect(told.view).toMatchObject({ fee: null, claimed: null });
		expect((await indexedBlock(index, 'KMD', String(mined.height)))!.made.fees).toBeNull();
	});
});
