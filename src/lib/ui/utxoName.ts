/** What a UTXO is called in forms and addresses. */
export const utxoName = ({ txid, vout }: { txid: string; vout: number }): string =>
	`${txid}:${vout}`;
