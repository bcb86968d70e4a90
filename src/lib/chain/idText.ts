/** The texts of ids, in lower case as daemons write them. */

/** Whether a text has the form of a txid, a token id or a block hash: 64 hex digits. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * Whether a text has the form of a compressed public key. That it is a point of the curve is not checked; see
 * `isValidPubkey`.
 */
export const isPubkeyText = (text: string): boolean => /^0[23][0-9a-f]{64}$/.test(text);
