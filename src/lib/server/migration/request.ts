import { AmountError, formatCoins, parseCoins, type Satoshi } from '#lib/chain/amount.ts';
import { AddressError, decodeAddress } from '#lib/chain/address.ts';
import type { MigrationPolicy } from './states.ts';

/** The chain on which the others are notarized. */
export const MAIN_CHAIN = 'KMD';

/** Coins to be carried, as a form gives them. */
export interface MigrationInput {
	source: string;
	destination: string;
	address: string;
	/** Coins, as text. */
	amount: string;
	policy: MigrationPolicy;
}

/** The same, read. */
export interface MigrationRequest {
	source: string;
	destination: string;
	address: string;
	amount: Satoshi;
	policy: MigrationPolicy;
}

/** A member of the form. */
export type RequestField = 'source' | 'destination' | 'address' | 'amount' | 'policy';

/** Komodo daemon 0.9.0: "Cannot export more than 1 million coins per export." */
export const MOST: Satoshi = 1_000_000n * 100_000_000n;

/** Sentences by the field they belong to. */
export type FieldErrors = Partial<Record<RequestField, string>>;

/** The amount and the address of a request, or what is wrong with them, each at its field. */
export function readRequest(
	input: MigrationInput
): { request: MigrationRequest } | { errors: FieldErrors } {
	const errors: FieldErrors = {};
	let amount = 0n;
	try {
		amount = parseCoins(input.amount);
		if (amount === 0n) errors.amount = 'The amount must be more than zero.';
		if (amount > MOST) {
			errors.amount = `One migration carries ${formatCoins(MOST)} coins at most.`;
		}
	} catch (error) {
		if (!(error instanceof AmountError)) throw error;
		errors.amount = error.message;
	}
	const address = input.address.trim();
	try {
		if (decodeAddress(address).kind !== 'p2pkh') {
			errors.address =
				'A script address cannot receive a migration: use a normal address, which starts with R.';
		}
	} catch (error) {
		if (!(error instanceof AddressError)) throw error;
		errors.address = /^0[23][0-9a-f]{64}$/i.test(address)
			? 'This is a public key. Coins go to an address, which starts with R.'
			: error.message;
	}
	if (input.source === '') errors.source = 'Choose the chain on which the coins are.';
	if (input.destination === '') errors.destination = 'Choose the chain that shall receive them.';
	if (Object.keys(errors).length > 0) return { errors };
	const { source, destination, policy } = input;
	return { request: { source, destination, address, amount, policy } };
}
