/** The groups in which daemons list notarizations. */
export type NotarizationGroup = 'KMD' | 'LABS';

/** The group of a notarized chain: release 0.9.0 tells it by the name. */
export const notarizationGroup = (symbol: string): NotarizationGroup =>
	/^(?:LABS|CFEK|TEST)/.test(symbol) || symbol === 'THIS_CHAIN_IS_BANNED' ? 'LABS' : 'KMD';
