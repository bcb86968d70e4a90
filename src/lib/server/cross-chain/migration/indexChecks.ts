/** What the indexes of both daemons of a migration give, each by its name. */
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
 * Says of every index of both daemons whether it is on. Only the source's txindex stops a burn: without it
 * nothing proves one whose outputs are spent. Whatever else is off or not known is said and stops nothing.
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
	// Nothing of a migration asks for blocks by their time.
	if (state === 'on' || name === 'timestampindex') return 'ok';
	return state === 'off' && name === 'txindex' && field === 'source' ? 'fail' : 'warn';
}
