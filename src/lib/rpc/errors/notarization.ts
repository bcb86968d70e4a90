/** Refusals of the queries about notarizations. (Komodo daemon 0.9.0.) */
import type { ErrorText } from './entry.ts';

export const notarizationErrors: readonly ErrorText[] = [
	{
		says: 'calc_MoM illegal height or MoMdepth',
		what: 'Height and depth must be above zero, and the depth below the height.',
		turn: 'caller',
		next: 'Choose a range of blocks above the first one.'
	},
	{
		says: 'height out of range.',
		what: 'The chain has no block at this height.',
		turn: 'caller',
		next: 'Ask for a height up to the newest block.'
	},
	{
		says: 'no MoM for height',
		what: 'No notarization covers this height yet, or none recorded a MoM.',
		turn: 'notaries',
		next: 'Ask again after the next notarization.'
	}
];
