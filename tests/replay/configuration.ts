/** Reads a daemon's address and credentials from its own configuration file. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseConf } from '#lib/server/platform/config/conf.ts';

export interface DaemonAccess {
	/** Absolute path of the configuration file. */
	file: string;
	url: string;
	user: string;
	password: string;
	/** `datacarriersize`, if the file has it. */
	dataCarrierSize: number | null;
}

/** A configuration file without a daemon's address or credentials. The message contains no credential. */
export class ConfigurationError extends Error {
	override readonly name = 'ConfigurationError';
	readonly code = 'configuration';
}

/**
 * Reads the configuration file of a daemon. The address is always this machine, whatever the file says.
 * @throws {ConfigurationError}
 */
export function readConfiguration(path: string): DaemonAccess {
	const file = resolve(path);
	let conf: ReadonlyMap<string, string>;
	try {
		conf = parseConf(readFileSync(file, 'utf8'));
	} catch {
		throw new ConfigurationError(`${file} cannot be read.`);
	}
	const needed = (key: string): string => {
		const value = conf.get(key) ?? '';
		if (value === '') {
			throw new ConfigurationError(
				`${file} has no ${key}. Add the line and start the daemon again.`
			);
		}
		return value;
	};
	const port = Number(needed('rpcport'));
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new ConfigurationError(`The rpcport of ${file} is no port.`);
	}
	const size = conf.get('datacarriersize') ?? '';
	return {
		file,
		url: `http://127.0.0.1:${port}/`,
		user: needed('rpcuser'),
		password: needed('rpcpassword'),
		dataCarrierSize: /^[1-9]\d{0,8}$/.test(size) ? Number(size) : null
	};
}
