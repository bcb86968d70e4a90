import type { MissingImport } from '#lib/text/shownTransfer.ts';
import { hasAllFrom } from '../../chains/explorer/indexAge.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { chainProgress } from '../../chains/lists/chains.ts';

/**
 * Returns what it means that no import of a burn is known, by its destination and by whether the burn itself is
 * indexed.
 * @param configured names of the configured chains
 * @param targets destinations that are asked about
 */
export async function missingImports(
	index: Index,
	configured: readonly string[],
	targets: readonly string[]
): Promise<(target: string, isIndexed: boolean) => MissingImport> {
	const names = [...new Set(targets)].filter((target) => configured.includes(target));
	const progress = await Promise.all(names.map((target) => chainProgress(index, target)));
	const now = Date.now();
	// An index that begins at a later block lacks the imports before it. The first block has none.
	const followed = new Set(names.filter((_, at) => hasAllFrom(progress[at] ?? null, 1, now)));
	return (target, isIndexed) => {
		if (!configured.includes(target)) return 'unconfigured';
		return isIndexed && followed.has(target) ? 'open' : 'unseen';
	};
}
