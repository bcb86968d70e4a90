import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { RECONCILIATION } from '#lib/messages/pages/reconciliation.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { seqOf } from '#lib/server/chains/indexer/tables.ts';
import { addFlows, joinImports } from '#lib/server/chains/indexer/totals.ts';
import { chainRoutes, readChainFacts } from '#lib/server/chains/lists/chainRoutes.ts';
import {
	AGES,
	FURTHER_ROUTES,
	readConservation,
	readOldestOpen
} from '#lib/server/chains/lists/conservation.ts';
import { flows } from '#lib/server/chains/lists/flows.ts';
import { readRouteFlows } from '#lib/server/chains/lists/routeFlows.ts';
import { readReconciliation } from '#lib/server/chains/lists/reconciliation.ts';
import {
	readBefore,
	readNotarized,
	readTimeline
} from '#lib/server/chains/lists/notarizationTimeline.ts';
import { shared } from '../../support/shared.ts';
import { indexedChain } from '../../support/indexedChain.ts';

const NOW = 1_795_000_000;
const id = (byte: number, kind: number): Buffer => Buffer.alloc(32, byte).fill(kind, 0, 1);
const CHAINS = ['KMD', 'ALPHA', 'BETA', 'GAMMA', 'DELTA'];

describeOnBothDatabases('the ledger and the map of chains', (database) => {
	async function burn(
		at: number,
		chain: number,
		target: string,
		age: number,
		tokenid?: Buffer,
		value = tokenid === undefined ? BigInt(at) * 1_000n : 0n,
		ccid = 777
	) {
		const row = {
			chain: BigInt(chain),
			seq: seqOf(at, 1),
			txid: id(at, 1),
			time: BigInt(NOW - age),
			target,
			target_ccid: BigInt(ccid),
			value,
			tokenid: tokenid ?? null,
			units: tokenid === undefined ? 0n : 5n,
			payouts_hash: id(at, 3)
		};
		await index.transaction().execute(async (trx) => {
			await trx.insertInto('ix_burns').values(row).execute();
			if (tokenid !== undefined) return;
			const none = { imported: 0n, imports: 0n };
			const way = { source: CHAINS[chain - 1]!, target, ccid };
			await addFlows({ trx, dialect: index.dialect }, [
				{ ...way, burned: value, burns: 1n, ...none }
			]);
		});
		return row;
	}

	async function importOf(burnt: Awaited<ReturnType<typeof burn>>, chain: number, at: number) {
		await index.transaction().execute(async (trx) => {
			const source = CHAINS[Number(burnt.chain) - 1]!;
			await trx
				.insertInto('ix_imports')
				.values({
					chain: BigInt(chain),
					seq: seqOf(at, 1),
					txid: id(at, 2),
					time: burnt.time + 60n,
					burn_txid: burnt.txid,
					source,
					ccid: 777n,
					value: burnt.value,
					token: null,
					proof: 'txproof'
				})
				.execute();
			const write = { trx, dialect: index.dialect };
			await joinImports(write, [burnt.txid]);
			const none = { burned: 0n, burns: 0n };
			const way = { source, target: CHAINS[chain - 1]!, ccid: 777 };
			await addFlows(write, [{ ...way, ...none, imported: burnt.value, imports: 1n }]);
		});
	}

	const index = shared(() => openIndex(database.options));
	beforeAll(async () => {
		await index
			.insertInto('ix_chains')
			.values(
				CHAINS.map((name, at) =>
					indexedChain({
						id: at + 1,
						name,
						height: name === 'KMD' ? 2_000 : 100,
						target_height: 100
					})
				)
			)
			.execute();
		await importOf(await burn(10, 2, 'BETA', 700_000), 3, 12);
		await importOf(await burn(11, 3, 'ALPHA', 90_000), 2, 13);
		for (const [at, age] of [100, 4_000, 90_000, 700_000, 800_000].entries()) {
			await burn(20 + at, 2, 'BETA', age);
		}
		await burn(30, 2, 'BETA', 50, id(9, 9));
		await burn(31, 3, 'ALPHA', 50_000);
		// ALPHA is notarized often, BETA six times, GAMMA under another id, DELTA long ago.
		const marks: [symbol: string, ccid: bigint, height: number][] = [
			...Array.from({ length: 12 }, (_, n): [string, bigint, number] => ['ALPHA', 777n, 1_000 + n]),
			...Array.from({ length: 6 }, (_, n): [string, bigint, number] => ['BETA', 777n, 1_100 + n]),
			...Array.from({ length: 8 }, (_, n): [string, bigint, number] => ['GAMMA', 888n, 1_200 + n]),
			...Array.from({ length: 8 }, (_, n): [string, bigint, number] => ['DELTA', 777n, 300 + n])
		];
		await index
			.insertInto('ix_notarizations')
			.values(
				marks.map(([symbol, ccid, at], n) => ({
					chain: 1n,
					seq: seqOf(at, 2),
					txid: id(n + 1, 4),
					form: 'kmd' as const,
					symbol,
					time: BigInt(NOW - 10_000 + at * (at === 1_005 ? 3 : 1)),
					height: BigInt(at - 200),
					hash: id(n + 1, 5),
					kmd_txid: null,
					mom: id(n + 1, 6),
					mom_depth: 5n,
					ccid,
					momom: null,
					momom_depth: null,
					signers: n % 2 === 0 ? '0,1,63' : '1,2',
					signer_count: n % 2 === 0 ? 3n : 2n
				}))
			)
			.execute();
	});

	it('count what every burn and import adds up to', async () => {
		const { rows } = await sql<{
			source: string;
			target: string;
			burned: bigint;
			burns: bigint;
		}>`select c.name as source, b.target, cast(sum(b.value) as bigint) as burned, count(*) as burns
			from ix_burns b join ix_chains c on c.id = b.chain where b.tokenid is null
			group by c.name, b.target order by 1`.execute(index);
		const imported = await sql<{ source: string; imported: bigint; imports: bigint }>`
			select source, cast(sum(value) as bigint) as imported, count(*) as imports
			from ix_imports where ccid is not null and token is null group by source order by 1`.execute(index);
		const { groups, rest } = await readConservation(index, NOW);
		const [group, ...others] = groups;
		expect(others).toEqual([]);
		expect(rest).toBe(0);
		expect(
			group!.routes.map(({ source, target, burned, burns }) => ({ source, target, burned, burns }))
		).toEqual(rows.map((row) => ({ ...row, burns: Number(row.burns) })));
		expect(
			group!.routes.map(({ source, imported, imports }) => ({ source, imported, imports }))
		).toEqual(imported.rows.map((row) => ({ ...row, imports: Number(row.imports) })));
		for (const route of group!.routes) {
			const open = route.byAge.reduce((sum, { value }) => sum + value, 0n);
			expect(route.open).toBe(open);
		}
		expect(group!.open).toBe(group!.burned - group!.imported);
	});

	it('sort burns without an import by age, those of tokens apart', async () => {
		const [group] = (await readConservation(index, NOW)).groups;
		const alpha = group!.routes.find(({ source }) => source === 'ALPHA')!;
		expect(alpha.byAge).toEqual([
			{ burns: 1, value: 20_000n, tokenBurns: 1 },
			{ burns: 1, value: 21_000n, tokenBurns: 0 },
			{ burns: 1, value: 22_000n, tokenBurns: 0 },
			{ burns: 2, value: 47_000n, tokenBurns: 0 }
		]);
		expect(alpha.byAge).toHaveLength(AGES.length);
		const oldest = await readOldestOpen(index, 3);
		expect(oldest.map(({ time }) => Number(time))).toEqual([
			NOW - 800_000,
			NOW - 700_000,
			NOW - 90_000
		]);
	});

	it('name that no proof leads from one group of notaries to another', async () => {
		const facts = (await readChainFacts(index)).map((chain) =>
			chain.name === 'ALPHA' ? { ...chain, name: 'TXSCLA' } : chain
		);
		const { routes } = chainRoutes(facts, [], new Set());
		const of = (source: string, target: string) =>
			routes.find((route) => route.source === source && route.target === target)!.obstacles;
		const other = { code: 'other-notaries', source: 'BETA', target: 'TXSCLA' };
		expect(of('BETA', 'TXSCLA')).toEqual([other]);
		expect(of('BETA', 'DELTA')).not.toContainEqual(expect.objectContaining({ code: other.code }));
	});

	it('name why a route cannot be used: too few notarizations, none lately, a daemon that is down', async () => {
		const facts = await readChainFacts(index);
		const map = chainRoutes(
			facts,
			await readReconciliation(index, facts),
			new Set(['GAMMA', 'DELTA'])
		);
		expect(map.groups.map(({ ccid, chains }) => [ccid, chains.map(({ name }) => name)])).toEqual([
			[777, ['ALPHA', 'BETA', 'DELTA']],
			[888, ['GAMMA']],
			[null, ['KMD']]
		]);
		const obstacles = (source: string, target: string) =>
			map.routes.find((route) => route.source === source && route.target === target)?.obstacles;
		expect(obstacles('BETA', 'ALPHA')).toEqual([]);
		expect(obstacles('ALPHA', 'BETA')).toEqual([
			{ code: 'too-few-notarizations', chain: 'BETA', found: 6, needed: 7 }
		]);
		expect(obstacles('DELTA', 'ALPHA')).toEqual([
			{ code: 'offline', chain: 'DELTA' },
			{ code: 'not-notarized', chain: 'DELTA', blocks: 1440 }
		]);
		expect(obstacles('ALPHA', 'GAMMA')).toBeUndefined();
		expect(map.routes.find(({ source }) => source === 'BETA')).toMatchObject({
			burned: 42_000n,
			burns: 2,
			imported: 11_000n,
			imports: 1
		});
	});

	it('do not say what the notarizations are while the index lacks blocks of KMD', async () => {
		const known = async () =>
			Object.fromEntries(
				(await readChainFacts(index)).map((chain) => [
					chain.name,
					[chain.notarizations, chain.isUnsure]
				])
			);
		const setKmd = (values: { target_height?: number; start_height?: number }) =>
			index.updateTable('ix_chains').set(values).where('name', '=', 'KMD').execute();
		const indexed = { KMD: [null, false], DELTA: [0, false], BETA: [6, false], ALPHA: [7, false] };
		expect(await known()).toMatchObject(indexed);
		await setKmd({ target_height: 3_000_000 });
		expect(await known()).toMatchObject({ DELTA: [null, false], BETA: [null, false] });
		const { routes } = chainRoutes(await readChainFacts(index), [], new Set());
		expect(routes.map(({ obstacles }) => obstacles)).toEqual(
			routes.map(() => [{ code: 'notarizations-unknown', main: 'KMD' }])
		);
		// From a block within the window, fewer than needed may have been more.
		await setKmd({ target_height: 2_000, start_height: 1_000 });
		expect(await known()).toMatchObject({ BETA: [null, false], ALPHA: [7, false] });
		await setKmd({ target_height: 100, start_height: 0 });
		expect(await known()).toMatchObject(indexed);
	});

	it('measure notarizations against the one before of the same chain', async () => {
		expect(await readNotarized(index, 1n)).toEqual(['ALPHA', 'BETA', 'DELTA', 'GAMMA']);
		const timeline = await readTimeline(index, 1n, 'ALPHA', 11);
		expect(timeline.points).toHaveLength(11);
		expect(timeline.points[0]).toMatchObject({ height: 801, gap: 1, distance: 1 });
		expect(timeline.medianGap).toBe(1);
		expect(timeline.points.find(({ height }) => height === 805)?.gap).toBe(2_011);
		expect([0, 1, 2, 3, 63].map((notary) => timeline.signed[notary])).toEqual([5, 11, 6, 0, 5]);
		const before = await readBefore(index, 1n, [seqOf(1_100, 2), seqOf(1_101, 2)]);
		expect([...before]).toEqual([
			[seqOf(1_101, 2), { height: 900n, time: BigInt(NOW - 10_000 + 1_100) }]
		]);
	});

	it('add up what was burned and imported beyond what a column holds', async () => {
		const huge = 2n ** 62n + 12_345_679n;
		const all = 3n * huge;
		const burnt = [];
		for (const at of [60, 61, 62]) burnt.push(await burn(at, 5, 'AWAY', 100, undefined, huge));
		const way = { source: 'DELTA', target: 'AWAY', ccid: 777 };
		const [route] = await readRouteFlows(index, [way], NOW * 1000);
		expect(route!.days.at(-1)!.burned).toBe(all);
		const standing = async () => (await readConservation(index, NOW)).groups[0]!.routes.at(-1);
		expect(await standing()).toMatchObject({ ...way, burned: all, open: all });
		expect((await standing())!.byAge[0]).toMatchObject({ burns: 3, value: all });
		const flowed = async (burned: bigint, imported: bigint): Promise<void> => {
			const change = { ...way, burned, imported, burns: 0n, imports: 0n };
			await index
				.transaction()
				.execute((trx) => addFlows({ trx, dialect: index.dialect }, [change]));
		};
		for (const { value } of burnt) await flowed(0n, value);
		const listed = async () =>
			(await flows.read(index, { filter: {}, sort: 'source', limit: 50 })).rows.find(
				({ target }) => target === 'AWAY'
			);
		expect(await listed()).toMatchObject({ burned: all, imported: all });
		for (const { value } of burnt.slice(1)) await flowed(-value, -value);
		expect(await listed()).toMatchObject({ burned: huge, imported: huge });
	});

	it('count what was burned on each route by day, and leave out routes without burns and tokens', async () => {
		const routes = [
			{ source: 'ALPHA', target: 'BETA', ccid: 777 },
			{ source: 'BETA', target: 'ALPHA', ccid: 777 },
			{ source: 'ALPHA', target: 'GAMMA', ccid: 888 }
		];
		const found = await readRouteFlows(index, routes, NOW * 1000);
		expect(found.map(({ source, target }) => `${source} ${target}`)).toEqual([
			'ALPHA BETA',
			'BETA ALPHA'
		]);
		const [out, back] = found;
		expect(out!.days).toHaveLength(30);
		const today = Math.floor(NOW / 86_400) * 86_400_000;
		expect(out!.days.at(-1)!.day).toBe(today);
		const { burned, burns } = await index
			.selectFrom('ix_burns')
			.select(({ fn }) => [
				fn.sum<bigint>('value').as('burned'),
				fn.count<bigint>('seq').as('burns')
			])
			.where('chain', '=', 2n)
			.where('target', '=', 'BETA')
			.where('tokenid', 'is', null)
			.executeTakeFirstOrThrow();
		expect(out!.days.reduce((sum, day) => sum + day.burned, 0n)).toBe(BigInt(burned));
		expect(out!.days.reduce((sum, day) => sum + day.burns, 0)).toBe(Number(burns));
		// Burned 90,000 seconds ago.
		const then = Math.floor((NOW - 90_000) / 86_400) * 86_400_000;
		expect(back!.days.filter((day) => day.burns > 0).map(({ day }) => day)).toContain(then);
	});

	it('show every route between the chains, and of the routes that anyone can invent only the largest', async () => {
		const before = await readConservation(index, NOW);
		const named = before.groups.flatMap(({ routes }) => routes);
		const invented = FURTHER_ROUTES + 50;
		for (let n = 1; n <= invented; n++) {
			const value = 5_000n + BigInt(n);
			// Between two chains of the index by a CCid of neither, and to a chain that is not in it.
			if (n % 2 === 0) await burn(1_000 + n, 2, 'BETA', 60, undefined, value, 10_000 + n);
			else await burn(1_000 + n, 2, `INVENTED${n}`, 60, undefined, value);
			await burn(3_000 + n, 2, `TOKENS${n}`, 60, id(9, 9));
		}
		// An import cannot be invented, however small it is.
		const far = { source: 'FAR', target: 'BETA', ccid: 4_242 };
		await index
			.transaction()
			.execute((trx) =>
				addFlows({ trx, dialect: index.dialect }, [
					{ ...far, burned: 0n, burns: 0n, imported: 7n, imports: 1n }
				])
			);
		const { groups, rest } = await readConservation(index, NOW);
		const routes = groups.flatMap((group) => group.routes);
		const isOld = ({ source, target, ccid }: (typeof routes)[number]) =>
			named.some((one) => one.source === source && one.target === target && one.ccid === ccid);
		expect(routes.filter(isOld)).toEqual(named);
		// One of the largest was there before.
		expect(routes).toContainEqual(expect.objectContaining({ ...far, imported: 7n, open: -7n }));
		const others = routes.filter((route) => !isOld(route) && route.source !== far.source);
		const isFurther = named.filter(({ target }) => !CHAINS.includes(target)).length;
		expect(others).toHaveLength(FURTHER_ROUTES - isFurther);
		expect(rest).toBe(invented - others.length);
		for (const { burned, open, byAge } of others) {
			expect(burned).toBeGreaterThan(5_000n + BigInt(rest));
			expect([open, byAge[0]]).toEqual([burned, { burns: 1, value: burned, tokenBurns: 0 }]);
		}
		const facts = await readChainFacts(index);
		const between = await readReconciliation(index, facts);
		expect(between.map(({ source, target }) => `${source} ${target}`)).toEqual([
			'ALPHA BETA',
			'BETA ALPHA'
		]);
		const listed: string[] = [];
		let cursor: string | undefined;
		do {
			const page = await flows.read(index, { filter: {}, sort: 'source', limit: 50, cursor });
			listed.push(...page.rows.map(({ source, target, ccid }) => `${source} ${target} ${ccid}`));
			cursor = page.next ?? undefined;
		} while (cursor !== undefined);
		expect(new Set(listed).size).toBe(listed.length);
		expect(listed).toHaveLength(routes.length + rest);
	});

	it('are called imported only where no burn is open, of coins or tokens, on any route', async () => {
		const note = async (isIncomplete = false) =>
			RECONCILIATION.group.note(
				(await readConservation(index, NOW)).groups.find(({ ccid }) => ccid === 888)!.routes,
				isIncomplete
			);
		const imported = async (source: string, target: string, burned: bigint): Promise<void> => {
			const burns = burned === 0n ? 0n : 1n;
			const change = { source, target, ccid: 888, burned, burns, imported: 5_000n, imports: 1n };
			await index
				.transaction()
				.execute((trx) => addFlows({ trx, dialect: index.dialect }, [change]));
		};
		await imported('ALPHA', 'GAMMA', 5_000n);
		expect(await note()).toBe('1 route, all imported');
		expect(await note(true)).toBe('1 route');
		await burn(9_000, 2, 'GAMMA', 60, id(8, 8), 0n, 888);
		expect(await note()).toBe('1 route, some open');
		await burn(9_001, 4, 'ALPHA', 60, undefined, 5_000n, 888);
		await imported('ALPHA', 'GAMMA', 0n);
		expect(await note()).toBe('2 routes, some open, imported exceeds indexed burns');
	});
});
