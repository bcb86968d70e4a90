/** Texts of the pages for signing in: login, invitation, password reset. */

/** Texts for choosing a password. */
export const PASSWORDS = {
	password: 'Password',
	hint: 'At least 12 characters, and no common word with digits.',
	/** @param label label of the first field */
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
	passkey: 'Log in with passkey',
	noAccount:
		'No account? Ask your admin for an invite. First start? Use the setup link in the server log.',
	faults: { name: 'Enter your name.', password: 'Enter your password.' },
	/** Single sign-on. @param label display name of the provider */
	provider: {
		button: (label: string): string => `Log in with ${label}`,
		local: 'Or with your password',
		breakGlass: 'Break-glass login',
		breakGlassNote: 'For the named admin only, when single sign-on does not work',
		loggedOut: 'You are logged out here.',
		still: (label: string): string => `You may still be logged in to ${label}.`,
		logOut: (label: string): string => `Log out of ${label}`,
		continue: {
			title: (label: string): string => `Continue to ${label}`,
			text: 'Your browser continues automatically.',
			link: (label: string): string => `Continue to ${label}`
		}
	}
} as const;

/** Texts of the confirmation that precedes actions on other members, and sends. */
export const CONFIRM = {
	byPassword: {
		title: 'Confirm your password',
		lead: 'Required for administration every 15 minutes',
		kept: 'Your input is kept and continues with your password.',
		submit: 'Confirm password'
	},
	byFactor: {
		title: 'Confirm with your second factor',
		lead: 'Required before sending and administration every 5 minutes',
		kept: 'Your input is kept and continues with your second factor.',
		submit: 'Confirm'
	},
	kept: { title: 'Nothing was changed yet.' },
	cancel: 'Cancel',
	password: (name: string): string => `Password of ${name}`,
	/** Confirmation by single sign-on. @param label display name of the provider */
	provider: {
		title: 'Confirm that it is you',
		text: (label: string): string => `${label} asks you to log in once more, then you come back.`,
		submit: (label: string): string => `Confirm with ${label}`,
		keptText: (label: string): string =>
			`Your input is kept. Confirm with ${label} in a new tab, then continue here.`,
		resume: 'Continue',
		done: 'Confirmed. Close this tab and continue in the one with your input.'
	},
	code: 'Code',
	codeHint: 'Of your authenticator app, or a recovery code'
} as const;

/** Formats the wallets of an invitation. */
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
		/** Someone on the server’s own command line. */
		server: 'the operator of this server',
		walletsOf: wallets,
		submit: 'Create account'
	},
	invalid: {
		title: 'Invalid link',
		text: 'The link was used, revoked, has expired, or is incomplete. Ask the sender for a new one.'
	},
	/** Single sign-on in place of a password. @param label display name of the provider */
	provider: (label: string): string => `Continue with ${label}`,
	providerNote: 'You need no password here then.',
	logIn: 'Log in',
	name: 'Name',
	nameHint: 'Shown to your team and in the audit log',
	until: 'The link works once, until'
} as const;
