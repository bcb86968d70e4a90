import { parseCoins } from '#lib/chain/amount.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import type { MigrationForm } from '#lib/server/cross-chain/migration/formChains.ts';

type Chain = MigrationForm['chains'][number];

/** What a migration takes from its wallet, and what of that is not there. Satoshi. */
interface Cost {
	amount: bigint;
	/** With both fees: what the burn debits. */
	total: bigint;
	/** How much the balance is too small by; 0 when it is enough or not known. */
	missing: bigint;
	/** How much of it is over the spending limit of the day. */
	over: bigint;
	/** The count of the day is used up. */
	noneLeft: boolean;
}

/** The balance of the wallet that would pay; null where it is not known. */
export const balanceOf = (chain: Chain | undefined): bigint | null =>
	chain !== undefined && 'balance' in chain.wallet ? chain.wallet.balance : null;

/** @returns null while no amount is typed */
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
 * The most that can be migrated: what the wallet has and the limit leaves, less both fees, and never more than one
 * migration can have; null where it is not known.
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
