/** Texts of the member's own account page and activity page. */
import { plural } from '#lib/text/plural.ts';
import { SPENDING_LIMITS } from './spendingLimits.ts';

export const ACCOUNT = {
	title: 'Account',
	myActivity: 'My activity',
	tokens: {
		title: 'API tokens',
		note: 'For scripts and RPC clients',
		created: 'API token created. Copy it now: it won’t be shown again.',
		copied: 'the API token',
		none: 'No API tokens yet. A script sends one as a Bearer token, or as the password of HTTP Basic with your name.',
		caption: 'Your API tokens',
		columns: {
			name: 'Name',
			role: 'Role',
			limits: 'Limits',
			created: 'Created',
			expires: 'Expires',
			lastUsed: 'Last used',
			actions: 'Actions'
		},
		whenRevoked: 'When revoked',
		never: 'Never',
		revoke: 'Revoke',
		revokeOf: (name: string): string => `Revoke ${name}`,
		revoked: 'API token revoked.',
		name: 'API token name',
		nameHint: 'What the API token is used for',
		role: 'Role',
		expires: 'Expires after',
		lifetime: (days: string): string =>
			days === '' ? 'Until revoked' : plural(Number(days), 'day'),
		noLimits: 'None',
		restrictNote:
			'An API token never has more rights than you. One with limits other than addresses works with the RPC API only.',
		methods: 'Only these methods',
		methodsHint: 'None selected: all that the role may call.',
		methodsFind: 'Find methods',
		methodsChosen: (count: number): string => `${count} selected`,
		daemons: 'Only these daemons and trading nodes',
		daemonsHint: 'None selected: all.',
		wallets: 'Only the wallets of these daemons',
		walletsHint:
			'None selected: all wallets that you may use. An API token limited to wallets only reads from trading nodes.',
		addresses: 'Only from these addresses',
		addressesHint: 'IP addresses or networks such as 10.0.0.0/8. Empty: from everywhere.',
		each: 'At most with one transaction',
		eachHint: 'Coins, fee included: 5 for every chain, ALPHA=5 for one. Empty: no limit.',
		day: 'At most in 24 hours',
		dayHint: 'Coins: 20 for every chain by itself, ALPHA=20 for one. Empty: no limit.',
		recipients: 'Only to these recipients',
		recipientsHint:
			'Addresses or public keys. What does not show its recipients is refused. Empty: to all.',
		limits: {
			methods: (names: readonly string[]): string => `Methods: ${names.join(', ')}`,
			daemons: (names: readonly string[]): string => `Daemons: ${names.join(', ')}`,
			wallets: (names: readonly string[]): string => `Wallets: ${names.join(', ')}`,
			addresses: (names: readonly string[]): string => `From: ${names.join(', ')}`,
			recipients: (names: readonly string[]): string => `To: ${names.join(', ')}`,
			/** Amounts are decimal texts of coins; null for no limit. */
			amounts: (chain: string | null, each: string | null, day: string | null): string =>
				`${chain ?? 'Each chain'}: at most ${[
					...(each === null ? [] : [`${SPENDING_LIMITS.coins(each, chain)} with one transaction`]),
					...(day === null ? [] : [`${SPENDING_LIMITS.coins(day, chain)} in 24 hours`])
				].join(', ')}`
		},
		nearEnd: 'Expires soon',
		usedFrom: (address: string, client: string | null): string =>
			client === null ? `from ${address}` : `from ${address}, ${client}`,
		replace: 'Replace API token',
		replaceOf: (name: string): string => `Replace ${name}`,
		replaceWhen: 'Revoke the old API token',
		replaceNow: 'At once',
		replaceInAnHour: 'After one hour',
		replaceGone: 'That API token was replaced already, or does not work any more.',
		create: 'Create API token',
		faults: {
			role: 'Choose a role.',
			expires: 'Choose when the API token expires.',
			method: (name: string): string => `There is no method "${name}".`,
			daemon: (name: string, known: readonly string[]): string =>
				`There is no daemon "${name}". There are: ${known.join(', ') || 'none'}.`,
			chain: (name: string, known: readonly string[]): string =>
				`There is no chain "${name}". There are: ${known.join(', ') || 'none'}.`,
			/** @param chain null for the amount that applies to every chain */
			twice: (chain: string | null): string =>
				`There are two amounts for ${chain ?? 'every chain'}. Name one, with a point for decimals.`,
			address: (text: string): string => `"${text}" is no IP address and no network.`,
			recipient: (text: string): string => `"${text}" is no address and no public key.`,
			replaceWhen: 'Choose when the old API token is revoked.'
		}
	},
	wallets: {
		title: 'Wallets and limits',
		note: 'Your access, on pages and with your API tokens. Admins can change it.',
		none: 'No wallet assigned: you can browse and see balances, but not list UTXOs, build or send.',
		yours: 'You can use these wallets:',
		/**
		 * @param ticker null when the limit applies to several chains
		 * @param amount decimal text
		 */
		limit: (
			kind: string,
			where: string,
			ticker: string | null,
			{ count, amount }: { count: string | null; amount: string | null }
		): string =>
			`${kind} on ${where}: at most ${[
				...(count === null ? [] : [count]),
				...(amount === null ? [] : [SPENDING_LIMITS.coins(amount, ticker)])
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
		note: (most: number): string =>
			`Where you are logged in. At most ${plural(most, 'session')}: one more ends the one that was unused longest.`,
		caption: 'Your sessions',
		columns: {
			browser: 'Browser',
			address: 'Address',
			started: 'Started',
			lastSeen: 'Last seen',
			ends: 'Ends',
			actions: 'Actions'
		},
		unknown: 'Unknown',
		this: 'This device',
		newPlace: 'New place',
		end: 'Log out',
		endOf: (browser: string, started: string): string => `Log out ${browser}, started ${started}`,
		endOthers: 'Log out others',
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
		session: (browser: string, address: string | null, started: string): string =>
			`Session: ${browser}, ${address ?? 'unknown address'}, started ${started}`,
		token: (name: string, role: string, created: string): string =>
			`API token: ${name}, ${role}, created ${created}`,
		change: 'Change password',
		changed: ({ sessions, tokens }: { sessions: number; tokens: number }): string =>
			`Password changed. ${plural(sessions, 'session')} ended, ${plural(tokens, 'API token')} revoked.`
	},
	/** Single sign-on. @param label display name of the provider */
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
	factors: {
		title: 'Second factor',
		note: 'Besides your login',
		none: (hasPassword: boolean): string =>
			`None: ${hasPassword ? 'your password' : 'single sign-on'} alone opens your account.`,
		item: (name: string, kind: string): string => (name === kind ? name : `${name}, ${kind}`),
		manage: 'Manage factors'
	},
	theme: { title: 'Theme' }
} as const;
