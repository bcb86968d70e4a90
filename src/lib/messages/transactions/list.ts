/** Errors of the filter of the team's transactions. */
export const TRANSACTION_LIST = {
	kind: 'Choose a type from the list.',
	state: 'Choose a state from the list.',
	tooLong: (most: number): string => `A name is at most ${most} characters long.`
} as const;
