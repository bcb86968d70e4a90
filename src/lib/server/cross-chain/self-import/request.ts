/** What people ask for, read from the text of the form. Every mistake is found at its field. */
import { decodeAddress } from '#lib/chain/address.ts';
import { daemonSpelling, formatCoins, parseCoins } from '#lib/chain/amount.ts';
import type { Satoshi } from '#lib/chain/amount.ts';
import { isChainError } from '#lib/chain/chainError.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import type { Asked } from './verifySelfImport.ts';

/**
 * The most that one self-import creates. (Komodo daemon 0.9.0: a chain whose coins are fungible takes
 * amounts of a million coins at least, others less; beyond that the source would be paid for nothing.)
 */
const MOST: Satoshi = 1_000_000n * 100_000_000n;

export interface Typed {
	address: string;
	amount: string;
}

export type Errors = Partial<Record<keyof Typed, string>>;

function addressFault(address: string): string | null {
	if (address === '') return 'Enter the address that receives the coins.';
	try {
		if (decodeAddress(address).kind === 'p2pkh') return null;
		return 'This is a script address. Use a normal address, which starts with R.';
	} catch (error) {
		if (!isChainError(error, 'address')) throw error;
		return /^0[23][0-9a-f]{64}$/i.test(address)
			? 'This is a public key. Coins go to an address, which starts with R.'
			: chainErrorMessage(error);
	}
}

/** The address and the amount, or what is wrong with them. */
export function readSelfImport(
	typed: Typed
): { ok: true; asked: Asked } | { ok: false; errors: Errors } {
	const errors: Errors = {};
	const address = typed.address.trim();
	const fault = addressFault(address);
	// The daemon checks neither: a bad address gets an empty script, and zero fails only at the import.
	if (fault !== null) errors.address = fault;
	let amount = 0n;
	try {
		amount = parseCoins(typed.amount);
		if (amount === 0n) errors.amount = 'The amount must be more than zero.';
		else if (amount > MOST) {
			errors.amount = `One self-import creates ${formatCoins(MOST)} coins at most.`;
		} else daemonSpelling(amount);
	} catch (error) {
		if (isChainError(error, 'amount')) errors.amount = chainErrorMessage(error);
		else if (error instanceof RangeError) {
			errors.amount = 'The daemon cannot read this amount exactly. Choose a smaller one.';
		} else throw error;
	}
	if (Object.keys(errors).length > 0) return { ok: false, errors };
	return { ok: true, asked: { address, amount } };
}
