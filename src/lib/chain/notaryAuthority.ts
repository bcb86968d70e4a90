import { notarizationGroup, type NotarizationGroup } from './notarizationGroup.ts';

/**
 * The notary set that may notarize a chain. Proofs are never valid between chains of different authorities.
 */
type NotaryAuthority = NotarizationGroup | 'TXSCL';

/** Returns the authority, derived from the chain's name. (Komodo daemon 0.9.0, `GetSymbolAuthority`.) */
export const authorityOf = (symbol: string): NotaryAuthority =>
	symbol.startsWith('TXSCL') ? 'TXSCL' : notarizationGroup(symbol);
