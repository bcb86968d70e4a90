/** Parses the form of a self-import. Every mistake is reported at its field. */
import { bareText } from '#lib/chain/bareText.ts';
import { daemonSpelling, parseCoins, type Satoshi } from '#lib/chain/amount.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import type { RequestFault } from '#lib/messages/migration/requestFaults.ts';
import { addressFault } from '../migration/request.ts';
import type { Asked } from './verifySelfImport.ts';

/**
 * Largest amount of one self-import. (Komodo daemon 0.9.0: a chain with fungible coins allows amounts of at least a
 * million coins, others may allow less; above its limit the source would be paid for nothing.)
 */
const MOST: Satoshi = 1_000_000n * 100_000_000n;

export interface Typed {
	address: string;
	amount: string;
}

type Errors = Partial<Record<keyof Typed, RequestFault>>;

/** Returns the address and the amount, or what is wrong with them. */
export function readSelfImport(
	typed: Typed
): { ok: true; asked: Asked } | { ok: false; errors: Errors } {
	const errors: Errors = {};
	const address = bareText(typed.address);
	const fault = addressFault(address);
	// The daemon checks neither: a bad address gets an empty script, and zero fails only at the import.
	if (fault !== null) errors.address = fault;
	let amount = 0n;
	try {
		amount = parseCoins(typed.amount);
		if (amount === 0n) errors.amount = { code: 'amount-zero' };
		else if (amount > MOST) {
			errors.amount = { code: 'self-import-above', most: MOST };
		} else daemonSpelling(amount);
	} catch (error) {
		if (isChainError(error, 'amount')) errors.amount = { code: 'unreadable', error: error.fault };
		else if (error instanceof RangeError) {
			errors.amount = { code: 'amount-inexact' };
		} else throw error;
	}
	if (Object.keys(errors).length > 0) return { ok: false, errors };
	return { ok: true, asked: { address, amount } };
}
