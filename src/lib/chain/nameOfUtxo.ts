/** Formats an outpoint as `txid:vout`, the key used for UTXOs in sets, forms and URLs. */
export const nameOfUtxo = ({ txid, vout }: { txid: string; vout: number | bigint }): string =>
	`${txid}:${vout}`;

/** Whether a text has the form of {@link nameOfUtxo}. */
export const isUtxoName = (text: string): boolean => /^[0-9a-f]{64}:\d{1,10}$/.test(text);
