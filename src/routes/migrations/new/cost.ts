import { parseCoins } from '#lib/chain/amount.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import type { MigrationForm } from '#lib/server/cross-chain/migration/formChains.ts';

type Chain = MigrationForm['chains'][number];

/** What a migration costs its wallet, and how much is missing. Satoshi. */
interface Cost {
	amount: bigint;
	/** Amount with both fees: what the burn debits. */
	total: bigint;
	/** Missing balance; 0 when it suffices or is unknown. */
	missing: bigint;
	/** Amount by which it exceeds the daily spending limit. */
	over: bigint;
	/** Whether the daily number of migrations is used up. */
	noneLeft: boolean;
}

/** Returns the balance of the paying wallet; null when unknown. */
export const balanceOf = (chain: Chain | undefined): bigint | null =>
	chain !== undefined && 'balance' in chain.wallet ? chain.wallet.balance : null;

/** @returns null while no valid amount is typed */
export function costOf(typed: string, chain: Chain | undefined, importFee: bigint): Cost | null {
	let amount: bigint;
	try {
		amount = parseCoins(typed);
	} catch (error) {
		if (isChainError(error, 'amount')) return null;
		throw error;
	}
	const total = amount + importFee + (chain?.networkFee ?? 0n);
	const above = (most: bigint | null | undefined): bigint =>
		most === null || most === undefined || total <= most ? 0n : total - most;
	return {
		amount,
		total,
		missing: above(balanceOf(chain)),
		over: above(chain?.left.amount),
		noneLeft: chain?.left.count === 0n
	};
}

/**
 * Returns the largest amount that can be migrated: balance and remaining limit, minus both fees, and at
 * most the maximum of one migration; null when unknown, or when nothing is left.
 */
export function mostOf(
	chain: Chain | undefined,
	{ importFee, most }: Pick<MigrationForm, 'importFee' | 'most'>
): bigint | null {
	const balance = balanceOf(chain);
	if (chain === undefined || balance === null) return null;
	const { amount } = chain.left;
	const free =
		(amount !== null && amount < balance ? amount : balance) - importFee - chain.networkFee;
	if (free <= 0n) return null;
	return free < most ? free : most;
}
