/** Checks the indexes of both daemons of a migration. */
import { INDEX_NAMES, type IndexFact } from '#lib/messages/daemonIndexes.ts';
import { BUILDING, indexFact } from '../../chains/health/indexes.ts';
import type { Indexes } from '../../chains/health/read.ts';
import type { Check, AddCheck } from './check.ts';

/** One end of a migration. */
interface End {
	chain: string;
	indexes: Indexes;
	field: 'source' | 'destination';
	/** Whether the daemon builds the burn itself; a burn from selected UTXOs is only converted by the daemon. */
	builds: boolean;
}

/**
 * Reports the state of each index of both daemons. Two absences prevent a burn: that of the source's txindex,
 * without which a burn whose outputs are all spent cannot be proved, and that of an index without which the
 * source's daemon does not build the burn. Every other absent or unknown index is at most a warning.
 */
export function checkIndexes(add: AddCheck, ends: readonly End[]): void {
	for (const end of ends) {
		const { chain, indexes, field } = end;
		for (const name of INDEX_NAMES) {
			const fact = indexFact(name, indexes[name], end.builds);
			const { state, builds, why } = fact;
			const message = {
				code: `index.${state}`,
				params: { index: name, chain, builds, why }
			} as const;
			add(outcome(fact, end), `${name}-${chain}`, message, field);
		}
	}
}

function outcome({ name, state }: IndexFact, { field, builds }: End): Check['result'] {
	// A migration never looks up blocks by time.
	if (state === 'on' || name === 'timestampindex') return 'ok';
	if (state === 'unknown') return 'warn';
	const proves = field === 'source' && name === 'txindex';
	return proves || (builds && BUILDING.includes(name)) ? 'fail' : 'warn';
}
