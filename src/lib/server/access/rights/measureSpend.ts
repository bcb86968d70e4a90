import { formatCoins } from '#lib/chain/amount.ts';
import { AppError } from '../../platform/errors/appError.ts';
import type { RightsDependencies } from './dependencies.ts';
import type { MeasuredSpend } from './spend.ts';

/** Account and role by a member's name; the account is null when there is no such member. */
export async function doerOf(
	{ wallets }: RightsDependencies,
	member: string
): Promise<Pick<MeasuredSpend, 'account' | 'person' | 'role' | 'token'>> {
	const user = await wallets.userOf(member);
	return { account: user?.id ?? null, person: member, role: user?.role ?? 'viewer', token: null };
}

/**
 * Refuses a fee above the cap of its chain.
 * @throws {AppError} `limit.fee-above-cap`
 */
export async function refuseFee(
	{ limits }: Pick<RightsDependencies, 'limits'>,
	chain: string,
	fee: bigint
): Promise<void> {
	const cap = await limits.feeCap(chain);
	if (fee > cap) {
		throw new AppError('limit.fee-above-cap', {
			chain,
			fee: formatCoins(fee),
			cap: formatCoins(cap)
		});
	}
}

/**
 * Measures what a transaction takes from the wallet of a daemon, and for whom. It queries the daemon for the
 * spent transactions and its own addresses, so it must not run inside a database transaction.
 * @param payouts of a burn: the serialized outputs of its import, hex, which tell who receives it
 * @throws {AppError} `limit` when it cannot be measured, or its fee is above the cap
 */
export async function measureSpend(
	deps: RightsDependencies,
	member: string,
	wallet: string,
	hex: string,
	payouts: string | null = null
): Promise<MeasuredSpend> {
	const { measurer } = deps;
	const read = await measurer.measure(wallet, hex, payouts);
	const { chain, txid, usages, fee, movements, doubt, recipients } = read;
	await refuseFee(deps, chain, fee);
	const bytes = { hex, payouts };
	const taken = { wallet, chain, ref: txid, usages, recipients, movements, doubt, bytes };
	return { ...(await doerOf(deps, member)), ...taken };
}
