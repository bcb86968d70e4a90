import type { Config } from '#lib/server/platform/config/types.ts';
import { readConfig } from './config.ts';

/** Names that exist in the configuration. */
interface Places {
	/** Ids of daemons, each with a wallet. */
	wallets(): string[];
	/** Ids of daemons and trading nodes. */
	upstreams(): string[];
	/** Names of chains. */
	chains(): string[];
}

/**
 * Returns the names that commands may refer to: a grant or limit for a misspelled name would silently have no
 * effect. The configuration is read on first use, so commands without names do not need it.
 */
export function placesOf(env: NodeJS.ProcessEnv): Places {
	let config: Config | undefined;
	const read = (): Config => (config ??= readConfig(env));
	const wallets = (): string[] => read().daemons.map(({ id }) => id);
	return {
		wallets,
		upstreams: () => [...wallets(), ...read().nodes.map(({ id }) => id)],
		chains: () => [...new Set(read().daemons.map(({ chain }) => chain))]
	};
}
