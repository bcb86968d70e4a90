import type { NotarizationErrorCode } from '#lib/rpc/errors/notarization.ts';
import type { ErrorWords } from './words.ts';

export const notarization = {
	'notarization.range': {
		what: 'Height and depth must be above zero, and the depth less than the height.',
		next: 'Choose a range of blocks above the first one.'
	},
	'notarization.height': {
		what: 'The chain has no block at this height.',
		next: 'Enter a height up to the tip.'
	},
	'notarization.no-mom': {
		what: 'No notarization covers this height yet, or none recorded a MoM.',
		next: 'Try again after the next notarization.'
	}
} as const satisfies Record<NotarizationErrorCode, ErrorWords>;
