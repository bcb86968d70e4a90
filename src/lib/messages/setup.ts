/** Texts of the page that creates the first account. */
export const SETUP = {
	title: 'Welcome to Komodeck',
	lead: 'Komodeck is a console for Komodo Smart Chains: your team explores the chains, creates and sends tokens, and migrates coins from one chain to another. It runs on your own machine; wallets and keys stay in your daemons and trading nodes.',
	account:
		'Create the first account. Its role is admin: it may do everything and invites the other members.',
	name: 'Name',
	nameHint: 'Other members and the audit log show this name.',
	create: 'Create account',
	invalid: {
		title: 'This setup link is not valid',
		next: 'The link was used before, has expired, or is incomplete. While there is no account, each start of the server prints a new link.',
		login: 'Log in'
	}
} as const;
