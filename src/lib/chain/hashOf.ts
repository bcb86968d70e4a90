/**
 * Extracts the hash from a text as 64 lower-case hex digits; null when there is none. Accepts a `0x` prefix,
 * and an output written `txid:index`, as in lists of UTXOs.
 */
export const hashOf = (text: string): string | null =>
	/^(?:0x)?([0-9a-f]{64})(?::\d{1,9})?$/i.exec(text)?.[1]?.toLowerCase() ?? null;
