/** What cannot be undone, and what it ends: shown before it is done. */
export const IRREVERSIBLE = {
	'disable-account': {
		title: 'Disable account',
		text: 'All sessions of the account end, and its API tokens are revoked. The account can be enabled again; the tokens cannot.'
	},
	'reset-factors': {
		title: 'Reset second factor',
		text: 'All factors and recovery codes of the account are removed, and all its sessions end. They cannot be restored: the member sets up a new factor.'
	},
	'revoke-token': {
		title: 'Revoke API token',
		text: 'Every script that uses the API token is refused from then on. A revoked token cannot be restored.'
	},
	'replace-token': {
		title: 'Replace API token',
		text: 'A new API token is created, and the old one is revoked at the time that you chose. A revoked token cannot be restored.'
	},
	'unlink-sign-on': {
		title: 'Unlink single sign-on',
		text: 'It no longer logs in here, and the sessions that began with it end. Only the member can link it again.'
	},
	'remove-factor': {
		title: 'Remove second factor',
		text: 'It no longer works here and cannot be restored, only set up anew. With the last factor, the recovery codes are removed too, and your account opens without a second factor.'
	},
	'replace-codes': {
		title: 'Replace recovery codes',
		text: 'All recovery codes that you have now stop working. The new ones are shown once.'
	},
	'revoke-invitation': {
		title: 'Revoke invitation',
		text: 'The link that was sent no longer works. A new invitation has a new link, which must be sent again.'
	},
	'remove-webhook': {
		title: 'Remove webhook',
		text: 'Its secret is deleted, and notices that wait for it are not delivered. A new webhook for the same address has a new secret.'
	},
	'remove-rule': {
		title: 'Remove rule',
		text: 'What the rule denied, allowed or held for approval is decided by the other rules and limits from then on. Where changes need approval, this happens once it is approved. The rule cannot be restored, only added again.'
	},
	'remove-limit': {
		title: 'Remove spending limit',
		text: 'It no longer stops anything; a default limit applies where there is one. Where changes need approval, this happens once it is approved. The limit cannot be restored, only set again.'
	},
	'remove-fee-limit': {
		title: 'Remove fee limit',
		text: 'The default maximum fee applies from then on. The limit cannot be restored, only set again.'
	},
	'remove-entry': {
		title: 'Remove entry',
		text: 'The label and its note disappear from every page of your team. They cannot be restored, only added again.'
	},
	'disconnect-signer': {
		title: 'Disconnect remote signer',
		text: 'Coins that were activated with it can no longer sign. The connection cannot be restored: the signer must connect anew.'
	}
} as const satisfies Readonly<Record<string, { title: string; text: string }>>;

/** Stable code of something that cannot be undone. */
export type IrreversibleAct = keyof typeof IRREVERSIBLE;

/** Returns the title of an act, with the name of what it is about; an empty name is left out. */
export const actTitle = (title: string, named: string): string =>
	named === '' ? title : `${title}: ${named}`;
