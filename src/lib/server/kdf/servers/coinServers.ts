/** Servers of coins: those of the coins file, with those that an admin has added. */
import type { ElectrumServer } from '../egress/electrumServer.ts';
import type { Coins } from '../coins/coins.ts';
import { hasContract, type Coin } from '../coins/parse.ts';
import { serverKey } from '../forms/fields.ts';
import type { ListedServers } from './listedServers.ts';

export interface CoinServers {
	/**
	 * Returns the servers of a coin, from the coins file and the admin's list; with `sockets` also those for
	 * WebSockets.
	 */
	serversOf(coin: Coin, sockets: boolean): Promise<ElectrumServer[]>;
	/** Whether a server address or swap contract is listed for a coin, so that using it takes no admin. */
	isListed(ticker: string, url: string): Promise<boolean>;
}

export function createCoinServers(
	coins: Pick<Coins, 'find'>,
	listed: Pick<ListedServers, 'list'>
): CoinServers {
	async function serversOf(coin: Coin, sockets: boolean): Promise<ElectrumServer[]> {
		const added = (await listed.list()).filter((one) => one.coin === coin.ticker);
		const known = new Set(added.map(serverKey));
		return [
			...[...coin.servers, ...(sockets ? coin.socketServers : [])].filter(
				(server) => !known.has(serverKey(server))
			),
			...added.map(({ url, protocol, disable_cert_verification: any }) => ({
				url,
				protocol,
				...(any === true ? { disable_cert_verification: true } : {})
			}))
		];
	}

	return {
		serversOf,
		async isListed(ticker, url) {
			const coin = await coins.find(ticker);
			if (!coin) return false;
			if (coin.bchdUrls.includes(url) || coin.lightServers.includes(url)) return true;
			if (coin.nodes.some((one) => one.url === url || one.ws_url === url)) return true;
			if (hasContract(coin, url)) return true;
			return (await serversOf(coin, true)).some((server) => server.url === url);
		}
	};
}
