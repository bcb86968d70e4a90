/** How fast the indexer takes blocks from a daemon, against the daemon's own rate for the same batches. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serializeBlock } from '#lib/chain/block.ts';
import { p2pk } from '#lib/chain/script.ts';
import { createGateway } from '#lib/server/gateway/gateway.ts';
import { ensureChain } from '#lib/server/indexer/chains.ts';
import { openIndex } from '#lib/server/indexer/open.ts';
import { createSource } from '#lib/server/indexer/source.ts';
import { ChainSync } from '#lib/server/indexer/sync.ts';
import { COIN, newLedger, payment } from '../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, MINER } from '../../src/devnet/ledger/testkit/keys.ts';
import { startScript } from './processes.ts';
import { times, type Measure } from './table.ts';

const LEASE = { renew: () => Promise.resolve() };
const RAW_BATCH = 250;

/** A real chain with a payment in each tenth block, as raw blocks. */
function chainOf(height: number): { tip: string; blocks: string[] } {
	const ledger = newLedger();
	while (ledger.height < height) {
		if (ledger.height % 10 === 0) {
			ledger.submit(payment(ledger, MINER, [{ value: COIN, script: p2pk(ALICE.pub) }]));
		}
		ledger.mine();
	}
	const blocks = Array.from({ length: ledger.height + 1 }, (_, at) =>
		Buffer.from(serializeBlock(ledger.blockAt(at)!)).toString('hex')
	);
	return { tip: ledger.tip.hash, blocks };
}

async function measureDelay(
	chain: { tip: string; blocks: string[] },
	delay: number,
	file: string,
	dataDir: string
): Promise<{ raw: number; indexed: number }> {
	const height = chain.blocks.length - 1;
	const daemon = await startScript('cannedDaemon.ts', {
		TIP: chain.tip,
		HEIGHT: String(height),
		BLOCKS: file,
		DELAY: String(delay)
	});
	const config = {
		id: 'ALPHA',
		chain: 'ALPHA',
		url: `${daemon.url}/`,
		credentials: { kind: 'password', user: 'a', password: 'b' },
		purposes: ['read'],
		dialect: 'komodod',
		acImport: null,
		acPubkey: null,
		dataCarrierSize: null,
		expect: { ccid: null, pubkey: null }
	} as const;
	const gateway = createGateway({ daemons: [config] }, { limits: { places: 1 }, probeEvery: null });
	const index = await openIndex({ dataDir: join(dataDir, String(delay)) });
	try {
		const source = createSource(gateway, 'ALPHA');
		const count = delay === 0 ? height : Math.min(height, 5_000);
		let began = performance.now();
		if (delay === 0)
			for (let at = 0; at < count; at += RAW_BATCH) await source.blocks(at, RAW_BATCH);
		else for (let at = 0; at < 50; at++) await source.blocks(at, 1);
		const raw = ((delay === 0 ? count : 50) * 1000) / (performance.now() - began);
		began = performance.now();
		const sync = new ChainSync(await ensureChain(index, 'ALPHA', 0), {
			index,
			source,
			lease: LEASE
		});
		await sync.catchUp();
		return { raw, indexed: (height * 1000) / (performance.now() - began) };
	} finally {
		await gateway.close();
		await index.close();
		await daemon.stop();
	}
}

/** @param height blocks of the chain that is indexed */
export async function measureIndexRate(height: number): Promise<Measure[]> {
	const dataDir = mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	try {
		const chain = chainOf(height);
		const file = join(dataDir, 'blocks');
		writeFileSync(file, chain.blocks.join('\n'));
		const fast = await measureDelay(chain, 0, file, dataDir);
		const slow = await measureDelay(chain, 20, file, dataDir);
		return [
			{
				what: 'indexing, daemon answers at once',
				figure: `${Math.round(fast.indexed)} blocks a second, ${times(fast.indexed / fast.raw)} of ${Math.round(fast.raw)}`,
				goal: 'at least 0.80x of its raw batches',
				met: fast.indexed / fast.raw >= 0.8
			},
			{
				what: 'indexing, daemon answers after 20 ms',
				figure: `${Math.round(slow.indexed)} blocks a second, ${times(slow.indexed / slow.raw)} of ${Math.round(slow.raw)}`,
				goal: 'at least 8x one call at a time',
				met: slow.indexed / slow.raw >= 8
			}
		];
	} finally {
		rmSync(dataDir, { recursive: true, force: true });
	}
}
