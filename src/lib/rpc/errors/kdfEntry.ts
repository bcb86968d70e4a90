import type { Turn } from './entry.ts';

/** A refusal in plain words. */
export interface KnownKdfError {
	what: string;
	turn: Turn;
	next: string;
	/** The node's own text says more: it belongs beside these words. */
	quotes?: true;
}

/** One error type, or one text of the older form. `{coin}` and `{Coin}` stand for the coin's name. */
export interface KdfErrorEntry extends KnownKdfError {
	/** Error type of version 2. */
	type?: string;
	/** Text without the places in the node's source; for a type only where the type alone does not tell. */
	says?: RegExp;
	/** Names of methods; every method where it is left out. */
	of?: RegExp;
}
