/** Texts of the security settings page, by name of the setting. */

/** Whether a role needs a second factor. */
const REQUIRED = { optional: 'Optional', required: 'Required' } as const;

export const SECURITY = {
	title: 'Security',
	lead: 'How members log in, for the whole installation',
	save: 'Save settings',
	saved: 'Settings saved.',
	faults: {
		choice: 'Choose one of the options.',
		whole: (least: number, most: number): string =>
			`Enter a whole number from ${least} to ${most}.`,
		text: 'Enter at most 64 characters.',
		unknown: 'There are no such settings.'
	},
	sections: {
		'local-login': {
			title: 'Local login',
			note: 'Close it when single sign-on decides who comes in.'
		},
		'second-factor': {
			title: 'Second factor',
			note: 'Where it is required, members without one set it up at their next page and can do nothing else before.'
		},
		sessions: {
			title: 'Sessions',
			note: 'Shorter limits hold at once, also for sessions that are open.'
		},
		'api-tokens': {
			title: 'API tokens',
			note: 'For new API tokens and for those that replace others. Existing ones keep their end.'
		},
		changes: {
			title: 'Approval of changes',
			note: 'Changes of policies, roles, wallets, limits and security settings, password resets, invitations with wallets or rights, and turning off a safety control then wait until other admins approve. What takes rights away is never held up.'
		}
	},
	settings: {
		'local-login': {
			label: 'Login with a password',
			hint: 'Closed: only single sign-on lets members in, and the admin who is named below.',
			options: { open: 'Open to all members', 'break-glass': 'Closed, but for break-glass login' }
		},
		'break-glass-admin': {
			label: 'Break-glass admin',
			hint: 'Name of an admin with a password, for when single sign-on does not work',
			options: {}
		},
		'factor-viewer': { label: 'Second factor for viewers', hint: '', options: REQUIRED },
		'factor-operator': { label: 'Second factor for operators', hint: '', options: REQUIRED },
		'factor-notary': { label: 'Second factor for notaries', hint: '', options: REQUIRED },
		'factor-admin': { label: 'Second factor for admins', hint: '', options: REQUIRED },
		'factor-tokens': {
			label: 'API tokens of members who lack a required factor',
			hint: 'API tokens ask for no factor themselves. Members who have one keep using theirs.',
			options: {
				refused: 'Refused until the member has a factor',
				accepted: 'Accepted'
			}
		},
		'session-idle-hours': {
			label: 'Hours without use until a session ends',
			hint: '1 to 720'
		},
		'session-days': {
			label: 'Days from the login until a session ends, used or not',
			hint: '1 to 90'
		},
		'token-days': {
			label: 'Days until an API token ends, at most',
			hint: '1 to 3650'
		},
		'token-endless': {
			label: 'API tokens without an end',
			hint: '',
			options: { refused: 'Refused', allowed: 'Allowed' }
		},
		'change-approvals': {
			label: 'Changes need approval of this many other admins',
			hint: '0 to 9. 0: changes take effect at once.'
		}
	}
} as const;
