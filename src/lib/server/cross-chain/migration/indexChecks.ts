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
	/** The daemon builds the burn itself: what is made from selected UTXOs is only converted by it. */
	builds: boolean;
}

/**
 * Says of every index of both daemons whether it is on. The source's txindex stops a burn: without it nothing
 * proves one whose outputs are spent; and so do those without which its daemon builds none. Whatever else is off or
 * not known is said and stops nothing.
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
	// Nothing of a migration asks for blocks by their time.
	if (state === 'on' || name === 'timestampindex') return 'ok';
	if (state === 'unknown') return 'warn';
	const proves = field === 'source' && name === 'txindex';
	return proves || (builds && BUILDING.includes(name)) ? 'fail' : 'warn';
}
