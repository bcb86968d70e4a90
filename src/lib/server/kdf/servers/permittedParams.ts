import type { Plain } from '../client/plain.ts';
import type { ElectrumServer } from '../egress/electrumServer.ts';
import type { Probe } from '../egress/probe.ts';

/**
 * Limits the number of connections to that of the remaining servers: with fewer servers than the minimum, the
 * node would wait forever.
 */
function fewerConnections(data: { readonly [name: string]: Plain }): { [name: string]: Plain } {
	const left = (data['servers'] ?? data['electrum_servers']) as readonly Plain[] | undefined;
	const most = Math.max(1, left?.length ?? 1);
	const fitting = Object.entries(data).map(([name, value]) => [
		name,
		/^m(?:in|ax)_connected$/.test(name) && typeof value === 'number' ? Math.min(value, most) : value
	]);
	return Object.fromEntries(fitting) as { [name: string]: Plain };
}

/** Returns the parameters of a request without servers in a private network that is not listed, as probes found. */
export function permittedParams(
	params: { readonly [name: string]: Plain },
	probes: readonly Pick<Probe, 'url' | 'protocol' | 'forbidden'>[]
): Plain {
	const closed = new Set(
		probes.filter(({ forbidden }) => forbidden).map(({ url, protocol }) => `${protocol} ${url}`)
	);
	const open = (servers: Plain): Plain =>
		(servers as unknown as ElectrumServer[]).filter(
			({ url, protocol }) => !closed.has(`${protocol} ${url}`)
		) as unknown as Plain;
	if (closed.size === 0) return params;
	const isOpen = (url: string): boolean => !closed.has(`HTTP ${url}`);
	const { nodes, urls } = params as { nodes?: { url: string }[]; urls?: string[] };
	if (nodes !== undefined) return { ...params, nodes: nodes.filter(({ url }) => isOpen(url)) };
	if (urls !== undefined) return { ...params, urls: urls.filter(isOpen) };
	if (params['servers'] !== undefined) {
		return fewerConnections({ ...params, servers: open(params['servers']) });
	}
	const activation = params['activation_params'] as { [name: string]: Plain };
	const mode = activation['mode'] as { rpc: string; rpc_data: { [name: string]: Plain } };
	const { servers, electrum_servers: beside, light_wallet_d_servers: light } = mode.rpc_data;
	const data = fewerConnections({
		...mode.rpc_data,
		...(servers === undefined ? {} : { servers: open(servers) }),
		...(beside === undefined ? {} : { electrum_servers: open(beside) }),
		...(light === undefined
			? {}
			: {
					light_wallet_d_servers: (light as string[]).filter((url) => !closed.has(`gRPC ${url}`))
				})
	});
	return {
		...params,
		activation_params: { ...activation, mode: { ...mode, rpc_data: data } }
	};
}
