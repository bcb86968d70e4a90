/** A burn and its import. Times are Unix milliseconds, `value` satoshi, `units` of the token. */
export interface Transfer {
	source: string;
	target: string;
	ccid: number;
	txid: string;
	height: number;
	time: number;
	value: bigint;
	token: { tokenid: string; units: bigint } | null;
	import: {
		chain: string;
		txid: string;
		height: number;
		time: number;
		proof: 'txproof' | 'approvals' | 'merkleblock' | null;
	} | null;
	/** Id of the migration from here that made the burn; null for a visitor, too. */
	migration: string | null;
}
