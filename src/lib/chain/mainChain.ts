/** The chain on which notaries record the blocks of all others. */
export const MAIN_CHAIN = 'KMD';
