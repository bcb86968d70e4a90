/**
 * Who can act so that a refused call succeeds.
 * - `caller`: the caller, with another value, at another time or in another way
 * - `operator`: the operator of the daemon: its parameters, wallet or disk
 * - `chain`: further blocks, or the end of the daemon's start
 * - `notaries`: the next notarization
 * - `nobody`: this input can never succeed
 */
export type Turn = 'caller' | 'operator' | 'chain' | 'notaries' | 'nobody';

/** How one error of a daemon is recognized. Its texts for users are in `lib/messages/daemon-errors`. */
export interface ErrorPattern {
	/** Stable code of the error's meaning. */
	code: string;
	/** The daemon's message: the whole trimmed text, or a pattern when parts of it vary. */
	says: string | RegExp;
	/** Methods for which the message has this meaning; omitted for all methods. */
	of?: readonly string[];
	turn: Turn;
}
