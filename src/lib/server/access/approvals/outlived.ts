/**
 * Open requests whose bytes no block accepts any more: on a fast chain, bytes expire sooner than a request.
 */
import { readableTransaction } from '#lib/chain/transaction.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';

const ASK = { priority: 'background', timeout: 5_000 } as const;

/**
 * The height of a daemon's chain; null while the daemon does not respond, and for an id that is not a
 * daemon's.
 */
async function tipOf(gateway: Pick<Gateway, 'call'>, daemon: string): Promise<number | null> {
	try {
		return (await gateway.call(daemon, 'getinfo', [], ASK)).blocks;
	} catch (error) {
		if (isAppError(error, 'daemon')) return null;
		throw error;
	}
}

/** Returns the ids of these requests. */
export async function outlivedRequests(
	db: Database<AccessTables>,
	gateway: Pick<Gateway, 'call'>
): Promise<string[]> {
	const open = await db
		.selectFrom('approval_requests')
		.select(['id', 'wallet', 'hex'])
		.where('state', '=', 'open')
		.execute();
	const bound = open.flatMap(({ id, wallet, hex }) => {
		const expiry = readableTransaction(hex)?.expiryHeight ?? 0;
		return expiry > 0 ? [{ id, wallet, expiry }] : [];
	});
	const ofWallets = [...Map.groupBy(bound, ({ wallet }) => wallet)];
	const found = await Promise.all(
		ofWallets.map(async ([wallet, requests]) => {
			const tip = await tipOf(gateway, wallet);
			return requests.filter(({ expiry }) => tip !== null && tip >= expiry);
		})
	);
	return found.flat().map(({ id }) => id);
}
