/** Messages about addresses from which coins could not be spent. */

/** @param chain the chain on which the address was looked up */
export const conditionAddressMessage = (chain: string): string =>
	`On ${chain} this address holds tokens or other conditions, not coins of a person: coins paid to it are lost.`;

export const TOKEN_MODULE_ADDRESS =
	'This address belongs to the token module, not to a person: coins paid to it are lost.';

export const TOKEN_ADDRESS =
	'This is the token address of a wallet: it takes tokens, and coins paid to it are lost. Use the normal address of the wallet.';
