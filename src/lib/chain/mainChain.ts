/** The chain on which notaries record the blocks of all others. */
export const MAIN_CHAIN = 'KMD';

export const isMainChain = (chain: string): boolean => chain === MAIN_CHAIN;

/** Whether unspent coins of a chain earn interest, which the transaction that spends them claims. */
export const paysInterest = (chain: string): boolean => isMainChain(chain);
