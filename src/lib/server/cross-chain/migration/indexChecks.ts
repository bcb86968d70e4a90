/** Checks the indexes of both daemons of a migration. */
import { INDEX_NAMES, type IndexFact, type IndexName } from '#lib/messages/daemonIndexes.ts';
import { BUILDING, indexFact } from '../../chains/health/indexes.ts';
import type { Indexes } from '../../chains/health/read.ts';
import type { Check, AddCheck } from './check.ts';

/**
 * Indexes without which the source's daemon gives no burn: txindex proves a burn whose outputs are all spent, the
 * others find the inputs of one that the daemon builds itself.
 */
export const indexesOfSource = (builds: boolean): readonly IndexName[] =>
	builds ? ['txindex', ...BUILDING] : ['txindex'];

/** One end of a migration. */
interface End {
	chain: string;
	indexes: Indexes;
	field: 'source' | 'destination';
	/** Whether the daemon builds the burn itself; a burn from selected UTXOs is only converted by the daemon. */
	builds: boolean;
}

/**
 * Reports the state of each index of both daemons. The absence of one of {@link indexesOfSource} prevents a burn.
 * Every other absent or unknown index is at most a warning.
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
	return field === 'source' && indexesOfSource(builds).includes(name) ? 'fail' : 'warn';
}
