/** Texts of the audit log, its checkpoints, and a member's own activity. */
import { plural } from '#lib/text/plural.ts';

export const AUDIT = {
	title: 'Audit log',
	lead: 'Tamper-evident record of all actions',
	verify: 'Verify integrity',
	integrity: {
		/** @param rows number of events whose hashes were recomputed */
		verified: (rows: number, to: number): string =>
			`Integrity verified up to event ${to}: ${plural(rows, 'event')}`,
		/** All events are newer than the last check. */
		none: (events: number): string =>
			events === 0 ? 'No events yet' : `Not verified yet: ${plural(events, 'event')}`,
		/** Follows what was verified. */
		newer: (events: number): string =>
			events === 0 ? '' : `${plural(events, 'newer event')} not verified yet.`,
		failed: (fault: string): string => `Integrity check failed. ${fault}`,
		failedAdvice: {
			before: 'Events before that place are intact. Keep a copy of the database and of the ',
			after:
				' folder of the data folder as they are now, and find out who can write to the database.'
		},
		unverified: 'Integrity not verified since this server started.',
		details: 'What was checked'
	},
	differences: {
		title: 'Rights in the database were changed outside of Komodeck.',
		advice:
			'They do not count until confirmed. Find out who can write to the database, then set each right again here, or at the server with',
		command: 'npm run komodeck -- audit confirm'
	},
	copyProblem: 'Checkpoints could not be stored outside of the database.',
	events: 'Events',
	filters: {
		actor: 'Who',
		kind: 'Event type',
		action: 'Action',
		place: 'Chain, daemon or node',
		outcome: 'Outcome',
		from: 'From, UTC',
		to: 'To, UTC',
		/** A time of day may be appended: T13:45. */
		dateForm: 'YYYY-MM-DD',
		sort: 'Order',
		all: 'All',
		newest: 'Newest first',
		oldest: 'Oldest first'
	},
	saved: {
		title: 'Saved filters',
		none: 'Filter the events, then save the filter under a name to find it here.',
		name: 'Name of this filter',
		hint: 'Only you see it. A filter of the same name is replaced.',
		save: 'Save filter',
		remove: 'Remove',
		removeOf: (name: string): string => `Remove the saved filter ${name}`,
		done: 'Filter saved.',
		removed: 'Filter removed.',
		faults: {
			'no-name': 'Enter a name.',
			'name-too-long': 'The name can have at most 60 characters.',
			'no-filter': 'Set a filter first.',
			'too-many': 'You have 20 saved filters. Remove one first.'
		}
	},
	empty: {
		none: 'No events yet',
		noMatch: 'No events match',
		hint: 'Names of members, chains and daemons must match exactly.'
	},
	columns: {
		time: 'Time',
		who: 'Who',
		action: 'Action',
		target: 'Target',
		chain: 'Chain',
		outcome: 'Outcome',
		details: 'Details'
	},
	event: (seq: number): string => `Event ${seq}`,
	detail: { action: 'action', request: 'request', target: 'target' },
	checkpoints: {
		title: 'Checkpoints',
		note: (made: number, dropped: number, pending: number): string =>
			[
				`${made} created`,
				...(dropped === 0 ? [] : [`events under ${dropped} deleted`]),
				pending === 0 ? 'every event has one' : `${plural(pending, 'event')} pending`
			].join(', '),
		none: 'A checkpoint is created every 1\u202f000 events, or once a day.',
		caption: 'Checkpoints, newest first',
		number: '#',
		events: 'Events',
		range: (first: number, last: number): string => `${first} to ${last}`,
		from: 'From',
		to: 'To',
		created: 'Created',
		state: 'State',
		kept: 'Kept',
		deleted: 'Deleted',
		mac: 'HMAC'
	},
	activity: {
		title: 'My activity',
		lead: 'Your events in the audit log. Don’t recognize something? Change your password and tell an admin.',
		none: 'No activity yet',
		hint: 'Changes you make appear here.',
		more: 'More events',
		first: 'First page',
		previous: 'Previous page',
		next: 'Next page'
	}
} as const;
