import { formatCoins } from '#lib/chain/amount.ts';
import { AppError } from '../../../../platform/errors/appError.ts';
import type { RightsDependencies } from './dependencies.ts';
import type { MeasuredSpend } from './spend.ts';

/** Account and role of a person; a person that there is not has none. */
export async function doerOf(
	{ wallets }: RightsDependencies,
	person: string
): Promise<Pick<MeasuredSpend, 'account' | 'person' | 'role' | 'token'>> {
	const user = await wallets.userOf(person);
	return { account: user?.id ?? null, person, role: user?.role ?? 'viewer', token: null };
}

/**
 * Reads what a transaction takes from the wallet of a daemon, for whom it goes out. It asks the daemon for
 * what it spends and which addresses are its own, so it is no work for a transaction of the database.
 * @param payouts of a burn: the serialized outputs of its import, hex, which say who gets it
 * @throws {AppError} `limit` when that cannot be told, or its fee is above what an admin allows
 */
export async function measureSpend(
	deps: RightsDependencies,
	person: string,
	wallet: string,
	hex: string,
	payouts: string | null = null
): Promise<MeasuredSpend> {
	const { measurer, limits } = deps;
	const read = await measurer.measure(wallet, hex, payouts);
	const { chain, txid, usages, fee, movements, recipients } = read;
	const cap = await limits.feeCap(chain);
	if (fee > cap) {
		throw new AppError('limit.fee-above-cap', {
			chain,
			fee: formatCoins(fee),
			cap: formatCoins(cap)
		});
	}
	const bytes = { hex, payouts };
	const taken = { wallet, chain, ref: txid, usages, recipients, movements, bytes };
	return { ...(await doerOf(deps, person)), ...taken };
}
