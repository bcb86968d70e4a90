import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import type { Config } from '#lib/server/platform/config/types.ts';

/**
 * The settings as `npm start` sees them: with no daemon and no trading node configured, those of the devnet that it keeps in the
 * data folder.
 * @throws {AppError} `config`, `mm2`
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
	const config = loadConfig(env);
	const devnet = join(config.dataDir, 'devnet');
	const configured = config.daemons.length + config.nodes.length;
	if (configured > 0 || !existsSync(join(devnet, 'devnet.json'))) return config;
	return loadConfig({ ...env, KOMODO_HOME: devnet });
}
