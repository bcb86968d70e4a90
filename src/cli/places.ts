import type { Config } from '#lib/server/platform/config/types.ts';
import { readConfig } from './config.ts';

/** Names that the configuration has. */
export interface Places {
	/** Ids of daemons, each with a wallet. */
	wallets(): string[];
	/** Ids of daemons and trading nodes. */
	upstreams(): string[];
	/** Names of chains. */
	chains(): string[];
}

/**
 * What somebody may name: a grant or a limit by a misspelt name would hold for nothing, and nobody would hear of it. The
 * configuration is read at the first question, so that who names nothing needs none.
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
