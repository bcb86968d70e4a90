/** What a migration's states and policies are called. */
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

/** What a stored state is called. */
export const stateName = (state: string): string => nameIn(STATE_NAMES, state);

const POLICY_NAMES = {
	automatic: 'Automatic',
	ask: 'Requires 1 approval',
	'ask-two': 'Requires 2 approvals'
} as const;

/** What a stored policy is called. */
export const policyName = (policy: string): string => nameIn(POLICY_NAMES, policy);
