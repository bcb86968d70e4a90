import { resolve } from 'node:path';
import { openIndex, type Index } from '#lib/server/chains/indexer/open.ts';
import { withSecretFiles } from '#lib/server/platform/config/secretFiles.ts';

/** Opens the index of the data that the environment names, hands it over, and closes it. */
export async function withIndex<T>(
	env: NodeJS.ProcessEnv,
	use: (index: Index) => Promise<T>
): Promise<T> {
	const dataDir = resolve(env['KOMODECK_DATA'] || 'data');
	const url = withSecretFiles(env)['DATABASE_URL'];
	const index = await openIndex({ ...(url ? { url } : {}), dataDir });
	try {
		return await use(index);
	} finally {
		await index.close();
	}
}
