/** Explanation of a failed call: what happened, whether something may have been done, what to do next. */
export interface Explanation {
	what: string;
	safe: string;
	next: string;
}
