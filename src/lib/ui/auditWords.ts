/** The audit log in plain words: its kinds, outcomes and acts. */

export const AUDIT_KIND_WORDS: Readonly<Record<string, string>> = {
	'sign-in': 'logging in',
	people: 'people',
	tokens: 'API tokens',
	switches: 'switches',
	settings: 'settings',
	sends: 'transactions',
	migrations: 'migrations',
	approvals: 'approvals',
	trading: 'trading node',
	calls: 'calls by hand',
	access: 'refused access',
	log: 'this log',
	other: 'other'
};

export const AUDIT_OUTCOME_WORDS: Readonly<Record<string, string>> = {
	done: 'done',
	asked: 'asked',
	refused: 'refused',
	failed: 'failed'
};

const ACTION_WORDS: Readonly<Record<string, string>> = {
	'sign-in': 'logged in',
	'sign-in.refused': 'was not let in',
	'sign-out': 'logged out',
	'session.ended': 'ended a session',
	'session.others-ended': 'ended the other sessions',
	'sessions.ended': 'ended all sessions of',
	'password.changed': 'changed the password',
	'password.reset-made': 'made a link for a new password of',
	'password.reset': 'set a new password by a link',
	'account.added': 'added the account',
	'account.role-changed': 'changed the role of',
	'account.disabled': 'disabled',
	'account.enabled': 'enabled',
	'work.handed-over': 'handed over open work',
	'wallets.changed': 'changed the wallets of',
	'limit.changed': 'changed a daily limit',
	'invitation.made': 'invited somebody',
	'invitation.taken-back': 'took back an invitation',
	'token.created': 'made an API token',
	'token.revoked': 'revoked an API token',
	'token.decimals': 'set the decimals of a token',
	'switch.thrown': 'threw the switch',
	'switch.lifted': 'lifted the switch',
	'send.reviewed': 'built a transaction',
	'send.sent': 'sent a transaction',
	'send.discarded': 'discarded a transaction',
	'series.reviewed': 'built a series of transfers',
	'draft.kept': 'kept a draft',
	'draft.removed': 'removed a draft',
	'book.added': 'added to the address book',
	'book.changed': 'changed the address book',
	'book.removed': 'removed from the address book',
	'node.confirmed': 'confirmed the password of a trading node',
	'servers.added': 'added a server',
	'servers.removed': 'removed a server',
	'coin.disabled': 'disabled a coin',
	'address.imported': 'imported an address',
	'activation.begun': 'began to activate a coin',
	'activation.cancel': 'gave up an activation',
	'activation.pin': 'entered a PIN',
	'migration.drafted': 'drafted a migration',
	'migration.confirmed': 'confirmed a migration',
	'migration.approved': 'approved an import',
	'migration.abandoned': 'abandoned a migration',
	'migration.retried': 'tried a migration again',
	'migration.opened': 'took up a burn made elsewhere',
	'migration.published': 'published a burn',
	'migration.withdrawn': 'withdrew a published burn',
	'migration.burn-sent': 'sent a burn',
	'migration.import-sent': 'sent an import',
	'migration.done': 'finished a migration',
	'backup.approval-given': 'gave the id of an approval',
	'call.refused': 'was refused to call',
	'page.refused': 'was refused at',
	'audit.exported': 'exported this log',
	'audit.dropped': 'dropped old segments of this log',
	'archive.made': 'made a backup',
	'archive.restored': 'restored a backup'
};

/** What was done, after the name of who did it. */
export function auditActionWords(action: string): string {
	if (Object.hasOwn(ACTION_WORDS, action)) return ACTION_WORDS[action]!;
	return action.startsWith('rpc.') ? `called ${action.slice('rpc.'.length)}` : action;
}
