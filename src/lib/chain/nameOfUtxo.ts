/** What an output is called in sets, forms and addresses: `txid:vout`. */
export const nameOfUtxo = ({ txid, vout }: { txid: string; vout: number | bigint }): string =>
	`${txid}:${vout}`;
