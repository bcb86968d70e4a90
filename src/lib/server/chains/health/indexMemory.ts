/** Caches which indexes each daemon has: they change only when it is restarted and reindexed. */
import { INDEX_NAMES, type IndexName } from '#lib/messages/daemonIndexes.ts';
import type { DaemonInfo, Gateway } from '../daemon/types.ts';
import { readIndexes, type Indexes, type Told } from './read.ts';

/** Returns which indexes a daemon has. Never fails. */
export type IndexReader = (daemon: DaemonInfo) => Promise<Indexes>;

const KEPT_MS = 60_000;
/** Milliseconds. Longer than a page waits, since payments depend on the result and a late answer counts as unknown. */
const TIMEOUT_MS = 5_000;

/**
 * Whether an index is on, or its absence stops nothing. An index that is off, or unknown, is asked for again each time:
 * a daemon that an admin has just restarted with the index must not be refused.
 */
const isSettled = (name: IndexName, told: Told<boolean>): boolean =>
	told.kind === 'told' && (told.value || name === 'timestampindex');

/** Creates a reader of indexes; an answer in which every needed index is on is cached for a minute. */
export function createIndexReader(gateway: Gateway): IndexReader {
	const kept = new Map<string, { until: number; indexes: Indexes }>();
	return async (daemon) => {
		const known = kept.get(daemon.id);
		if (known && performance.now() < known.until) return known.indexes;
		const indexes = await readIndexes(gateway, daemon, 'indexes', TIMEOUT_MS);
		if (INDEX_NAMES.every((name) => isSettled(name, indexes[name]))) {
			kept.set(daemon.id, { until: performance.now() + KEPT_MS, indexes });
		}
		return indexes;
	};
}
