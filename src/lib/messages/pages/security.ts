/** What the page of the security settings says. Words of a setting stand under its name. */

/** Whether a role needs a second factor. */
const REQUIRED = { optional: 'Optional', required: 'Required' } as const;

export const SECURITY = {
	title: 'Security',
	lead: 'How members log in, for the whole installation',
	save: 'Save settings',
	saved: 'Settings saved.',
	faults: {
		choice: 'Choose one of the options.',
		whole: 'Enter a whole number within the bounds.',
		unknown: 'There are no such settings.'
	},
	sections: {
		'second-factor': {
			title: 'Second factor',
			note: 'Where it is required, members without one set it up at their next page and can do nothing else before.'
		}
	},
	settings: {
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
		}
	}
} as const;
