/** Formats an outpoint as `txid:vout`, the key used for UTXOs in sets, forms and URLs. */
export const nameOfUtxo = ({ txid, vout }: { txid: string; vout: number | bigint }): string =>
	`${txid}:${vout}`;
