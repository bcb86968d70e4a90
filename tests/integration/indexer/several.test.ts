/** A first run over several daemons of one chain, and faults during it. */
import { beforeAll, expect, it } from 'vitest';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { createSource } from '#lib/server/chains/indexer/source.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';
import { between, type Between } from '../transactions/support.ts';
import { clear, dump } from './support.ts';
import { gatewayBefore } from '../../support/daemons.ts';

/** More blocks than those below the tip that come from a single daemon. */
const BLOCKS = 1_600;
/** Number of blocks that are replaced while they are read. */
const REORG = 1_300;

describeOnBothDatabases('a first run with two daemons of a chain', (database) => {
	const net = shared(() => startDevnet({ manual: true }));
	const index = shared(() => openIndex(database.options));
	let proxies: [Between, Between];
	beforeAll(async () => {
		proxies = [await between(net, 'ALPHA'), await between(net, 'ALPHA')];
		const height = await net.rpc<number>('ALPHA', 'getblockcount');
		await net.control.mine('ALPHA', BLOCKS - height);
		return () => Promise.all(proxies.map((proxy) => proxy.stop()));
	});

	/** Number of block batches requested from each of the two daemons, and the resulting index. */
	async function run() {
		await clear(index);
		const { daemons } = loadConfig({ KOMODO_HOME: net.dir, KOMODECK_DATA: database.dataDir });
		const alpha = daemons.find(({ id }) => id === 'ALPHA')!;
		const gateway = gatewayBefore(
			...proxies.map(({ url }, at) => ({ ...alpha, id: `ALPHA-${at}`, url }))
		);
		try {
			const before = proxies.map((proxy) => proxy.count('getblock'));
			const sync = new ChainSync(await ensureChain(index, 'ALPHA', 0), {
				index,
				source: createSource(gateway, 'ALPHA'),
				lease: { renew: () => Promise.resolve() }
			});
			await sync.catchUp();
			expect(sync.height).toBe(await net.rpc<number>('ALPHA', 'getblockcount'));
			const asked = proxies.map((proxy, at) => proxy.count('getblock') - before[at]!);
			return { asked, held: await dump(index) };
		} finally {
			await gateway.close();
		}
	}

	it('takes old blocks from both, and is the same when one of them gives other blocks, none, or too few', async () => {
		const [, second] = proxies;
		const whole = await run();
		expect(whole.asked[0]).toBeGreaterThan(0);
		expect(whole.asked[1]).toBeGreaterThan(0);
		for (const spoil of [
			() => '<html>no daemon</html>',
			(answers: unknown[]) => JSON.stringify(answers.slice(0, -1)),
			// Complete blocks, but of other heights.
			(answers: { result?: unknown }[]) =>
				JSON.stringify(answers.map((one, at) => ({ ...one, result: answers.at(-1 - at)!.result })))
		]) {
			second.rewrite = (_, body) =>
				body.startsWith('[') ? spoil(JSON.parse(body) as { result?: unknown }[]) : body;
			const spoilt = await run();
			second.rewrite = null;
			expect(spoilt.asked[1]).toBeGreaterThan(0);
			expect(spoilt.held).toEqual(whole.held);
		}
	});

	it('follows the one that is not behind its peers', async () => {
		const [first, second] = proxies;
		first.rewrite = (method, body) =>
			method === 'getinfo' ? body.replace(/"longestchain":\d+/, '"longestchain":9999999') : body;
		// The very first request goes to the first daemon, whose state is unknown then.
		const before = [first.count('getbestblockhash'), second.count('getbestblockhash')] as const;
		await run();
		first.rewrite = null;
		expect(first.count('getbestblockhash') - before[0]).toBeLessThan(2);
		expect(second.count('getbestblockhash') - before[1]).toBeGreaterThan(0);
	});

	it('asks for less where a work queue is full, and is the same in the end', async () => {
		const whole = await run();
		for (const proxy of proxies) proxy.mostAtOnce = 1;
		const spared = await run();
		for (const proxy of proxies) proxy.mostAtOnce = Infinity;
		expect(proxies[0].refused).toBeGreaterThan(0);
		expect(spared.held).toEqual(whole.held);
	});

	it('is that of the new chain when blocks that were fetched ahead are taken back', async () => {
		const [first] = proxies;
		let answers = 0;
		// The blocks after the reorganization arrive before some blocks below it are requested.
		first.rewrite = async (method, body) => {
			if (method === 'getblock' && (answers += 1) === 3) await net.control.reorg('ALPHA', REORG);
			return body;
		};
		const changed = await run();
		first.rewrite = null;
		expect(answers).toBeGreaterThan(3);
		expect(changed.held).toEqual((await run()).held);
	});
});
