/** Names of form fields that exist for each token of a platform. */

/** Field for the confirmations of one token. The default of all tokens has an empty ticker. */
export type TokenField = `confirmations:${string}`;

/**
 * Returns the name of a token's confirmations field; for an empty ticker, the common prefix of these names.
 */
export const confirmationsOf = (ticker: string): TokenField => `confirmations:${ticker}`;
