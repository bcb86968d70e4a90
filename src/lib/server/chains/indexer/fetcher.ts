/**
 * Worker thread that queries the daemons for the indexer, with its own connections and a limited share of each
 * daemon.
 */
import { parentPort } from 'node:worker_threads';
import { loadConfig } from '../../platform/config/load.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { createGateway, readsOnly } from '../daemon/gateway.ts';
import type { RawBlock } from './decode.ts';
import type { FetchAnswer, FetchQuestion } from './fetching.ts';
import { memoryOf, packBlocks } from './rawBlocks.ts';
import { createSource, MAX_CONCURRENCY, type ChainSource } from './source.ts';

const gateway = createGateway(loadConfig(process.env), {
	limits: { maxConcurrency: MAX_CONCURRENCY },
	refusal: readsOnly
});
const sources = new Map<string, ChainSource>();

function sourceOf(chain: string): ChainSource {
	let source = sources.get(chain);
	if (!source) sources.set(chain, (source = createSource(gateway, chain)));
	return source;
}

async function answer({ id, chain, method, args }: FetchQuestion): Promise<void> {
	const send = (message: FetchAnswer, memory: ArrayBuffer[] = []): void =>
		parentPort?.postMessage(message, memory);
	try {
		const ask = sourceOf(chain)[method] as (...args: unknown[]) => Promise<unknown>;
		const result = await ask(...args);
		if (method !== 'blocks') return send({ id, result });
		const packed = packBlocks(result as RawBlock[]);
		send({ id, result: packed }, memoryOf(packed));
	} catch (error) {
		const coded = isAppError(error, 'indexer') ? error.coded : null;
		send({ id, error: { coded, message: error instanceof Error ? error.message : String(error) } });
	}
}

parentPort?.on('message', (message: FetchQuestion | 'stop') => {
	if (message !== 'stop') void answer(message);
	else void gateway.close().then(() => parentPort?.close());
});
parentPort?.postMessage({ ready: true } satisfies FetchAnswer);
