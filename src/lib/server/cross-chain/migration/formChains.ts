/** Data for the form of a migration: wallets, routes, usual durations, and what spending limits leave. */
import { routeObstacleMessage } from '#lib/messages/pages/routesPage.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { rangeMessage } from '#lib/messages/migration/estimate.ts';
import { nearest, type Limits } from '../../access/policy/limits/limits.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import { sidebarChains } from '../../chains/explorer/sidebar.ts';
import type { Index } from '../../chains/indexer/open.ts';
import { chainRoutes, readChainFacts } from '../../chains/lists/chainRoutes.ts';
import { formWallet, type FormWalletDependencies } from '../../wallet/transactions/formWallet.ts';
import { LEAST_FUNDING_FEE } from './chooseOutputs.ts';
import { arrivalEstimate } from './decisions/arrivalEstimate.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { pacesOf, readPace, type ChainPace } from './paces.ts';
import { MOST } from './request.ts';

interface LinkedChain {
	name: string;
	/** Null when unknown to the index. */
	ccid: number | null;
}

interface FormChain extends LinkedChain {
	/** The paying wallet and its own address, if this member may use one now; otherwise the reason. */
	wallet: { daemon: string; address: string | null; balance: bigint | null } | { refusal: string };
	/**
	 * Satoshi that the burn costs on this chain. A burn built by the daemon alone spends exactly what it burns;
	 * when reviews have locked outputs, others may have to be selected, whose funding costs a fee.
	 */
	networkFee: bigint;
	/** What spending limits leave this member for migrations today; null: no limit. */
	left: { count: bigint | null; amount: bigint | null };
}

interface FormRoute {
	source: string;
	destination: string;
	/** Why it cannot be used now, as sentences; empty when it can. */
	obstacles: string[];
	/** Its usual duration in words; null when unknown. */
	usual: string | null;
}

/** The configured chains, and the routes between them. */
export interface FormRoutes {
	chains: LinkedChain[];
	/** Routes between chains of one CCid, as far as the chains are indexed. */
	routes: FormRoute[];
}

export interface MigrationForm extends FormRoutes {
	chains: FormChain[];
	/** Satoshi: the fee of each import besides the amount, and the largest amount of one migration. */
	importFee: bigint;
	most: bigint;
}

interface Dependencies extends FormWalletDependencies {
	client: PageClient;
	index: Index;
	limits: Pick<Limits, 'of' | 'used'>;
}

/** Returns what a member's limits leave for migrations from each chain. */
async function leftOf(limits: Dependencies['limits'], account: string) {
	const [own, used] = await Promise.all([limits.of(account), limits.used(account)]);
	return (chain: string): FormChain['left'] => {
		const most = nearest(own, { account, chain, kind: 'migration' })?.most;
		const past = used.find((one) => one.chain === chain && one.kind === 'migration');
		const rest = (of: bigint | null, gone: bigint): bigint | null =>
			of === null ? null : of > gone ? of - gone : 0n;
		return {
			count: rest(most?.count ?? null, past?.count ?? 0n),
			amount: rest(most?.amount ?? null, past?.amount ?? 0n)
		};
	};
}

/** Reads the routes between the chains from the index. Asks no daemon. */
export async function readFormRoutes(gateway: Gateway, index: Index): Promise<FormRoutes> {
	const shown = sidebarChains(gateway);
	const down = new Set(shown.filter(({ state }) => state === 'bad').map(({ name }) => name));
	const facts = await readChainFacts(index);
	const here = facts.filter(({ name }) => shown.some((chain) => chain.name === name));
	const { routes } = chainRoutes(here, [], down);
	// Once for each chain, since there are many more routes.
	const linked = [...new Set(routes.map(({ source }) => source))];
	const paceOf = new Map(
		await Promise.all(
			linked.map(async (name): Promise<[string, ChainPace]> => [name, await readPace(index, name)])
		)
	);
	return {
		chains: shown.map(({ name }) => ({
			name,
			ccid: here.find((chain) => chain.name === name)?.ccid ?? null
		})),
		routes: routes.map(({ source, target: destination, obstacles }) => {
			const paces = pacesOf(paceOf.get(source)!, paceOf.get(destination)!);
			const usual = arrivalEstimate('notarized', paces);
			return {
				source,
				destination,
				obstacles: obstacles.map(routeObstacleMessage),
				usual: usual && rangeMessage(usual)
			};
		})
	};
}

/**
 * Returns the address of a wallet; null when the wallet lacks the key that its daemon is configured with,
 * since coins sent there would not be its own, and when the daemon does not confirm the key in time.
 */
async function ownAddress(
	client: PageClient,
	wallet: { daemon: string; pubkey: string }
): Promise<string | null> {
	const daemon = client.gateway.daemon(wallet.daemon);
	if (daemon === undefined) return null;
	const address = addressOfPubkey(wallet.pubkey);
	try {
		const known = await client.callDaemon(daemon, 'validateaddress', [address]);
		return known.isvalid && known.ismine ? address : null;
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		return null;
	}
}

/** Reads the form's data within the page's time limit: an unresponsive daemon only lacks its wallet. */
export async function readMigrationForm(
	{ client, index, rights, sender, limits }: Dependencies,
	account: { id: string; name: string }
): Promise<MigrationForm> {
	const { gateway } = client;
	const [left, { chains, routes }, wallets] = await Promise.all([
		leftOf(limits, account.id),
		readFormRoutes(gateway, index),
		Promise.all(
			gateway.chains().map(async (name) => {
				const wallet = await formWallet(client, name, { rights, sender }, account.name);
				return wallet.usable ? { ...wallet, address: await ownAddress(client, wallet) } : wallet;
			})
		)
	]);
	return {
		chains: chains.map((chain, at) => {
			const wallet = wallets[at]!;
			const { name } = chain;
			return {
				...chain,
				wallet: wallet.usable
					? {
							daemon: wallet.daemon,
							address: wallet.address,
							balance: wallet.balance
						}
					: { refusal: wallet.sentence },
				networkFee: wallet.usable && wallet.locked > 0n ? LEAST_FUNDING_FEE : 0n,
				left: left(name)
			};
		}),
		routes,
		importFee: IMPORT_FEE,
		most: MOST
	};
}
