/** Names of the states and policies of a migration. */
import { OTHER_RELEASE } from '../otherRelease.ts';

export const STATE_NAMES = {
	draft: 'Needs confirmation',
	'preflight-failed': 'Blocked by checks',
	'burn-needs-approval': 'Awaiting approval',
	'burn-unknown': 'Sending burn',
	'burn-pending': 'Burn pending',
	'burn-confirmed': 'Waiting for source notarization',
	'waiting-back-notarization': 'Waiting for back-notarization',
	'import-built': 'Completing proof',
	'waiting-target-notarization': 'Waiting for destination notarization',
	'backup-collecting': 'Waiting for notary approvals',
	'needs-approval': 'Needs approval',
	'ready-to-import': 'Ready to import',
	'import-unknown': 'Sending import',
	'import-pending': 'Import pending',
	done: 'Imported, not final yet',
	final: 'Completed',
	stuck: 'Action required',
	discarded: 'Discarded'
} as const;

const nameIn = (names: Readonly<Record<string, string>>, stored: string): string =>
	Object.hasOwn(names, stored) ? (names[stored] ?? OTHER_RELEASE) : OTHER_RELEASE;

/** Returns the name of a stored state. */
export const stateName = (state: string): string => nameIn(STATE_NAMES, state);

const POLICY_NAMES = {
	automatic: 'Automatic',
	ask: 'Requires 1 approval',
	'ask-two': 'Requires 2 approvals'
} as const;

/** Returns the name of a stored policy. */
export const policyName = (policy: string): string => nameIn(POLICY_NAMES, policy);
