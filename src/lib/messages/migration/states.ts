/** What a migration's states and policies are called. */

export const STATE_NAMES = {
	draft: 'Waits for your confirmation',
	'preflight-failed': 'Cannot be sent as it is',
	'burn-unknown': 'Sending the burn',
	'burn-pending': 'Burn waits for a block',
	'burn-confirmed': 'Burned, waits for a notarization',
	'waiting-back-notarization': 'Burned, waits for a notarization',
	'import-built': 'Completing the proof',
	'waiting-target-notarization': 'Waits for the destination to be notarized',
	'backup-collecting': 'Waits for approvals of notaries',
	'needs-approval': 'Waits for your approval',
	'ready-to-import': 'Ready to import',
	'import-unknown': 'Sending the import',
	'import-pending': 'Import waits for a block',
	done: 'Arrived, not final yet',
	final: 'Arrived',
	stuck: 'Stopped, needs a person',
	abandoned: 'Given up before the burn'
} as const;

export const POLICY_NAMES = {
	automatic: 'Finishes by itself',
	ask: 'A person is asked',
	'ask-two': 'Two people are asked'
} as const;
