/** Texts of the page of a proposed change, and of the lists of such changes. */
import { plural } from '#lib/text/plural.ts';

export const CHANGE_STATES = {
	open: 'Awaiting approval',
	done: 'Completed',
	rejected: 'Rejected',
	expired: 'Expired',
	voided: 'Void',
	withdrawn: 'Withdrawn'
} as const;

export const CHANGES = {
	title: 'Proposed changes',
	note: 'Other admins approve them.',
	pastNote: (most: number): string => `The newest ${most} of the last 90 days.`,
	caption: 'Changes of policies, members, limits and settings',
	none: 'No proposed change awaits approval.',
	columns: {
		what: 'Change',
		author: 'Proposed by',
		state: 'State',
		missing: 'Approvals missing',
		proposed: 'Proposed'
	},
	linkWaits: 'The link works once enough other admins have approved.',
	open: 'Proposed change',
	stuck: {
		title: 'Changes cannot be approved now',
		text: (needed: number, admins: number): string =>
			`${plural(needed, 'other admin has', 'other admins have')} to approve a change, and ${plural(admins, 'admin')} can log in. Disabling, demoting and stopping still work. On the server, "npm run komodeck -- user role NAME --role admin" adds an admin, and "npm run komodeck -- policy approvals 0" ends the approval of changes.`
	}
} as const;

export const CHANGE = {
	noSuch: 'There is no such proposed change.',
	lead: (author: string): string => `${author} proposes this change.`,
	facts: {
		title: 'What changes',
		note: 'The change becomes void when what it changes is changed meanwhile.',
		caption: 'What changes',
		what: 'What',
		before: 'Before',
		after: 'After'
	},
	details: {
		title: 'Details',
		state: 'State',
		author: 'Proposed by',
		proposed: 'Proposed',
		expires: 'Good until',
		closed: 'Closed'
	},
	waits: (missing: number): string =>
		`This change takes effect when ${plural(missing, 'more admin approves', 'more admins approve')}.`,
	done: 'This change has taken effect.',
	ended: {
		rejected: (by: string): string => `Rejected by ${by}`,
		withdrawn: 'Withdrawn by the author. Nothing was changed.',
		expired: 'Not approved in time. Nothing was changed.',
		voided:
			'Void: what it was to change, or who proposed it, has changed since. Nothing was changed by it.'
	},
	rule: (needed: number): string =>
		`${plural(needed, 'other admin has', 'other admins have')} to approve.`,
	withdraw: 'Withdraw change'
} as const;
