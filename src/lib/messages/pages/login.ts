/** What the pages say by which people come in: the login, the invitation, the reset of a password. */

/** Where a password is chosen. */
export const PASSWORDS = {
	password: 'Password',
	hint: 'At least 12 characters, and no common word with digits.',
	/** @param label what the first field is called */
	again: (label: string): string => `Confirm ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
	differ: 'Passwords do not match.'
} as const;

export const LOGIN = {
	title: 'Log in',
	lead: {
		public: 'Browse without an account. Log in to create, send and approve transactions.',
		closed: 'This installation requires an account.'
	},
	name: 'Name',
	password: 'Password',
	submit: 'Log in',
	noAccount:
		'No account? Ask your admin for an invite. First start? Use the setup link in the server log.',
	faults: { name: 'Enter your name.', password: 'Enter your password.' }
} as const;

/** Before what an admin does to others. */
export const CONFIRM = {
	title: 'Confirm your password',
	lead: 'Required for administration every 15 minutes',
	kept: {
		title: 'Nothing was changed yet.',
		text: 'Your input is kept and continues with your password.'
	},
	password: (name: string): string => `Password of ${name}`,
	submit: 'Confirm password'
} as const;

/** The wallets of an invitation. */
const wallets = ({ every, daemons }: { every: boolean; daemons: readonly string[] }): string =>
	every ? 'All' : daemons.length === 0 ? 'None' : daemons.join(', ');

export const JOIN = {
	reset: {
		title: 'New password',
		lead: (name: string): string =>
			`For the account ${name}. All its sessions end, and all its API tokens are revoked.`,
		submit: 'Set password'
	},
	invitation: {
		title: 'Your account',
		lead: 'Choose a password to create your account.',
		role: 'Role',
		wallets: 'Wallets',
		by: 'Invited by',
		/** Somebody at the server’s own command line. */
		server: 'the operator of this server',
		walletsOf: wallets,
		submit: 'Create account'
	},
	invalid: {
		title: 'Invalid link',
		text: 'The link was used, revoked, has expired, or is incomplete. Ask the sender for a new one.'
	},
	logIn: 'Log in',
	name: 'Name',
	nameHint: 'Shown to your team and in the audit log',
	until: 'The link works once, until'
} as const;
