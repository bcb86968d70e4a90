/** Errors in the rows of a batch transfer before its review. */
import { amountProse } from '#lib/text/amounts.ts';
import { plural } from '#lib/text/plural.ts';

export const batchFaults = {
	/** `fault`: why the text is no public key. */
	keyOfAddress: (fault: string, form: string, label: string): string =>
		`${fault} It is the ${form} of the public key “${label}” in the address book: enter that label.`,
	noLabel: (fault: string): string => `${fault} The address book has no such label either.`,
	addressLabel: (label: string): string =>
		`“${label}” is an address in the address book, and tokens are sent to a public key. Sent to an address they would be destroyed.`,
	otherLabel: (label: string, kind: string): string =>
		`“${label}” is a ${kind} in the address book, not a public key.`,
	noRecipient: 'Enter at least one recipient.',
	tooMany: (recipients: number, most: number): string =>
		`These are ${plural(recipients, 'recipient')}; ${most} are the most for one batch transfer.`,
	/** Amounts in base units, displayed with the token's decimals. */
	tooFewTokens: (sum: bigint, balance: bigint, decimals: number): string =>
		`Insufficient balance: ${amountProse(sum - balance, decimals)} missing. The rows total ${amountProse(sum, decimals)}, and the wallet holds ${amountProse(balance, decimals)}; pending tokens do not count yet.`,
	/** Amounts in satoshi. */
	tooFewCoins: (transfers: number, fees: bigint, balance: bigint, chain: string): string =>
		`The fees of ${plural(transfers, 'transfer')} are ${amountProse(fees)} ${chain}, and the wallet has ${amountProse(balance)} ${chain} that are not locked.`
} as const;
