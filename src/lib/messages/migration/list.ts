/** Errors of the filter of the team's migrations. */
export const MIGRATION_LIST = {
	state: 'Choose a state from the list.',
	tooLong: (most: number): string => `A name is at most ${most} characters long.`
} as const;
