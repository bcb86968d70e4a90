import type { Gateway } from '../../chains/daemon/types.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { Database } from '../../platform/database/database.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { CrossChainTables } from '../tables.ts';
import { walletBurns, type WalletBurn } from './walletBurns.ts';

const TIMEOUT_MS = 750;

interface BurnParts {
	gateway: Pick<Gateway, 'call' | 'chains'>;
	index: Index;
	db: Database<CrossChainTables>;
}

/**
 * Asks a daemon for the newest burns of its wallet.
 * @param requestId the request that asks
 * @throws {AppError} `daemon`
 */
export async function readWalletBurns(
	{ gateway, index, db }: BurnParts,
	daemon: { id: string; chain: string },
	count: number,
	requestId: string
): Promise<WalletBurn[]> {
	const limits = { requestId, timeout: TIMEOUT_MS };
	const told = await gateway.call(daemon.id, 'getwalletburntransactions', [String(count)], limits);
	const isLost = async (txid: string): Promise<boolean> => {
		try {
			const kept = await gateway.call(daemon.id, 'gettransaction', [txid], limits);
			return kept.rawconfirmations < 0;
		} catch (cause) {
			// The list is shown without this information.
			if (isAppError(cause, 'daemon')) return false;
			throw cause;
		}
	};
	const chains = gateway.chains();
	return walletBurns({ index, db, chains, isLost }, daemon.chain, told);
}
