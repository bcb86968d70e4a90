/**
 * What servers of one PostgreSQL database take turns by, beside the locks of rows. The numbers are of the whole
 * database: they stand in one place so that no two turns are the same one.
 */
export const ADVISORY_LOCKS = {
	/** Steps of the schema. */
	schema: 4_919_770_001n,
	/** Locks of wallets' outputs. */
	lockedUtxos: 4_919_770_002n,
	/** Words of the names in the index, which it writes for as long as a batch of blocks takes. */
	indexNames: 4_919_770_003n
} as const;
