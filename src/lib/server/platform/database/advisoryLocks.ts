/**
 * Keys of the advisory locks that servers of one PostgreSQL database share. Keys are global to the database, so
 * they are all listed here to keep them distinct.
 */
export const ADVISORY_LOCKS = {
	/** Running schema steps. */
	schema: 4_919_770_001n,
	/** Locking UTXOs of wallets. */
	lockedUtxos: 4_919_770_002n,
	/** Name words in the index, held while a batch of blocks is written. */
	indexNames: 4_919_770_003n
} as const;
