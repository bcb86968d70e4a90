/**
 * The indexer's own thread, so that large answers and long writes never hold up a page. It has its own
 * connections to the daemons and to the index, and takes a bounded share of each daemon.
 */
import { parentPort } from 'node:worker_threads';
import { createLog } from '../auth/log.ts';
import { loadConfig } from '../config/load.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createIndexer } from './indexer.ts';
import { openIndex } from './open.ts';

/** Calls on the wire to one daemon at a time: komodod 0.9.0 has four workers, people need the others. */
const PLACES = 1;

const log = createLog();
const config = loadConfig(process.env);
const index = await openIndex({
	...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
	dataDir: config.dataDir
});
const gateway = createGateway(config, { limits: { places: PLACES } });
const indexer = createIndexer({
	index,
	gateway,
	startHeights: config.indexFrom,
	onWrite: (chain, height) => parentPort?.postMessage({ kind: 'written', chain, height }),
	onError: (error) => log.warn({ err: error }, 'a chain could not be indexed for now')
});

parentPort?.on('message', (message: unknown) => {
	if (message === 'stop') void stop();
});

async function stop(): Promise<void> {
	await indexer.stop();
	await gateway.close();
	await index.close();
	parentPort?.close();
}

indexer.start();
