/**
 * Texts of the audit log: actors, categories, outcomes and actions. An action without a text does not compile,
 * so that pages never show a bare code.
 */
import type { DeniedBy } from '../denials.ts';
import { PRODUCT } from '../product.ts';

export const AUDIT_KIND_WORDS = {
	'sign-in': 'Logging in',
	people: 'Members',
	tokens: 'API tokens',
	switches: 'Safety controls',
	settings: 'Settings',
	sends: 'Transactions',
	migrations: 'Migrations',
	approvals: 'Approvals',
	trading: 'Trading node',
	calls: 'Console calls',
	access: 'Denied access',
	log: 'This log',
	other: 'Other'
} as const;

export const AUDIT_OUTCOME_WORDS = {
	done: 'Done',
	asked: 'Sent to the daemon',
	refused: 'Denied',
	failed: 'Failed'
} as const;

export const AUDIT_ACTION_WORDS = {
	'sign-in': 'Logged in',
	'sign-in.refused': 'Login failed',
	'sign-out': 'Logged out',
	'session.confirmed': 'Confirmed the identity again',
	'identity.linked': 'Linked single sign-on',
	'identity.unlinked': 'Unlinked single sign-on',
	'session.ended': 'Ended a session',
	'session.others-ended': 'Ended the other sessions',
	'sessions.ended': 'Ended all sessions',
	'password.changed': 'Changed the password',
	'password.reset-made': 'Created a password-reset link',
	'password.reset': 'Reset the password',
	'factor.added': 'Added a second factor',
	'factor.renamed': 'Renamed a second factor',
	'factor.removed': 'Removed a second factor',
	'factor.reset': 'Reset the second factors of a member',
	'factor.used': 'Used a second factor',
	'factor.refused': 'Second factor refused',
	'recovery-code.used': 'Used a recovery code',
	'recovery-code.renewed': 'Created new recovery codes',
	'account.added': 'Added a member',
	'account.role-changed': 'Changed a role',
	'account.disabled': 'Disabled an account',
	'account.enabled': 'Enabled an account',
	'work.handed-over': 'Reassigned open work',
	'wallets.changed': 'Changed the wallets of a member',
	'limit.changed': 'Changed a spending limit',
	'limit.fee-changed': 'Changed the fee limit',
	'security.changed': 'Changed a security setting',
	'policy.changed': 'Changed the policies',
	'approval.requested': 'Asked for an approval',
	'approval.approved': 'Approved a request',
	'approval.used': 'Used the approvals of a request',
	'approval.reopened': 'Opened an approval request again, because nothing was sent',
	'approval.rejected': 'Rejected an approval request',
	'approval.expired': 'Let an approval request expire',
	'approval.shortened': 'Shortened open requests, because the clock was set back',
	'approval.voided': 'Ended an approval request',
	'change.proposed': 'Proposed a change',
	'change.approved': 'Approved a change',
	'change.rejected': 'Rejected a change',
	'change.withdrawn': 'Withdrew a proposed change',
	'change.carried-out': 'Completed a change that was approved',
	'change.voided': 'Ended a proposed change',
	'change.expired': 'Let a proposed change expire',
	'change.dropped': 'Deleted old proposed changes',
	'change.unapproved': 'Changed without approval, by command line',
	'invitation.made': 'Invited a member',
	'invitation.taken-back': 'Revoked an invitation',
	'token.created': 'Created an API token',
	'token.replaced': 'Replaced an API token',
	'token.revoked': 'Revoked an API token',
	'token.decimals': 'Set the decimals of a token',
	'switch.thrown': 'Turned on a safety control',
	'switch.lifted': 'Turned off a safety control',
	'send.reviewed': 'Built a transaction',
	'send.sent': 'Sent a transaction',
	'send.failed': 'Could not hand a transaction to its daemon',
	'rpc.failed': 'Could not hand over a call',
	'send.discarded': 'Discarded a transaction',
	'series.reviewed': 'Built a batch transfer',
	'series.confirmed': 'Confirmed a batch transfer',
	'series.discarded': 'Discarded a batch transfer',
	'series.stopped': 'Stopped a batch transfer',
	'series.resumed': 'Resumed a batch transfer',
	'series.retried': 'Retried failed transfers of a batch',
	'series.done': 'Completed a batch transfer',
	'draft.kept': 'Saved a draft',
	'draft.removed': 'Removed a draft',
	'book.added': 'Added to the address book',
	'book.changed': 'Changed the address book',
	'book.removed': 'Removed from the address book',
	'index.paused': 'Paused indexing of a chain',
	'index.resumed': 'Resumed indexing of a chain',
	'index.reindexed': 'Reindexed a chain',
	'node.confirmed': 'Confirmed the password of a trading node',
	'node.stopped': 'Stopped calls to a trading node',
	'devnet.mine': 'Mined a block of devnet',
	'devnet.notarize': 'Notarized a chain of devnet',
	'devnet.stop': 'Stopped a daemon of devnet',
	'devnet.slow': 'Slowed down a daemon of devnet',
	'devnet.restore': 'Restored a daemon of devnet',
	'devnet.plug': 'Connected the virtual hardware wallet',
	'devnet.unplug': 'Disconnected the virtual hardware wallet',
	'devnet.reset': 'Reset devnet',
	'message.signed': 'Signed a message',
	'signer.invited': 'Invited a remote signer',
	'signer.ended': 'Disconnected a remote signer',
	'servers.added': 'Added a server',
	'servers.removed': 'Removed a server',
	'coin.disabled': 'Disabled a coin',
	'coin.settings': 'Changed what swaps of a coin wait for',
	'address.imported': 'Imported an address',
	'address.listed': 'Had an address listed',
	'activation.begun': 'Started to activate a coin',
	'activation.cancel': 'Canceled an activation',
	'activation.active': 'Activated a coin',
	'activation.failed': 'Failed to activate a coin',
	'activation.cancelled': 'Canceled an activation',
	'activation.void': 'Lost an activation to a restart of the node',
	'activation.pin': 'Entered a PIN',
	'migration.drafted': 'Drafted a migration',
	'migration.confirmed': 'Confirmed a migration',
	'migration.approved': 'Approved an import',
	'migration.abandoned': 'Discarded a migration',
	'migration.discarded': 'Discarded a migration',
	'migration.retried': 'Retried a migration',
	'migration.opened': 'Recovered a burn',
	'migration.published': 'Published a burn for notary approval',
	'migration.withdrawn': 'Withdrew a published burn',
	'migration.burn-sent': 'Sent a burn',
	'migration.import-sent': 'Sent an import',
	'migration.done': 'Completed a migration',
	'backup.approval-given': 'Approved a burn as a notary',
	'approvals.queued': 'Built an approval queue',
	'approvals.confirmed': 'Confirmed approvals of a queue',
	'approvals.rebuilt': 'Built approvals of a queue again',
	'approvals.discarded': 'Discarded an approval queue',
	'call.refused': 'RPC call denied',
	'page.refused': 'Access denied',
	'audit.exported': 'Exported this log',
	'audit.dropped': 'Deleted old segments of this log',
	'archive.made': 'Made a backup',
	'archive.restored': 'Restored a backup',
	'password.rehashed': 'Renewed the stored hash of the password',
	'account.confirmed': 'Confirmed an account that was changed outside of Komodeck',
	'access.requested': 'Requested access',
	'access.granted': 'Granted a request for access',
	'access.dismissed': 'Dismissed a request for access',
	'key.rotated': 'Replaced the secret key',
	'installation.begun': 'Began a new installation',
	'migration.retried-all': 'Retried all stopped migrations',
	'webhook.added': 'Added a webhook',
	'webhook.changed': 'Changed a webhook',
	'webhook.rotated': 'Replaced the secret of a webhook',
	'webhook.tested': 'Sent a test to a webhook',
	'webhook.enabled': 'Enabled a webhook',
	'webhook.disabled': 'Disabled a webhook',
	'webhook.removed': 'Removed a webhook',
	'notices.email-set': 'Confirmed an email address for notices',
	'notices.email-removed': 'Removed the email address for notices',
	'notices.browser-added': 'Turned on browser notifications',
	'notices.browser-removed': 'Turned off browser notifications',
	'audit.baseline': 'Recorded all rights as they stand',
	'audit.extended': 'Recorded the fee limits that earlier events name'
} as const;

/** Name of an event: an action with its own text, or a call of an RPC method. */
export type AuditAction = keyof typeof AUDIT_ACTION_WORDS | `rpc.${string}`;

const isWorded = (action: string): action is keyof typeof AUDIT_ACTION_WORDS =>
	Object.hasOwn(AUDIT_ACTION_WORDS, action);

/** Whether this release knows an action; another release may write others. */
export const isKnownAction = (action: string): boolean =>
	isWorded(action) || action.startsWith('rpc.');

/** Texts for calls that were denied by something other than the role. */
const DENIED_CALL_WORDS: Partial<Record<DeniedBy, string>> = {
	limit: 'Blocked by spending limit',
	policy: 'Blocked by the policies',
	safety: 'Blocked by safety control'
};

interface Acted {
	actor: string;
	action: string;
	target: string | null;
	deniedBy: DeniedBy | null;
}

/** Returns a phrase for the action, without its subject. Actions of early releases are included. */
export function auditActionWords({ actor, action, target, deniedBy }: Readonly<Acted>): string {
	if (action === 'account.added' && actor === target) return 'Joined';
	const denied = action === 'call.refused' && deniedBy !== null && DENIED_CALL_WORDS[deniedBy];
	if (denied) return denied;
	if (isWorded(action)) return AUDIT_ACTION_WORDS[action];
	if (action.startsWith('rpc.')) return `Called ${action.slice('rpc.'.length)}`;
	const words = action.replace(/[.-]+/g, ' ').trim();
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns the options of the filter by action, as code and text, in the order of their texts. Actions with the
 * same text are told apart by their code.
 * @param given the action that is filtered by, which may be none of the list; empty for none
 */
export function auditActionChoices(given: string): [action: string, text: string][] {
	const worded: [string, string][] = Object.entries(AUDIT_ACTION_WORDS);
	const texts = worded.map(([, text]) => text);
	const isTwice = (text: string): boolean => texts.indexOf(text) !== texts.lastIndexOf(text);
	const choices = worded.map(([action, text]): [string, string] => [
		action,
		isTwice(text) ? `${text} (${action})` : text
	]);
	if (given !== '' && !isWorded(given)) {
		const facts = { actor: '', action: given, target: null, deniedBy: null };
		choices.push([given, auditActionWords(facts)]);
	}
	return choices.toSorted(([, a], [, b]) => a.localeCompare(b, 'en'));
}

/**
 * Returns the name of the actor: a member, or the product's name for its own actions. No member can have that
 * name.
 */
export const auditActorWords = (actor: string): string =>
	actor === 'engine' ? PRODUCT.name : actor;

/** Returns the stored name for one that {@link auditActorWords} displays, as typed into the filter. */
export const storedActor = (shown: string): string => (shown === PRODUCT.name ? 'engine' : shown);
