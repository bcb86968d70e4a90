import { notarizationGroup, type NotarizationGroup } from './notarizationGroup.ts';

/** Who may notarize a chain; proofs never cross from one authority to another. */
type NotaryAuthority = NotarizationGroup | 'TXSCL';

/** Komodo daemon 0.9.0 (`GetSymbolAuthority`): told by the chain's name, as the groups of its lists are. */
export const authorityOf = (symbol: string): NotaryAuthority =>
	symbol.startsWith('TXSCL') ? 'TXSCL' : notarizationGroup(symbol);
