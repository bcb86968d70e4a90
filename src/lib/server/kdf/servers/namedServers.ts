/** The servers that the request of an activation names. Pure. */

interface NamedServers {
	servers?: unknown[];
	/** Shielded coins only, as the next. */
	electrum_servers?: unknown[];
	light_wallet_d_servers?: string[];
}

/** Returns the servers of a request. */
function namedServers(params: string): NamedServers {
	const read = JSON.parse(params) as NamedServers & {
		activation_params?: { mode?: { rpc_data?: NamedServers } };
	};
	return read.servers === undefined ? (read.activation_params?.mode?.rpc_data ?? {}) : read;
}

/** Returns the Electrum servers that a request names. */
export function serversOf(params: string): unknown[] {
	const { servers, electrum_servers: beside } = namedServers(params);
	return servers ?? beside ?? [];
}

/** Returns the addresses of the lightwalletd servers that a request names. */
export const lightServersOf = (params: string): string[] =>
	namedServers(params).light_wallet_d_servers ?? [];

/** Returns the addresses of the EVM nodes that a request names. */
export function nodesOf(params: string): string[] {
	const { nodes = [], urls = [] } = JSON.parse(params) as {
		nodes?: { url: string }[];
		urls?: string[];
	};
	return [...nodes.map(({ url }) => url), ...urls];
}

/** Returns the first state of an activation: `probing` when the request names any servers. */
export const firstState = (params: string): 'probing' | 'starting' =>
	[serversOf, nodesOf, lightServersOf].some((named) => named(params).length > 0)
		? 'probing'
		: 'starting';
