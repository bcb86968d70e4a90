/**
 * Worker thread of the indexer, so that large answers and long writes never delay a page. It has its own
 * connections to the daemons and the index, and uses a limited share of each daemon.
 */
import { parentPort } from 'node:worker_threads';
import { loadConfig } from '../../platform/config/load.ts';
import { databaseClock } from '../../platform/database/databaseClock.ts';
import { diskSpaceOf } from '../../platform/disk/diskSpace.ts';
import { createClockGuard } from '../../platform/jobs/clock.ts';
import { createLog } from '../../platform/logging/log.ts';
import { createGateway, readsOnly } from '../daemon/gateway.ts';
import { createSources } from './fetching.ts';
import { createIndexer, LEASE_BOUND } from './indexer.ts';
import { openIndex } from './open.ts';
import { createSource, MAX_CONCURRENCY } from './source.ts';

const log = createLog();
const config = loadConfig(process.env);
const index = await openIndex({
	...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
	dataDir: config.dataDir
});
const gateway = createGateway(config, {
	limits: { maxConcurrency: MAX_CONCURRENCY },
	refusal: readsOnly
});
const onError = (error: unknown): void =>
	log.warn({ err: error }, 'a chain could not be indexed for now');
const disk = diskSpaceOf(config.dataDir);
const reserve = config.indexDiskReserve;
const room = async () => ({ free: (await disk()).free, reserve });
const clockGuard = createClockGuard({
	db: index,
	bounds: [LEASE_BOUND],
	sharedClock: databaseClock(index),
	onError
});
await clockGuard.repair();
clockGuard.watch();
const sources = createSources((chain) => createSource(gateway, chain), onError);
const indexer = createIndexer({
	index,
	chains: gateway.chains(),
	source: sources.source,
	startHeights: config.indexFrom,
	// PostgreSQL may be on another machine, whose free space is unknown here.
	room: config.databaseUrl === null ? room : undefined,
	onWrite: (chain, height) => parentPort?.postMessage({ kind: 'written', chain, height }),
	onError
});

parentPort?.on('message', (message: unknown) => {
	if (message === 'stop') void stop();
});

async function stop(): Promise<void> {
	clockGuard.stop();
	await indexer.stop();
	await sources.close();
	await gateway.close();
	await index.close();
	parentPort?.close();
}

indexer.start();
