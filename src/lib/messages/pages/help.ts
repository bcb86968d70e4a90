/** Texts around the topics of the help. */
import { plural } from '#lib/text/plural.ts';
import { PAGE_NAMES } from '../navigation.ts';

export const HELP = {
	title: PAGE_NAMES.help,
	lead: 'How to do things here, what the words mean, and what to do about errors.',
	topics: 'Topics',
	reference: 'Reference',
	/** Names what the copy button copies. */
	command: 'the command'
} as const;

export const HELP_GLOSSARY = {
	title: PAGE_NAMES.glossary,
	lead: 'The words of chains, migrations and the trading node, each in one sentence.'
} as const;

export const HELP_ERRORS = {
	title: PAGE_NAMES.errorCodes,
	lead: 'The code stands below each error. What comes before its dot names the area.',
	areas: 'Areas',
	next: 'What to do',
	codes: (n: number): string => plural(n, 'code'),
	status: (status: number): string => `HTTP status ${status}`,
	/** For messages with amounts, members or chains, which cannot be rendered without them. */
	varies: 'Names what is concerned: the message beside the error says more.',
	refusals: {
		title: 'Refused requests',
		meaning: 'Codes without a dot. Nothing was done.',
		next: 'Log in, confirm again, or ask an admin for the right that is missing.'
	},
	requests: {
		title: 'Failed requests',
		meaning:
			'Codes without a dot. A request could not be read, came too often or at the same time as another, or failed on the server. The error itself says whether something was done.',
		next: 'Check what the error says is safe before you try again. When it fails again, tell an admin the request ID: the log holds the cause under that ID.'
	},
	daemons: {
		title: 'Codes of daemons',
		meaning:
			'Negative numbers are a daemon’s own. They pass through the RPC API and stand in its messages.',
		next: 'The message of the daemon says more; Komodeck explains it where the error is shown.'
	}
} as const;
