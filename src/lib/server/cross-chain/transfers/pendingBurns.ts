/** Burns in the mempools: the index does not know them yet, but they can already be recovered. */
import { parseBurn } from '#lib/chain/burn.ts';
import { readableTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import { LOWEST_CCID } from '../../chains/daemon/sharedCcid.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { visibleMigrations, type Asking } from './visibleMigrations.ts';

interface PendingBurn {
	source: string;
	target: string;
	txid: string;
	/** Satoshi, including the import fee; null for a token. */
	value: bigint | null;
	/** The token that is burned; null for coins. */
	tokenid: string | null;
	/** Id of the migration here; null when there is none, and always for visitors. */
	migration: string | null;
}

/** Most mempool transactions of one chain that are read. */
const MOST_READ = 200;

type Burn = Omit<PendingBurn, 'migration'>;

/** Burns in the mempool of each chain, by txid, which identifies unchanging bytes. */
type Read = Map<string, Map<string, Promise<Burn | null>>>;

/** Keyed by the gateway's `daemons` function, which all pages share; keeps only what is still in the mempool. */
const readOf = new WeakMap<Gateway['daemons'], Read>();

/** Returns the burn in a transaction; null for none. @throws {AppError} `daemon` */
async function readBurn(client: PageClient, source: string, txid: string): Promise<Burn | null> {
	const hex = await client.call(source, 'getrawtransaction', [txid]);
	const tx = typeof hex === 'string' ? readableTransaction(hex) : null;
	const burn = tx && parseBurn(tx);
	if (!burn || burn.sourceSymbol !== source) return null;
	const { tokenCreationTx, targetSymbol: target } = burn;
	const tokenid = tokenCreationTx ? txidOf(tokenCreationTx) : null;
	return { source, target, txid, value: tokenid === null ? burn.value : null, tokenid };
}

/** Returns the burns in the mempool of one chain; empty when its daemon does not answer. */
async function burnsOf(client: PageClient, source: string): Promise<Burn[]> {
	const { daemons } = client.gateway;
	const read: Read = readOf.get(daemons) ?? new Map();
	readOf.set(daemons, read);
	try {
		const listed = await client.call(source, 'getrawmempool', []);
		const txids = (Array.isArray(listed) ? listed : Object.keys(listed)).slice(0, MOST_READ);
		const before = read.get(source);
		const now = new Map(
			txids.map((txid) => [txid, before?.get(txid) ?? readBurn(client, source, txid)])
		);
		read.set(source, now);
		const burns = [...now].map(([txid, burn]) =>
			burn.catch((error: unknown) => {
				// It was confirmed since the list was read, or the page ran out of time: the next page asks again.
				now.delete(txid);
				if (isAppError(error, 'daemon')) return null;
				throw error;
			})
		);
		return (await Promise.all(burns)).filter((burn) => burn !== null);
	} catch (error) {
		if (isAppError(error, 'daemon')) return [];
		throw error;
	}
}

/** Returns the burns in the mempools of all chains. */
export async function pendingBurns(client: PageClient, asking: Asking): Promise<PendingBurn[]> {
	const chains = client.gateway
		.chains()
		.filter((chain) => (client.daemon(chain)?.ccid ?? 0) >= LOWEST_CCID);
	const burns = (await Promise.all(chains.map((chain) => burnsOf(client, chain)))).flat();
	const migrations = await visibleMigrations(
		asking,
		burns.map(({ txid }) => txid)
	);
	return burns.map((burn) => ({ ...burn, migration: migrations.get(burn.txid) ?? null }));
}
