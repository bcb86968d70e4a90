import { CompiledQuery } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { bytesToHex, displayHash } from '#lib/chain/bytes.ts';
import { insertRows, type IndexTrx } from '#lib/server/chains/indexer/bulk.ts';
import { takeBack } from '#lib/server/chains/indexer/store.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { balanceOverTime } from '#lib/server/chains/explorer/addressHistory.ts';
import { chainCharts } from '#lib/server/chains/explorer/chainCharts.ts';
import { recordedRoot } from '#lib/server/chains/explorer/proof/recordedRoot.ts';
import type { AnyList, ListQuery } from '#lib/server/chains/lists/list.ts';
import { chainProgress } from '#lib/server/chains/lists/chains.ts';
import { lists } from '#lib/server/chains/lists/lists.ts';
import { readRouteFlows } from '#lib/server/chains/lists/routeFlows.ts';
import { transactions } from '#lib/server/chains/lists/transactions.ts';
import { utxos } from '#lib/server/chains/lists/utxos.ts';
import { readTransactionSubjects } from '#lib/server/chains/lists/transactionSubjects.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { gatewayTo } from '../transactions/support.ts';
import { shared } from '../../support/shared.ts';
import { followDaemon } from './support.ts';
import { QueryRecorder } from '../../support/queryRecorder.ts';

/** Optional filters of lists. */
const OPTIONAL: Readonly<Record<string, readonly Record<string, string>[]>> = {
	blocks: [{ from: '2' }, { to: '20' }, { from: '2', to: '20' }],
	imports: [{ from: '2' }, { to: '20' }],
	transactions: [{ kind: 'coinbase' }, { block: '5' }, { kind: 'coinbase', block: '5' }],
	tokens: [
		{ q: 'a' },
		{ kind: 'fungible' },
		{ kind: 'nft' },
		{ imported: 'no' },
		{ imported: 'yes' }
	],
	transfers: [
		{ from: 'ALPHA' },
		{ to: 'BETA' },
		...([{}, { from: 'ALPHA' }, { to: 'BETA' }] as Record<string, string>[]).flatMap((way) => [
			{ ...way, state: 'open' },
			{ ...way, state: 'done' },
			{ ...way, what: 'coins' },
			{ ...way, what: 'tokens' }
		])
	]
};

/** Lines of the plan of a query; PostgreSQL is configured to avoid sorting and sequential scans. */
async function planOf(index: Index, query: CompiledQuery): Promise<string[]> {
	if (index.dialect === 'sqlite') {
		const text = `explain query plan ${query.sql}`;
		const { rows } = await index.executeQuery<{ detail: string }>(
			CompiledQuery.raw(text, [...query.parameters])
		);
		return rows.map(({ detail }) => detail);
	}
	return index.transaction().execute(async (trx) => {
		for (const setting of ['enable_seqscan', 'enable_sort', 'enable_bitmapscan']) {
			await trx.executeQuery(CompiledQuery.raw(`set local ${setting} = off`));
		}
		const { rows } = await trx.executeQuery<Record<string, string>>(
			CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters])
		);
		return rows.map((row) => Object.values(row)[0]!);
	});
}

const queriesOf = (recorder: QueryRecorder, index: Index): CompiledQuery[] =>
	recorder.queries.map(({ node, queryId }) => index.getExecutor().compileQuery(node, queryId));

/** Expects that no query sorts, or scans the whole of a growing table. */
async function expectIndexed(
	index: Index,
	queries: readonly CompiledQuery[],
	what: string,
	forbidden = /TEMP B-TREE|Sort|Seq Scan|^SCAN (?!.*USING (COVERING )?INDEX)/
): Promise<void> {
	for (const asked of queries) {
		for (const line of await planOf(index, asked)) {
			// The tables of chains and flows have only a few rows; an incremental sort orders the outputs of
			// one transaction.
			if (/ix_chains|SCAN ix_flows|Incremental Sort|(?:Sort|Presorted) Key/.test(line)) continue;
			expect(line, `${what}: ${asked.sql}`).not.toMatch(forbidden);
		}
	}
}

describeOnBothDatabases('the lists of the index', (database) => {
	const index = shared(() => openIndex(database.options));
	/** Required filters of lists. */
	let needed: Record<string, Record<string, string>>;

	const net = shared(() => startDevnet());
	beforeAll(async () => {
		const gateway = gatewayTo(net, database);
		for (const chain of gateway.chains()) await followDaemon(index, gateway, chain);
		await gateway.close();
		const [tokenid] = await net.rpc<string[]>('ALPHA', 'tokenlist');
		const busiest = await index
			.selectFrom('ix_addresses as a')
			.innerJoin('ix_chains as c', 'c.id', 'a.chain')
			.select('address')
			.where('c.name', '=', 'ALPHA')
			.orderBy('a.txs', 'desc')
			.executeTakeFirstOrThrow();
		needed = {
			'address-transactions': { address: busiest.address },
			'address-utxos': { address: busiest.address },
			holders: { tokenid: tokenid! },
			holdings: { holder: net.chains.get('ALPHA')!.pubkey },
			'token-transfers': { tokenid: tokenid! }
		};
	});

	const queryOf = (
		list: AnyList,
		more: Partial<ListQuery<Record<string, unknown>>> = {}
	): ListQuery<Record<string, unknown>> => ({
		// The imports of the network's history are on BETA.
		...(list.scope === 'chain' ? { chain: list.name === 'imports' ? 'BETA' : 'ALPHA' } : {}),
		filter: list.filter.parse(needed[list.name] ?? {}),
		sort: list.sorts[0],
		limit: 1000,
		...more
	});

	it('give the same rows page by page as at once, in every order, in the shape that they promise', async () => {
		for (const list of lists) {
			for (const sort of list.sorts) {
				const whole = await list.read(index, queryOf(list, { sort }));
				expect(whole.rows.length, list.name).toBeGreaterThan(0);
				expect([whole.next, whole.previous]).toEqual([null, null]);
				const places: string[] = [];
				const paged: unknown[] = [];
				let cursor: string | null = null;
				do {
					const page = await list.read(
						index,
						queryOf(list, { sort, limit: 3, ...(cursor === null ? {} : { cursor }) })
					);
					paged.push(...page.rows);
					cursor = page.next;
					if (cursor !== null) places.push(cursor);
				} while (cursor !== null);
				expect(paged, `${list.name} ${sort}`).toEqual(whole.rows);
				const back: unknown[] = [];
				let page = await list.read(index, queryOf(list, { sort, limit: 3, cursor: places.at(-1) }));
				back.unshift(...page.rows);
				while (page.previous !== null) {
					page = await list.read(index, queryOf(list, { sort, limit: 3, before: page.previous }));
					expect(page.next).not.toBeNull();
					back.unshift(...page.rows);
				}
				expect(back, `${list.name} ${sort} backwards`).toEqual(whole.rows);
				for (const row of whole.rows) {
					expect(list.row.parse(list.wire(row))).toEqual(list.wire(row));
					for (const column of list.columns) {
						expect(['string', 'number', 'bigint', 'object']).toContain(typeof column.value(row));
					}
				}
			}
		}
	});

	it('refuse a place that another list, another order or a stranger made', async () => {
		const strangers = [
			'x',
			'%00',
			Buffer.from('{"a":1}').toString('base64url'),
			Buffer.from(JSON.stringify(['-created', "i1' or 1=1"])).toString('base64url'),
			Buffer.from(JSON.stringify(['-created', 'i99999999999999999999'])).toString('base64url'),
			Buffer.from(JSON.stringify(['-created', 's1'])).toString('base64url'),
			Buffer.from(JSON.stringify(['name', 'i1'])).toString('base64url'),
			'A'.repeat(10_000)
		];
		for (const list of lists) {
			for (const cursor of strangers.slice(0, 4)) {
				await expect(list.read(index, queryOf(list, { cursor })), list.name).rejects.toMatchObject({
					code: 'api.cursor-unknown'
				});
				await expect(
					list.read(index, queryOf(list, { before: cursor })),
					list.name
				).rejects.toMatchObject({
					code: 'api.cursor-unknown'
				});
			}
		}
		const tokens = lists.find(({ name }) => name === 'tokens')!;
		for (const cursor of strangers) {
			await expect(tokens.read(index, queryOf(tokens, { cursor })), cursor).rejects.toMatchObject({
				code: 'api.cursor-unknown'
			});
		}
	});

	it('neither sort nor read a whole table, whichever the order and the filter', async () => {
		for (const list of lists) {
			const filters = [needed[list.name] ?? {}, ...(OPTIONAL[list.name] ?? [])];
			for (const [sort, given] of list.sorts.flatMap((by) =>
				filters.map((f) => [by, f] as const)
			)) {
				const recorder = new QueryRecorder();
				const watched = index.withPlugin(recorder) as unknown as Index;
				const query = queryOf(list, { sort, filter: list.filter.parse(given) });
				const first = await list.read(watched, { ...query, limit: 1 });
				if (first.next) {
					const second = await list.read(watched, { ...query, limit: 1, cursor: first.next });
					await list.read(watched, { ...query, before: second.previous ?? undefined });
				}
				const main = queriesOf(recorder, index).filter(({ sql }) => sql.includes('order by'));
				expect(main.length).toBeGreaterThan(0);
				await expectIndexed(index, main, `${list.name} ${sort}`);
			}
		}
	});

	it('find what the transactions of a page are about without reading a whole table', async () => {
		const all = await transactions.read(index, {
			...queryOf(transactions as unknown as AnyList),
			filter: {}
		});
		const kinds = new Set(all.rows.map(({ kind }) => kind));
		for (const kind of ['burn', 'notarization', 'token-create', 'token-transfer'] as const) {
			expect([...kinds]).toContain(kind);
		}
		const recorder = new QueryRecorder();
		const watched = index.withPlugin(recorder) as unknown as Index;
		const { id } = (await chainProgress(index, 'ALPHA'))!;
		const subjects = await readTransactionSubjects(watched, id, all.rows);
		expect(subjects.size).toBe(all.rows.length);
		const asked = queriesOf(recorder, index);
		expect(asked.length).toBeGreaterThanOrEqual(3);
		// The few token movements of a page are sorted once they are found.
		await expectIndexed(index, asked, 'subjects', /Seq Scan|^SCAN (?!.*USING (COVERING )?INDEX)/);
	});

	it('find what an address holds by its own history, which they count back from the balance', async () => {
		const { address } = needed['address-transactions']!;
		const chain = await index
			.selectFrom('ix_chains')
			.select('id')
			.where('name', '=', 'ALPHA')
			.executeTakeFirstOrThrow();
		const facts = await index
			.selectFrom('ix_addresses')
			.select(['balance', 'txs'])
			.where('address', '=', address!)
			.where('chain', '=', chain.id)
			.executeTakeFirstOrThrow();
		const recorder = new QueryRecorder();
		const watched = index.withPlugin(recorder) as unknown as Index;
		const points = await balanceOverTime(watched, chain.id, address!, facts.balance);
		const unspent = await utxos.read(watched, {
			chain: 'ALPHA',
			filter: { address: address! },
			sort: '-place',
			limit: 1000
		});
		expect(points.at(-1)?.balance).toBe(facts.balance);
		expect(points.every(({ balance }) => balance >= 0n)).toBe(true);
		expect(unspent.next).toBeNull();
		expect(unspent.rows.reduce((sum, { value }) => sum + value, 0n)).toBe(facts.balance);
		expect(recorder.queries).not.toHaveLength(0);
		for (const { node, queryId } of recorder.queries) {
			const asked = index.getExecutor().compileQuery(node, queryId);
			// At most a thousand rows are sorted.
			expect((await planOf(index, asked)).join('\n'), asked.sql).not.toMatch(
				/Seq Scan|SCAN ix_|SCAN [bot]\b/
			);
		}
	});

	it('find the root of a proof on its destination without reading a whole table', async () => {
		const { id } = (await chainProgress(index, 'BETA'))!;
		const record = await index
			.selectFrom('ix_notarizations')
			.select(['txid', 'kmd_txid', 'momom'])
			.where('chain', '=', id)
			.where('kmd_txid', 'is not', null)
			.where('momom', 'is not', null)
			.orderBy('seq')
			.limit(1)
			.executeTakeFirstOrThrow();
		const recorder = new QueryRecorder();
		const watched = index.withPlugin(recorder) as unknown as Index;
		const named = bytesToHex(record.kmd_txid!);
		const root = await recordedRoot(watched, 'BETA', named, displayHash(record.momom!));
		expect(root).toMatchObject({ txid: bytesToHex(record.txid) });
		await expectIndexed(index, queriesOf(recorder, index), 'recorded root');
	});

	it('count what was burned on a route by day from a bounded part of the burns of its chain', async () => {
		const recorder = new QueryRecorder();
		const watched = index.withPlugin(recorder) as unknown as Index;
		const routes = [{ source: 'ALPHA', target: 'BETA', ccid: 777 }];
		const [flow] = await readRouteFlows(watched, routes, Date.now());
		expect(flow!.days.some(({ burns }) => burns > 0)).toBe(true);
		for (const { node, queryId } of recorder.queries) {
			const asked = index.getExecutor().compileQuery(node, queryId);
			const plan = (await planOf(index, asked)).filter((line) => !/ix_chains/.test(line));
			expect(plan.join('\n'), asked.sql).not.toMatch(/Seq Scan|SCAN ix_/);
			expect(asked.sql).toMatch(/limit/);
		}
	});

	it('draw the charts of a chain from a bounded part of its blocks', async () => {
		const recorder = new QueryRecorder();
		const watched = index.withPlugin(recorder) as unknown as Index;
		const charts = await chainCharts(watched, 'ALPHA');
		const counted = await index
			.selectFrom('ix_blocks as b')
			.innerJoin('ix_chains as c', 'c.id', 'b.chain')
			.select((eb) => eb.fn.sum<bigint>('b.txs').as('txs'))
			.where('c.name', '=', 'ALPHA')
			.executeTakeFirstOrThrow();
		const days = charts!.days.reduce((sum, { transactions }) => sum + transactions, 0);
		// Only the genesis block is older than the displayed days.
		expect(days).toBe(Number(counted.txs) - 1);
		expect(charts!.days).toHaveLength(14);
		expect(charts!.lags.length).toBeGreaterThan(0);
		expect(charts!.lags.every(({ seconds }) => seconds >= 0)).toBe(true);
		for (const { node, queryId } of recorder.queries) {
			const asked = index.getExecutor().compileQuery(node, queryId);
			const plan = await planOf(index, asked);
			// There are only a few chain names.
			const lines = plan.filter((line) => !/ix_chains/.test(line));
			expect(lines.join('\n'), asked.sql).not.toMatch(/Seq Scan|SCAN (?:ix_|[nb]\b)/);
			expect(asked.sql).toMatch(/limit|ix_chains/);
		}
		expect(await chainCharts(index, 'NONE')).toBeNull();
	});

	it('give blocks back with few questions, however many addresses these pay', async () => {
		const { id, name, height } = (await chainProgress(index, 'ALPHA'))!;
		const seq = seqOf(height, 60_000);
		const addresses = Array.from({ length: 2_000 }, (_, n) => `R${n}`);
		const recorder = new QueryRecorder();
		await index.write(async (trx) => {
			await insertRows(
				trx,
				'ix_outputs',
				['chain', 'seq', 'n', 'value', 'type', 'address'],
				addresses.map((address, n) => [id, seq, n, 1, 'pubkeyhash', address])
			);
			await insertRows(
				trx,
				'ix_address_txs',
				['chain', 'address', 'seq', 'received', 'sent'],
				addresses.map((address) => [id, address, seq, 1, 0])
			);
			await insertRows(
				trx,
				'ix_addresses',
				['chain', 'address', 'balance', 'received', 'txs'],
				addresses.map((address) => [id, address, 1, 1, 1])
			);
			const watched = trx.trx.withPlugin(recorder) as unknown as IndexTrx['trx'];
			await takeBack({ ...trx, trx: watched }, { id, name }, height - 1);
		});
		const left = await index
			.selectFrom('ix_address_txs')
			.select('address')
			.where('chain', '=', id)
			.where('seq', '=', seq)
			.execute();
		expect(left).toEqual([]);
		expect(recorder.queries.length).toBeGreaterThan(10);
		expect(recorder.queries.length).toBeLessThan(100);
	});
});
