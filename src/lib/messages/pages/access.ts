/** Texts of the page about one's own access, and of the error page for a missing right. */
import { RIGHT_WORDS, ROLE_WORDS, type RightName } from '../roles.ts';

/** Lowercases the first letter, for use within a sentence: `send transactions and migrate`. */
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const roleWords = (role: keyof typeof ROLE_WORDS): string => ROLE_WORDS[role].name.toLowerCase();

export const ACCESS_PAGE = {
	title: 'My access',
	lead: (role: keyof typeof ROLE_WORDS): string => `Your role: ${roleWords(role)}`,
	/** By what became of the request, or of the one that the member has made today. */
	asked: {
		requested: 'Access requested. Admins see it on their overview.',
		open: 'You have asked for this today already. Admins see it on their overview.',
		granted: 'You have asked for this today already, and an admin granted the request.',
		dismissed:
			'You have asked for this today already, and an admin dismissed the request. You can ask again tomorrow (UTC).'
	},
	unknown: 'There is no such right to ask for.',
	requests: {
		title: 'Your requests',
		none: 'No requests yet. Where your role does not allow a page, you can request access there.',
		caption: 'Your requests for access',
		right: 'Right',
		asked: 'Asked',
		state: 'State',
		open: 'Open',
		granted: 'Granted',
		dismissed: 'Dismissed'
	},
	denied: {
		role: (name: string, role: keyof typeof ROLE_WORDS): string =>
			`You are logged in as ${name}, with the role ${roleWords(role)}.`,
		missing: (right: RightName): string => `This needs the right to ${lower(RIGHT_WORDS[right])}.`,
		request: 'Request access',
		ask: 'Ask an admin to change your role under Members.'
	}
} as const;
