/** The way out to servers of coins; for devnet also to those of its coins file, which are on this machine. */
import { isIP } from 'node:net';
import { readListedPrivate, type ListedPrivate } from '../../platform/net/ranges.ts';
import { createEgress, type Egress } from '../egress/egress.ts';
import { readTarget, readUrl, targetText } from '../egress/target.ts';
import type { CoinCatalog, Coins } from '../coins/coins.ts';

/** Returns the servers of the coins file that are given by IP address: those of devnet on this machine. */
function onThisMachine({ coins }: CoinCatalog): ListedPrivate[] {
	const places = new Set([
		...coins.flatMap(({ servers }) => servers.map(({ url }) => url)),
		...coins.flatMap(({ nodes, lightServers }) =>
			[...nodes.map(({ url }) => url), ...lightServers].map((url) =>
				targetText(readUrl(url, ['http', 'https']).target)
			)
		)
	]);
	return [...places].flatMap((place) =>
		isIP(readTarget(place).host) === 0 ? [] : (readListedPrivate(place) ?? [])
	);
}

interface CoinEgressParts {
	coins: Pick<Coins, 'catalog'>;
	/** Returns the private addresses that may be reached, apart from those of devnet. */
	listed: () => Promise<readonly ListedPrivate[]>;
	/** Whether the coins file is that of devnet: its servers on this machine may be reached. */
	devnet: boolean;
}

export function createCoinEgress({ coins, listed, devnet }: CoinEgressParts): Egress {
	if (!devnet) return createEgress({ listed });
	let own: ListedPrivate[] = [];
	const open = createEgress({ listed: async () => [...(await listed()), ...own] });
	const lookAtOwn = async (): Promise<void> => {
		own = onThisMachine(await coins.catalog());
	};
	return {
		dial: async (target, options) => {
			await lookAtOwn();
			return open.dial(target, options);
		},
		http: async (address, options) => {
			await lookAtOwn();
			return open.http(address, options);
		},
		webSocket: async (address, options) => {
			await lookAtOwn();
			return open.webSocket(address, options);
		}
	};
}
