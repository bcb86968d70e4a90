/** Texts of the list of the audit log, for programs and for errors of its filters. */
export const AUDIT_LIST = {
	summary: 'Events of members, scripts and Komodeck itself',
	filters: {
		actor: 'Only events of this member',
		kind: 'Only events of this type',
		action: 'Only events with this action',
		place: 'Only events that concern this chain, daemon or trading node',
		outcome: 'Only events with this outcome',
		from: 'Only events from this day or moment on',
		to: 'Only events up to the end of this day, or before this moment'
	},
	faults: {
		moment: 'Enter a day like 2026-05-31, or one with a time like 2026-05-31T14:00, in UTC.',
		noDay: 'There is no such day.',
		name: 'A name',
		action: 'An action',
		/** @param what the filtered field, capitalized as the start of the sentence */
		tooLong: (what: string, most: number): string => `${what} is at most ${most} characters long.`,
		kind: 'Choose a type from the list.',
		outcome: 'Choose an outcome from the list.'
	}
} as const;
