/** The RPC API over HTTP, at a separate address. */
import { createServer, type Server } from 'node:http';
import { createCallerAddress } from '#lib/server/platform/net/callerAddress.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import type { RpcApi } from '#lib/server/platform/runningParts.ts';
import { createRpcApi } from '#lib/server/rpc-proxy/rpcApi.ts';
import { listening } from './listening.ts';
import { closeAtOnce } from '../../src/devnet/loopback.ts';

type Parts = Parameters<typeof createRpcApi>[0];
type Usual = Pick<Parts, 'openBudget' | 'publicOrigin' | 'addressOf'>;

export interface RpcApiServer {
	rpcApi: RpcApi;
	http: Server;
	/** Base address; the names of daemons and trading nodes are appended. */
	url: string;
	/** Posts a body to a daemon or a trading node with an API token, like a script. */
	post(
		place: string,
		body: unknown,
		token: string,
		headers?: Record<string, string>
	): Promise<Response>;
	stop(): Promise<void>;
}

/**
 * Serves the RPC API to callers without a proxy.
 * @param onError receives errors of requests that got no response
 */
export async function serveRpcApi(
	parts: Omit<Parts, keyof Usual> & Partial<Usual>,
	onError = (error: unknown): void => {
		throw error;
	}
): Promise<RpcApiServer> {
	const rpcApi = createRpcApi({
		openBudget: openOwnBudget,
		publicOrigin: null,
		addressOf: createCallerAddress(null),
		...parts
	});
	const server = createServer((...exchange) => void rpcApi(...exchange).catch(onError));
	const url = `http://127.0.0.1:${await listening(server)}/api/rpc`;
	return {
		rpcApi,
		http: server,
		url,
		post: (place, body, token, headers = {}) =>
			fetch(`${url}/${encodeURIComponent(place)}`, {
				method: 'POST',
				headers: { authorization: `Bearer ${token}`, ...headers },
				body: JSON.stringify(body)
			}),
		stop: () => closeAtOnce(server)
	};
}
