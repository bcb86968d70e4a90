/** Who may notarize a chain; proofs never cross from one group to another. */
type NotaryAuthority = 'KMD' | 'LABS' | 'TXSCL';

/** Komodo daemon 0.9.0: the group is read off the front of the chain's name. */
export const authorityOf = (symbol: string): NotaryAuthority => {
	if (symbol.startsWith('TXSCL')) return 'TXSCL';
	if (/^(LABS|CFEK|TEST)/.test(symbol)) return 'LABS';
	return 'KMD';
};
