/** The RPC API over HTTP, at an address of its own. */
import { createServer, type Server } from 'node:http';
import { createCallerAddress } from '#lib/server/platform/net/callerAddress.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';
import { createRpcApi, type RpcApi } from '#lib/server/rpc-proxy/http/rpcApi.ts';
import { listening } from './listening.ts';

type Parts = Parameters<typeof createRpcApi>[0];
type Usual = Pick<Parts, 'openBudget' | 'publicOrigin' | 'addressOf'>;

export interface RpcApiServer {
	rpcApi: RpcApi;
	http: Server;
	/** The address that the names of daemons and nodes follow. */
	url: string;
	/** Posts a body to a daemon or a node with an API token, as a script does. */
	post(
		place: string,
		body: unknown,
		token: string,
		headers?: Record<string, string>
	): Promise<Response>;
	stop(): Promise<void>;
}

/**
 * Serves it to callers without a proxy before it.
 * @param onError hears what a request ended with that got no answer
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
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	};
}
