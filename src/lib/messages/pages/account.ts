/** What the page of one's own account says, and the page of one's own activity. */
import { plural } from '#lib/text/plural.ts';

export const ACCOUNT = {
	title: 'Account',
	myActivity: 'My activity',
	tokens: {
		title: 'API tokens',
		note: 'For scripts and RPC clients',
		created: "API token created. Copy it now: it won't be shown again.",
		copied: 'the token',
		none: 'No API tokens yet. A script sends one as a Bearer token, or as the password of HTTP Basic with your name.',
		caption: 'Your API tokens',
		columns: {
			name: 'Name',
			role: 'Role',
			methods: 'Methods',
			daemons: 'Daemons',
			created: 'Created',
			expires: 'Expires',
			lastUsed: 'Last used',
			actions: 'Actions'
		},
		all: 'All',
		whenRevoked: 'When revoked',
		never: 'Never',
		revoke: 'Revoke',
		revokeOf: (name: string): string => `Revoke ${name}`,
		revoked: 'API token revoked.',
		name: 'Token name',
		nameHint: 'What the token is used for',
		role: 'Role',
		expires: 'Expires after',
		lifetimes: { '30': '30 days', '90': '90 days', '365': 'One year', '': 'Until revoked' },
		methods: 'Only these methods',
		methodsHint:
			'Method names separated by spaces. Empty: all that the role may call. Restricted tokens work with the RPC API only.',
		daemons: 'Only these daemons',
		daemonsHint: 'Daemon names separated by spaces. Empty: all.',
		create: 'Create token',
		faults: {
			role: 'Choose a role.',
			expires: 'Choose when the token expires.',
			method: (name: string): string => `There is no method "${name}".`,
			daemon: (name: string, known: readonly string[]): string =>
				`There is no daemon "${name}". There are: ${known.join(', ')}.`
		}
	},
	wallets: {
		title: 'Wallets and limits',
		note: 'Your access, on pages and with your API tokens. Admins can change it.',
		none: 'No wallet assigned: you can read everything, but not build or send transactions.',
		yours: 'You can use these wallets:',
		/** @param amount coins with 8 decimals; of a chain's own coin where the limit is of one chain */
		limit: (
			kind: string,
			where: string,
			{ count, amount }: { count: string | null; amount: string | null }
		): string =>
			`${kind} on ${where}: at most ${[
				...(count === null ? [] : [count]),
				...(amount === null ? [] : [`${amount} coins`])
			].join(' and ')} in 24 hours`,
		used: 'Sent by you in the last 24 hours'
	},
	work: {
		title: 'Open work',
		note: 'Your unfinished migrations and transactions',
		startedBy: (name: string): string => `, started by ${name}`
	},
	sessions: {
		title: 'Sessions',
		note: 'Where you are logged in',
		caption: 'Your sessions',
		columns: {
			browser: 'Browser',
			address: 'Address',
			started: 'Started',
			lastSeen: 'Last seen',
			actions: 'Actions'
		},
		unknown: 'Unknown',
		this: 'This session',
		end: 'Log out',
		endOf: (browser: string): string => `Log out ${browser}`,
		endOthers: 'Log out other sessions',
		ended: 'Session logged out.',
		othersEnded: 'All your other sessions are logged out.'
	},
	password: {
		title: 'Password',
		outdated: {
			title: 'Choose a new password',
			text: 'Your current password is shorter or easier to guess than now allowed.'
		},
		current: 'Current password',
		new: 'New password',
		revoke: 'Revoke with the old password',
		session: (browser: string, address: string | null): string =>
			`Session: ${browser}, ${address ?? 'unknown address'}`,
		token: (name: string, role: string): string => `API token: ${name}, ${role}`,
		change: 'Change password',
		changed: ({ sessions, tokens }: { sessions: number; tokens: number }): string =>
			`Password changed. ${plural(sessions, 'session')} ended, ${plural(tokens, 'API token')} revoked.`
	},
	/** Single sign-on. @param label what the provider is called */
	signOn: {
		title: 'Single sign-on',
		note: (label: string): string => `Log in with ${label} instead of a password`,
		none: (label: string): string => `Your account is not linked to ${label}.`,
		noPassword: (label: string): string =>
			`You log in with ${label}; your account has no password. If you need one, ask your admin for a password-reset link.`,
		caption: 'Linked accounts',
		columns: {
			account: 'Account at the provider',
			linked: 'Linked',
			lastUsed: 'Last used',
			actions: 'Actions'
		},
		never: 'Never',
		link: (label: string): string => `Link ${label}`,
		unlink: 'Unlink',
		unlinkOf: (account: string): string => `Unlink ${account}`,
		linked: 'Linked. From now on you can log in with it.',
		unlinked: 'Unlinked. It opens your account no more.'
	},
	theme: { title: 'Theme' }
} as const;
