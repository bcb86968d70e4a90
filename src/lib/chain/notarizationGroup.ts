/** Groups in which daemons list notarizations. */
export type NotarizationGroup = 'KMD' | 'LABS';

/** Returns the group of a notarized chain; release 0.9.0 derives it from the name. */
export const notarizationGroup = (symbol: string): NotarizationGroup =>
	/^(?:LABS|CFEK|TEST)/.test(symbol) || symbol === 'THIS_CHAIN_IS_BANNED' ? 'LABS' : 'KMD';
