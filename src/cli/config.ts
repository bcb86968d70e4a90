import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stepWaits } from '#lib/messages/database.ts';
import { loadConfig } from '#lib/server/platform/config/load.ts';
import { namedPath } from '#lib/server/platform/config/namedFile.ts';
import { withSecretFiles } from '#lib/server/platform/config/secretFiles.ts';
import { DEFAULTS, readSettings } from '#lib/server/platform/config/settings.ts';
import type { Config } from '#lib/server/platform/config/types.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';

/** Where the data of the environment is, and how waits for it are told. */
interface Place {
	dataDir: string;
	url?: string;
	onWait: (step: string) => void;
}

/**
 * Returns where the data of the environment is, after checking also the settings for links.
 * @throws {AppError} `config`
 */
export function placeOf(env: NodeJS.ProcessEnv): Place {
	const { DATABASE_URL, KOMODECK_ORIGIN, PORT } = withSecretFiles(env);
	const { values, problems } = readSettings({ DATABASE_URL, KOMODECK_ORIGIN, PORT });
	if (problems.length > 0) throw new AppError('config.invalid', { problems });
	const { DATABASE_URL: url } = values;
	return {
		dataDir: namedPath(env['KOMODECK_DATA'] || DEFAULTS.KOMODECK_DATA),
		...(url === undefined ? {} : { url }),
		onWait: (step) => void process.stderr.write(`${stepWaits(step)}\n`)
	};
}

/**
 * Returns the settings as `npm start` uses them: without a configured daemon or trading node, those of the
 * devnet in the data folder.
 * @throws {AppError} `config`, `mm2`
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
	const config = loadConfig(env);
	const devnet = join(config.dataDir, 'devnet');
	const configured = config.daemons.length + config.nodes.length;
	if (configured > 0 || !existsSync(join(devnet, 'devnet.json'))) return config;
	return loadConfig({ ...env, KOMODO_HOME: devnet });
}
