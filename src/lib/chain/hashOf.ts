/**
 * The hash that a text names, 64 digits in lower case; null where it names none. Written with `0x` it is one too, and so
 * is the transaction of an output, as lists of UTXOs write it: `txid:index`.
 */
export const hashOf = (text: string): string | null =>
	/^(?:0x)?([0-9a-f]{64})(?::\d{1,9})?$/i.exec(text)?.[1]?.toLowerCase() ?? null;
