/**
 * What it means that no import of a burn in a block is known:
 * - `open`: the destination's index, which is up to date, has no import of it
 * - `unconfigured`: the destination is not configured, so its index is not kept up to date
 * - `unseen`: the index of the destination or of the source lacks blocks
 */
export type MissingImport = 'open' | 'unconfigured' | 'unseen';

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
	/** Null when the import is known. */
	missing: MissingImport | null;
	/** Id of this installation's migration that made the burn; null otherwise, and for anonymous visitors. */
	migration: string | null;
}
