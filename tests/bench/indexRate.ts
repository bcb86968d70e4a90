/** Measures the indexer's rate of blocks, compared with the daemon's own rate for the same batches. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockHash, serializeBlock } from '#lib/chain/block.ts';
import { p2pk } from '#lib/chain/script.ts';
import { createGateway, readsOnly } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { ensureChain } from '#lib/server/chains/indexer/chains.ts';
import { createSources, type Sources } from '#lib/server/chains/indexer/fetching.ts';
import { openIndex } from '#lib/server/chains/indexer/open.ts';
import { createSource, LARGEST_BATCH, MAX_CONCURRENCY } from '#lib/server/chains/indexer/source.ts';
import { ChainSync } from '#lib/server/chains/indexer/sync.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { COIN, newLedger, payment } from '../../src/devnet/ledger/testkit/chain.ts';
import { ALICE, MINER } from '../../src/devnet/ledger/testkit/keys.ts';
import { keepCompiled } from '../../src/start/compiled.ts';
import { startScript } from './processes.ts';
import { percentile, times, type Measure } from './table.ts';

const LEASE = { renew: () => Promise.resolve() };
/** Raw and indexed rounds alternate, so that other load affects both. */
const ROUNDS = { atOnce: 5, delayed: 3 };
/** Number of sequential calls that are timed against a slow daemon. */
const SINGLE_CALLS = 50;
/** Bytes of the Equihash solution in each block of a Komodo chain; devnet's blocks have a short one. */
const SOLUTION = 1344;

interface Chain {
	tip: string;
	/** Raw blocks in hex. */
	blocks: string[];
}

function solutionOf(height: number): Uint8Array {
	const parts = Array.from({ length: SOLUTION / 32 }, (_, part) =>
		createHash('sha256').update(`${height} ${part}`).digest()
	);
	return Uint8Array.from(Buffer.concat(parts));
}

/** A chain with a payment in each tenth block, whose blocks are as large as those of a real one. */
function chainOf(height: number): Chain {
	const ledger = newLedger();
	while (ledger.height < height) {
		if (ledger.height % 10 === 0) {
			ledger.submit(payment(ledger, MINER, [{ value: COIN, script: p2pk(ALICE.pub) }]));
		}
		ledger.mine();
	}
	let tip: string | null = null;
	const blocks = Array.from({ length: ledger.height + 1 }, (_, at) => {
		const { header, transactions } = ledger.blockAt(at)!;
		const changed = { ...header, solution: solutionOf(at) };
		if (tip !== null) changed.previousHash = tip;
		tip = blockHash(changed);
		return Buffer.from(serializeBlock({ header: changed, transactions })).toString('hex');
	});
	return { tip: tip ?? '', blocks };
}

/** Blocks a second if they are only fetched. */
async function rawRate(gateway: Gateway, count: number, batch: number): Promise<number> {
	const { id } = gateway.daemons()[0]!;
	const began = performance.now();
	for (let from = 0; from < count; from += batch) {
		const calls = Array.from({ length: batch }, (_, at) => ({
			method: 'getblock' as const,
			paramsText: JSON.stringify([String(from + at), 0]),
			idText: String(at)
		}));
		const { body } = await gateway.proxyBatch(id, calls, { priority: 'background' });
		for (const { result } of JSON.parse(body.toString()) as { result: string }[]) {
			Buffer.from(result, 'hex');
		}
	}
	return (count * 1000) / (performance.now() - began);
}

/** Blocks a second into an empty index, fetched by a thread like in the product. */
async function indexRate(fetching: Sources, height: number, dataDir: string): Promise<number> {
	const index = await openIndex({ dataDir });
	try {
		const began = performance.now();
		const sync = new ChainSync(await ensureChain(index, 'ALPHA', 0), {
			index,
			source: fetching.source('ALPHA'),
			lease: LEASE
		});
		await sync.catchUp();
		return (height * 1000) / (performance.now() - began);
	} finally {
		await index.close();
	}
}

interface Rates {
	raw: number;
	indexed: number;
}

async function measureDelay(
	{ tip, blocks }: Chain,
	delay: number,
	file: string,
	folder: string
): Promise<Rates> {
	const height = blocks.length - 1;
	const daemon = await startScript('cannedDaemon.ts', {
		TIP: tip,
		HEIGHT: String(height),
		BLOCKS: file,
		DELAY: String(delay)
	});
	const config = join(folder, `${delay}.json`);
	const entry = { chain: 'ALPHA', url: daemon.url, user: 'bench', password: 'bench' };
	writeFileSync(config, JSON.stringify({ daemons: [entry] }));
	// The fetching thread reads its configuration from the environment, like that of a server.
	Object.assign(process.env, {
		KOMODECK_CONFIG: config,
		KOMODECK_DATA: folder,
		KOMODO_HOME: join(folder, 'none')
	});
	const gateway = createGateway(loadConfig(process.env), {
		limits: { maxConcurrency: MAX_CONCURRENCY },
		pollEvery: null,
		refusal: readsOnly
	});
	const near = (chain: string) => createSource(gateway, chain);
	const fetching = createSources(near, (error) => {
		throw error;
	});
	const rates: Rates[] = [];
	try {
		for (let round = 0; round < (delay === 0 ? ROUNDS.atOnce : ROUNDS.delayed); round++) {
			rates.push({
				raw: await (delay === 0
					? rawRate(gateway, height, LARGEST_BATCH)
					: rawRate(gateway, SINGLE_CALLS, 1)),
				indexed: await indexRate(fetching, height, join(folder, `${delay}-${round}`))
			});
		}
	} finally {
		await fetching.close();
		await gateway.close();
		await daemon.stop();
	}
	// The median round: the first ones compile, and the machine's load varies.
	const share = percentile(
		rates.map(({ raw, indexed }) => indexed / raw),
		0.5
	);
	return rates.find(({ raw, indexed }) => indexed / raw === share)!;
}

/** @param height blocks of the chain that is indexed */
export async function measureIndexRate(height: number): Promise<Measure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-bench-'));
	const before = { ...process.env };
	// Compiled modules are cached as under `npm start`, so that the fetching thread starts as fast.
	keepCompiled();
	try {
		const chain = chainOf(height);
		const file = join(folder, 'blocks');
		writeFileSync(file, chain.blocks.join('\n'));
		const fast = await measureDelay(chain, 0, file, folder);
		const slow = await measureDelay(chain, 20, file, folder);
		return [
			{
				what: 'indexing, daemon answers at once',
				figure: `${Math.round(fast.indexed)} blocks a second, ${times(fast.indexed / fast.raw)} of ${Math.round(fast.raw)}`,
				goal: 'at least 0.85x of its raw batches',
				met: fast.indexed / fast.raw >= 0.85
			},
			{
				what: 'indexing, daemon answers after 20 ms',
				figure: `${Math.round(slow.indexed)} blocks a second, ${times(slow.indexed / slow.raw)} of ${Math.round(slow.raw)}`,
				goal: 'at least 150x one call at a time',
				met: slow.indexed / slow.raw >= 150
			}
		];
	} finally {
		process.env = before;
		rmSync(folder, { recursive: true, force: true });
	}
}
