import { parseCoins } from '#lib/chain/amount.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import type { MigrationForm } from '#lib/server/cross-chain/migration/formChains.ts';

type Chain = MigrationForm['chains'][number];

/** What a migration takes from its wallet, and what of that is not there. Satoshi. */
interface Cost {
	amount: bigint;
	/** With both fees; what the network takes is an estimate until the burn is built. */
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
export function costOf(
	typed: string,
	chain: Chain | undefined,
	fees: MigrationForm['fees']
): Cost | null {
	let amount: bigint;
	try {
		amount = parseCoins(typed);
	} catch (error) {
		if (isChainError(error, 'amount')) return null;
		throw error;
	}
	const total = amount + fees.import + fees.network;
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

/** The most that can be migrated: what the wallet has and the limit leaves, less both fees; null where it is not known. */
export function mostOf(chain: Chain | undefined, fees: MigrationForm['fees']): bigint | null {
	const balance = balanceOf(chain);
	if (chain === undefined || balance === null) return null;
	const { amount } = chain.left;
	const free =
		(amount !== null && amount < balance ? amount : balance) - fees.import - fees.network;
	return free > 0n ? free : null;
}
