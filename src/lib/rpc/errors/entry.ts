/**
 * Who can bring a refused call further.
 * - `caller`: the person who called: another value, another time, another way
 * - `operator`: who runs the daemon: its parameters, its wallet, its disk
 * - `chain`: nobody in particular; blocks or a start-up that goes on
 * - `notaries`: the next notarization
 * - `nobody`: this input can never succeed
 */
export type Turn = 'caller' | 'operator' | 'chain' | 'notaries' | 'nobody';

/** How one refusal of daemons is recognized. Its words are in `lib/messages/daemon-errors`. */
export interface ErrorPattern {
	/** Stable: what the refusal means. */
	code: string;
	/** The daemon's words: the whole text without blanks at its ends, or a pattern where parts of it vary. */
	says: string | RegExp;
	/** The methods to which the meaning belongs; any method when it is left out. */
	of?: readonly string[];
	turn: Turn;
}
