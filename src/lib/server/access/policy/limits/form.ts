/** Parses the form of a spending limit, and reports every faulty field. */
import { bareText } from '#lib/chain/bareText.ts';
import { SPENDING_LIMITS } from '#lib/messages/pages/spendingLimits.ts';
import { parseCoins } from '#lib/chain/amount.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { COIN_KINDS, isLimitKind } from '../measuring/kinds.ts';
import type { FeeCap, Limit } from './limits.ts';
import { ANY } from './tables.ts';

const FAULTS = SPENDING_LIMITS.faults;

/** The fields as they were typed. */
export interface TypedLimit {
	account: string;
	chain: string;
	kind: string;
	count: string;
	amount: string;
}

export type LimitFaults = { [field in keyof TypedLimit]?: string };

/** The form of a fee cap, as it was typed. */
export interface TypedFeeCap {
	feeChain: string;
	fee: string;
}

export type FeeCapFaults = { [field in keyof TypedFeeCap]?: string };

/** @param chains names of the configured chains */
export function readFeeCap(
	{ feeChain: chain, fee }: TypedFeeCap,
	chains: readonly string[]
): { cap: FeeCap } | { errors: FeeCapFaults } {
	const errors: FeeCapFaults = {};
	if (chain !== ANY && !chains.includes(chain)) errors.feeChain = FAULTS.chain;
	let most = 0n;
	try {
		most = parseCoins(fee.trim());
	} catch (error) {
		if (!isChainError(error, 'amount')) throw error;
		errors.fee = chainErrorMessage(error);
	}
	return Object.keys(errors).length > 0 ? { errors } : { cap: { chain, most } };
}

const HIGHEST_COUNT = 1_000_000;

/**
 * @param accounts ids of the existing accounts
 * @param chains names of the configured chains
 */
export function readLimit(
	typed: TypedLimit,
	accounts: readonly string[],
	chains: readonly string[]
): { limit: Limit } | { errors: LimitFaults } {
	const { account, chain, kind } = typed;
	const errors: LimitFaults = {};
	if (account !== ANY && !accounts.includes(account)) errors.account = FAULTS.member;
	if (chain !== ANY && !chains.includes(chain)) errors.chain = FAULTS.chain;
	if (!isLimitKind(kind)) errors.kind = FAULTS.kind;
	const countText = bareText(typed.count);
	let count: bigint | null = null;
	if (countText !== '') {
		if (!/^\d{1,7}$/.test(countText) || Number(countText) > HIGHEST_COUNT) {
			errors.count = FAULTS.count(HIGHEST_COUNT);
		} else count = BigInt(countText);
	}
	const amountText = typed.amount.trim();
	let amount: bigint | null = null;
	if (amountText !== '') {
		try {
			amount = parseCoins(amountText);
		} catch (error) {
			if (!isChainError(error, 'amount')) throw error;
			errors.amount = chainErrorMessage(error);
		}
		if (isLimitKind(kind) && !COIN_KINDS.includes(kind)) {
			errors.amount = FAULTS.noCoins;
		}
	}
	if (!isLimitKind(kind) || Object.keys(errors).length > 0) return { errors };
	return { limit: { account, chain, kind, most: { count, amount } } };
}
