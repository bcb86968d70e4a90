/** Checks the indexes of both daemons of a migration. */
import { INDEX_NAMES, type IndexFact } from '#lib/messages/daemonIndexes.ts';
import { indexFact } from '../../chains/health/indexes.ts';
import type { Indexes } from '../../chains/health/read.ts';
import type { Check, AddCheck } from './check.ts';

/** One end of a migration. */
interface End {
	chain: string;
	indexes: Indexes;
	field: 'source' | 'destination';
}

/**
 * Reports the state of each index of both daemons. Only a missing txindex at the source prevents a burn: without
 * it, a burn whose outputs are all spent cannot be proved. Everything else is only a warning.
 */
export function checkIndexes(add: AddCheck, ends: readonly End[]): void {
	for (const { chain, indexes, field } of ends) {
		for (const name of INDEX_NAMES) {
			const fact = indexFact(name, indexes[name], field === 'source');
			const { state, builds, why } = fact;
			const message = {
				code: `index.${state}`,
				params: { index: name, chain, builds, why }
			} as const;
			add(outcome(fact, field), `${name}-${chain}`, message, field);
		}
	}
}

function outcome({ name, state }: IndexFact, field: End['field']): Check['result'] {
	// A migration never looks up blocks by time.
	if (state === 'on' || name === 'timestampindex') return 'ok';
	return state === 'off' && name === 'txindex' && field === 'source' ? 'fail' : 'warn';
}
