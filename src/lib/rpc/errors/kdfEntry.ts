import type { Turn } from './entry.ts';

/**
 * How one error type, or one legacy message, is recognized. Its texts for users are in
 * `lib/messages/kdf-errors`.
 */
export interface KdfErrorPattern {
	/** Stable code of the error's meaning: the name of the error type, unless several types mean the same. */
	code: string;
	/** Error type of version 2. */
	type?: string;
	/**
	 * Matches the message without source locations; used with a type only when the type alone is ambiguous.
	 */
	says?: RegExp;
	/** Matches the names of methods; omitted for all methods. */
	of?: RegExp;
	turn: Turn;
	/** The node's own text adds information and should be shown too. */
	quotes?: true;
}
