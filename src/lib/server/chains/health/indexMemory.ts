/** Caches which indexes each daemon has: they change only when it is restarted and reindexed. */
import { INDEX_NAMES, type IndexName } from '#lib/messages/daemonIndexes.ts';
import type { DaemonInfo, Gateway } from '../daemon/types.ts';
import { readIndexes, type Indexes } from './read.ts';

/**
 * Returns which indexes a daemon has. Never fails.
 * @param needed indexes without which nothing is done: the daemon is asked again when one was off, because an admin
 * may have restarted it with the index since
 */
export type IndexReader = (daemon: DaemonInfo, needed: readonly IndexName[]) => Promise<Indexes>;

const RETENTION_MS = 60_000;
/** Milliseconds. Longer than a page waits, since payments depend on the result and a late answer counts as unknown. */
const TIMEOUT_MS = 5_000;

/** Creates a reader of indexes; an answer that determines all indexes is cached for a minute. */
export function createIndexReader(gateway: Gateway): IndexReader {
	const kept = new Map<string, { until: number; indexes: Indexes }>();
	return async (daemon, needed) => {
		const known = kept.get(daemon.id);
		const isOn = (name: IndexName): boolean => {
			const told = known?.indexes[name];
			return told?.kind === 'told' && told.value;
		};
		if (known && performance.now() < known.until && needed.every(isOn)) return known.indexes;
		const indexes = await readIndexes(gateway, daemon, 'indexes', TIMEOUT_MS);
		if (INDEX_NAMES.every((name) => indexes[name].kind === 'told')) {
			kept.set(daemon.id, { until: performance.now() + RETENTION_MS, indexes });
		}
		return indexes;
	};
}
