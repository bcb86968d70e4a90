import type { Turn } from './entry.ts';

/** How one error type, or one text of the older form, is recognized. Its words are in `lib/messages/kdf-errors`. */
export interface KdfErrorPattern {
	/** Stable: what the refusal means. That of an error type is its name, unless several mean the same. */
	code: string;
	/** Error type of version 2. */
	type?: string;
	/** Text without the places in the node's source; for a type only where the type alone does not tell. */
	says?: RegExp;
	/** Names of methods; every method where it is left out. */
	of?: RegExp;
	turn: Turn;
	/** The node's own text says more: it belongs beside the words. */
	quotes?: true;
}
