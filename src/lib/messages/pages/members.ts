/** Texts of the members list and of a member's page. */
import { accountStateWords, type StoredAccountState } from '../accountStates.ts';
import { plural } from '#lib/text/plural.ts';

export const MEMBERS = {
	title: 'Members',
	lead: 'Accounts, roles and wallets of your team',
	accounts: {
		title: 'Accounts',
		caption: 'Members',
		name: 'Name',
		role: 'Role',
		wallets: 'Wallets',
		since: 'Member since',
		lastSeen: 'Last seen',
		never: 'Offline',
		sessions: 'Sessions',
		tokens: 'API tokens',
		logsIn: 'Logs in with',
		/** @param provider display name of single sign-on; null when it is not linked */
		ways: (password: boolean, provider: string | null): string =>
			[...(provider === null ? [] : [provider]), ...(password ? ['Password'] : [])].join(', ') ||
			'Nothing yet',
		state: 'State',
		active: 'Active',
		disabled: 'Disabled',
		toConfirm: 'Needs confirmation'
	},
	wallets: { every: 'All', none: 'None' },
	requests: {
		title: 'Access requests',
		note: 'Members who asked for a right that their role lacks',
		caption: 'Open access requests',
		member: 'Member',
		right: 'Asks for',
		at: 'Page',
		asked: 'Asked',
		actions: 'Actions',
		grant: (role: string): string => `Change role to ${role}`,
		grantOf: (name: string, role: string): string => `Change the role of ${name} to ${role}`,
		dismiss: 'Dismiss',
		dismissOf: (name: string): string => `Dismiss the request of ${name}`,
		granted: 'Access granted. It applies immediately.',
		dismissed: 'Request dismissed.',
		gone: 'That request is not open any more.'
	},
	invite: {
		title: 'Invite a member',
		note: 'One-time link, valid for 7 days',
		made: 'Invite link created. Copy it now: it won’t be shown again.',
		copied: 'the invitation',
		role: 'Role',
		roleHint: 'Start with the least access needed. You can change it later.',
		name: 'Name',
		nameHint: 'Empty: the new member chooses one.',
		wallets: 'Wallets',
		walletsHint: 'Wallets this member can spend from. Other wallets are read-only.',
		create: 'Create invite link',
		noWallet: {
			before:
				'No wallet selected. This member can build nothing and send nothing until you give one.',
			after:
				'Invited without a wallet: this member can build nothing and send nothing until you give one on the page of the account.'
		},
		chooseRole: 'Choose a role.',
		unknownDaemon: (id: string): string => `There is no daemon ${id}. Choose from the list.`,
		revoked: 'Invitation revoked.',
		gone: 'That invitation does not work any more.'
	},
	invitations: {
		caption: 'Open invitations',
		for: 'For',
		anyone: 'Anyone',
		role: 'Role',
		wallets: 'Wallets',
		by: 'Invited by',
		created: 'Created',
		expires: 'Expires',
		unusable: 'Cannot be opened: it lacks an approval, or its author is no admin any more.',
		actions: 'Actions',
		revoke: 'Revoke',
		revokeOf: (name: string): string => `Revoke the invitation for ${name}`
	},
	walletChoice: {
		every: 'All wallets, including those of future daemons',
		notConfigured: 'not configured'
	}
} as const;

export const MEMBER = {
	lead: (role: string, disabled: boolean, self: boolean): string =>
		[role, ...(disabled ? ['disabled'] : []), ...(self ? ['this is you'] : [])].join(', '),
	resetMade: 'Password-reset link created, valid for 1 day. Copy it now: it won’t be shown again.',
	resetCopied: 'the link',
	restored: {
		title: 'This account was restored from a backup and needs confirmation.',
		text: (backup: StoredAccountState, lastKnown: StoredAccountState | null): string =>
			`In the backup: ${accountStateWords(backup)}. Last known: ${lastKnown === null ? 'nothing' : accountStateWords(lastKnown)}. Enable the account to confirm the state in the backup.`
	},
	changed: {
		title: 'This account was changed outside of Komodeck and is locked.',
		confirm: 'Confirm account'
	},
	role: {
		title: 'Role',
		note: 'Applies immediately, including open sessions and API tokens.',
		label: 'Role',
		change: 'Change role',
		choose: 'Choose a role.',
		done: (role: string): string => `Role changed to ${role}. It applies to open sessions, too.`
	},
	access: {
		title: 'Access',
		signOn: (label: string): string => `Logs in with ${label} as`,
		unlink: 'Unlink',
		unlinkOf: (label: string): string => `Unlink ${label}`,
		unlinked: 'Unlinked. The sessions that began with it have ended.',
		unlinkGone: 'This link is not there any more. Nothing was changed.',
		reset: 'Create password-reset link',
		enable: 'Enable account'
	},
	wallets: {
		title: 'Wallets',
		note: 'Wallets this member can spend from. Other wallets are read-only.',
		admin: (wallets: string): string =>
			`Admins can use every wallet. With another role: ${wallets}.`,
		viewer: 'Viewers use no wallet; this choice applies with another role.',
		of: (name: string): string => `Wallets of ${name}`,
		change: 'Change wallets',
		done: 'Wallets changed. The change applies from the next request on.',
		missing: 'This member can send nothing yet: select a wallet.'
	},
	work: {
		title: 'Open work',
		note: 'Unfinished migrations and transactions owned by this member',
		none: 'No open work.',
		caption: (name: string): string => `Open work of ${name}`,
		what: 'What',
		wallet: 'Wallet',
		startedBy: 'Started by',
		newOwner: 'New owner',
		newOwnerHint:
			'Reassigned at the same moment. Otherwise the work stays here and can be reassigned later.',
		noOne: 'No one yet',
		disableHint:
			'Ends all sessions and permanently revokes API tokens. Confirmed migrations continue.',
		disable: 'Disable account',
		disabled: 'Account disabled: its sessions have ended and its API tokens are revoked.',
		reassign: 'Reassign open work',
		reassigned: (n: number): string => `${plural(n, 'item')} reassigned.`
	},
	enabled: 'Account enabled: the member can log in again.',
	confirmed: 'Account confirmed as it is now.',
	factors: {
		title: 'Second factor',
		note: 'Reset it for a member who has lost every factor and recovery code. Make sure that it is them who asks.',
		none: 'None.',
		missing: 'None, although the role requires one: the member sets it up at the next login.',
		reset: 'Reset second factor',
		done: 'All factors and recovery codes are removed, and all sessions of the account have ended.'
	},
	sessions: {
		title: 'Sessions',
		none: 'No open sessions.',
		caption: (name: string): string => `Sessions of ${name}`,
		browser: 'Browser',
		address: 'Address',
		unknown: 'Unknown',
		started: 'Started',
		lastSeen: 'Last seen',
		end: 'Log out all sessions',
		ended: 'All sessions of the account have ended.'
	},
	tokens: {
		title: 'API tokens',
		none: 'No API tokens.',
		caption: (name: string): string => `API tokens of ${name}`,
		name: 'Name',
		role: 'Role',
		created: 'Created',
		lastUsed: 'Last used',
		actions: 'Actions',
		revoke: 'Revoke',
		revokeOf: (name: string): string => `Revoke ${name}`,
		revoked: 'API token revoked.',
		gone: 'That API token does not work any more.'
	},
	unknown: 'There is no such account.'
} as const;
