/**
 * Who can bring a refused call further.
 * - `caller`: the person who called: another value, another time, another way
 * - `operator`: who runs the daemon: its parameters, its wallet, its disk
 * - `chain`: nobody in particular; blocks or a start-up that goes on
 * - `notaries`: the next notarization
 * - `nobody`: this input can never succeed
 */
export type Turn = 'caller' | 'operator' | 'chain' | 'notaries' | 'nobody';

/** One thing that daemons say when they refuse, in plain words. */
export interface ErrorText {
	/** The daemon's words: the whole text without blanks at its ends, or a pattern where parts of it vary. */
	says: string | RegExp;
	/** The methods to which the explanation belongs; any method when it is left out. */
	of?: readonly string[];
	/** What happened. */
	what: string;
	turn: Turn;
	/** What to do now. */
	next: string;
}
