/** Who may notarize a chain; proofs never cross from one group to another. */
type AuthorityGroup = 'KMD' | 'LABS' | 'TXSCL';

/** Komodo daemon: the group is read off the front of the chain's name. */
export const authorityOf = (symbol: string): AuthorityGroup => {
	if (symbol.startsWith('TXSCL')) return 'TXSCL';
	if (/^(LABS|CFEK|TEST)/.test(symbol)) return 'LABS';
	return 'KMD';
};

/** Inputs that a notarization needs at least, each of a different notary. */
export const NOTARY_SIGNATURES = 11;
