/**
 * A cross-chain transfer: a burn and its import. Times are Unix milliseconds, `value` satoshi, `units` base
 * units.
 */
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
	/** Id of this installation's migration that made the burn; null otherwise, and for anonymous visitors. */
	migration: string | null;
}
