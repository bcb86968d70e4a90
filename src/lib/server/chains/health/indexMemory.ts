/** The indexes of each daemon, asked for once in a while: they change only with a restart and a new index. */
import { INDEX_NAMES } from '#lib/messages/daemonIndexes.ts';
import type { DaemonInfo, Gateway } from '../daemon/types.ts';
import { readIndexes, type Indexes } from './read.ts';

/** Which indexes a daemon has. Never fails. */
export type IndexReader = (daemon: DaemonInfo) => Promise<Indexes>;

const KEPT_MS = 60_000;
/** Longer than a page waits: what is not told in time is not known, and money follows from it. */
const TIMEOUT_MS = 5_000;

/** Reads indexes through a gateway; what a daemon told in full is kept for a minute. */
export function createIndexReader(gateway: Gateway): IndexReader {
	const kept = new Map<string, { until: number; indexes: Indexes }>();
	return async (daemon) => {
		const known = kept.get(daemon.id);
		if (known && performance.now() < known.until) return known.indexes;
		const indexes = await readIndexes(gateway, daemon, 'indexes', TIMEOUT_MS);
		if (INDEX_NAMES.every((name) => indexes[name].kind === 'told')) {
			kept.set(daemon.id, { until: performance.now() + KEPT_MS, indexes });
		}
		return indexes;
	};
}
