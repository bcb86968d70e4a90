/**
 * The indexer's own thread, so that large answers and long writes never hold up a page. It has its own
 * connection to the index; a thread beside it asks the daemons.
 */
import { parentPort } from 'node:worker_threads';
import { createLog } from '../auth/log.ts';
import { loadConfig } from '../config/load.ts';
import { startFetching } from './fetching.ts';
import { createIndexer } from './indexer.ts';
import { openIndex } from './open.ts';

const log = createLog();
const config = loadConfig(process.env);
const index = await openIndex({
	...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
	dataDir: config.dataDir
});
const fetching = startFetching((error) => {
	// Whoever started this thread starts it again, with a new one beside it.
	throw error;
});
const indexer = createIndexer({
	index,
	chains: [...new Set(config.daemons.map(({ chain }) => chain))],
	source: fetching.source,
	startHeights: config.indexFrom,
	onWrite: (chain, height) => parentPort?.postMessage({ kind: 'written', chain, height }),
	onError: (error) => log.warn({ err: error }, 'a chain could not be indexed for now')
});

parentPort?.on('message', (message: unknown) => {
	if (message === 'stop') void stop();
});

async function stop(): Promise<void> {
	await indexer.stop();
	await fetching.close();
	await index.close();
	parentPort?.close();
}

indexer.start();
