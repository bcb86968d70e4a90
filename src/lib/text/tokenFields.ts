/** Names of fields that a form has for each token of a platform. */

/** The field with the confirmations of one token; empty where it has those of all tokens. */
export type TokenField = `confirmations:${string}`;

/** The field with the confirmations of a token; of no ticker, how all such fields begin. */
export const confirmationsOf = (ticker: string): TokenField => `confirmations:${ticker}`;
