import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { placeOf } from './config.ts';

/** Opens the index of the environment's data, passes it to `use`, and closes it. */
export async function withIndex<T>(
	env: NodeJS.ProcessEnv,
	use: (index: Index) => Promise<T>
): Promise<T> {
	const index = await openIndex(placeOf(env));
	try {
		return await use(index);
	} finally {
		await index.close();
	}
}
