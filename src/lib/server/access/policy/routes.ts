import type { IrreversibleAct } from '#lib/messages/irreversible.ts';
import type { Access } from './permissions.ts';

/**
 * Who may use a route with a method:
 * - an access class: callers whose role has it (`accessByRole`), by session or by an unlimited token; `read`
 *   also a visitor where browsing is public;
 * - `anyone`: no sign-in needed;
 * - `anonymous`: any request from anywhere, from another site's page too, and always as a visitor: neither a
 *   session nor a token is read;
 * - `member`: any account, by session or by an unlimited token, but never a visitor: data about the team, its
 *   machines and its wallets, which is not public chain data;
 * - `own-session`: any account, by session only: matters of the account's own sign-in are not for scripts;
 * - `label`: a role that may build, by session only: members choose recipients by the team's labels;
 * - `administer`: an admin, by session only, who confirmed recently: members, roles, wallets, limits, safety
 *   controls and the audit log are neither for scripts nor for a stranger at an unlocked browser.
 */
export type Who =
	| Exclude<Access, 'never'>
	| 'anyone'
	| 'anonymous'
	| 'member'
	| 'own-session'
	| 'label'
	| 'administer';

/** GET covers HEAD. A method without an entry is refused. */
export interface RouteAccess {
	readonly GET?: Who;
	readonly POST?: Who;
}

/**
 * Every route. `src/hooks.server.ts` checks this table against the route ids that SvelteKit generates, so a
 * route without an entry does not compile; a unit test walks `src/routes` and compares both ways, methods
 * included.
 */
export const routes = {
	'/': { GET: 'read', POST: 'own-session' },
	'/account': { GET: 'own-session', POST: 'own-session' },
	'/account/access': { GET: 'own-session', POST: 'own-session' },
	'/account/events': { GET: 'own-session' },
	'/account/factors': { GET: 'own-session', POST: 'own-session' },
	'/account/notifications': { GET: 'own-session', POST: 'own-session' },
	// The team's labels are for members, viewers included, and not for visitors.
	'/address-book': { GET: 'own-session', POST: 'label' },
	'/address-book/[id]': { GET: 'own-session', POST: 'label' },
	'/address-book/address-book.csv': { GET: 'own-session' },
	'/admin': {},
	'/admin/audit': { GET: 'administer', POST: 'administer' },
	'/admin/audit/[file]': { GET: 'administer' },
	// Shows paths of files on the server, and calls whatever the entered addresses name.
	'/admin/connect-daemons': { GET: 'administer' },
	'/admin/members': { GET: 'administer', POST: 'administer' },
	'/admin/members/[id]': { GET: 'administer', POST: 'administer' },
	'/admin/policies': { GET: 'administer', POST: 'administer' },
	'/admin/policies/[id]': { GET: 'administer', POST: 'administer' },
	'/admin/policies/limits': { GET: 'administer', POST: 'administer' },
	'/admin/notifications': { GET: 'administer', POST: 'administer' },
	'/admin/safety': { GET: 'administer', POST: 'administer' },
	'/admin/security': { GET: 'administer', POST: 'administer' },
	'/api': {},
	'/api/events': { GET: 'read' },
	'/api/notary-approvals': {},
	'/api/notary-approvals/[txid]': { GET: 'anyone', POST: 'anonymous' },
	'/api/notary-approvals.json': { GET: 'anyone' },
	'/api/openapi.json': { GET: 'read' },
	'/api/openrpc-kdf.json': { GET: 'read' },
	'/api/openrpc.json': { GET: 'read' },
	'/api/search': { GET: 'read' },
	'/api/v1': {},
	'/api/v1/[...rest]': { GET: 'read' },
	'/api/v1/[file]': { GET: 'read' },
	'/api/v1/chains': {},
	'/api/v1/chains/[chain]': {},
	'/api/v1/chains/[chain]/[file]': { GET: 'read' },
	'/api/v1/chains/[chain]/addresses': {},
	'/api/v1/chains/[chain]/addresses/[address]': { GET: 'read' },
	'/api/v1/chains/[chain]/blocks': {},
	'/api/v1/chains/[chain]/blocks/[id]': { GET: 'read' },
	'/api/v1/chains/[chain]/tokens': {},
	'/api/v1/chains/[chain]/tokens/[tokenid]': { GET: 'read' },
	'/api/v1/chains/[chain]/tx': {},
	'/api/v1/chains/[chain]/tx/[txid]': { GET: 'read' },
	'/approvals': { GET: 'own-session' },
	// The request itself decides who may approve it; scripts never may.
	'/approvals/[id]': { GET: 'own-session', POST: 'own-session' },
	// Changes of members' rights are for admins, who confirm their identity again.
	'/approvals/changes': {},
	'/approvals/changes/[id]': { GET: 'administer', POST: 'administer' },
	'/approvals/approvals.[form]': { GET: 'own-session' },
	'/chains': {},
	'/chains/[chain]': { GET: 'read' },
	'/chains/[chain]/address': {},
	'/chains/[chain]/address/[address]': { GET: 'read' },
	'/chains/[chain]/addresses': { GET: 'read' },
	'/chains/[chain]/block': {},
	'/chains/[chain]/block/[id]': { GET: 'read' },
	'/chains/[chain]/blocks': { GET: 'read' },
	'/chains/[chain]/burns': { GET: 'build' },
	'/chains/[chain]/consolidate': { GET: 'build' },
	'/chains/[chain]/imports': { GET: 'read' },
	// Pauses the index that the whole team reads, or rebuilds it.
	'/chains/[chain]/indexing': { GET: 'administer', POST: 'administer' },
	'/chains/[chain]/mempool': { GET: 'read' },
	'/chains/[chain]/mom': { GET: 'read' },
	'/chains/[chain]/momom': { GET: 'read' },
	'/chains/[chain]/notarizations': { GET: 'read' },
	'/chains/[chain]/notarizations/[txid]': { GET: 'read' },
	'/chains/[chain]/proof': { GET: 'read', POST: 'read' },
	'/chains/[chain]/proof/[txid]': { GET: 'read' },
	'/chains/[chain]/self-import': { GET: 'build', POST: 'build' },
	'/chains/[chain]/self-import/[id]': { GET: 'build', POST: 'broadcast' },
	'/chains/[chain]/token': {},
	'/chains/[chain]/token/[tokenid]': { GET: 'read' },
	'/chains/[chain]/token/[tokenid]/batch-transfer': { GET: 'build', POST: 'build' },
	'/chains/[chain]/token/[tokenid]/batch-transfer/[id]': { GET: 'build', POST: 'broadcast' },
	'/chains/[chain]/token/[tokenid]/burn': { GET: 'build', POST: 'build' },
	// The decimals determine which amounts members confirm.
	'/chains/[chain]/token/[tokenid]/decimals': { GET: 'administer', POST: 'administer' },
	'/chains/[chain]/token/[tokenid]/transfer': { GET: 'build', POST: 'build' },
	'/chains/[chain]/tokens': { GET: 'read' },
	'/chains/[chain]/tokens/new': { GET: 'build', POST: 'build' },
	'/chains/[chain]/tokens/new/confusables': { GET: 'build' },
	'/chains/[chain]/transactions': { GET: 'read' },
	'/chains/[chain]/transfers': { GET: 'read' },
	'/chains/[chain]/wallet': { GET: 'build' },
	'/chains/[chain]/tx': {},
	'/chains/[chain]/tx/[txid]': { GET: 'read' },
	// Where the password or second factor is asked for again before an action that needs it.
	'/confirm': { GET: 'own-session', POST: 'own-session' },
	// A member's own calls. The registry decides which methods are allowed on each call, as for the RPC API.
	'/console': { GET: 'own-session', POST: 'own-session' },
	'/console/[method]': { GET: 'own-session', POST: 'own-session' },
	'/console/further': {},
	'/console/further/[method]': { GET: 'own-session', POST: 'own-session' },
	'/console/kdf': {},
	'/console/kdf/[method]': { GET: 'own-session', POST: 'own-session' },
	'/daemons': { GET: 'member' },
	'/daemons/[id]': { GET: 'member' },
	'/decode': { GET: 'read', POST: 'read' },
	'/denied': { GET: 'anyone' },
	// The page exists only on devnet.
	'/devnet': { GET: 'member', POST: 'administer' },
	// Texts about the product only, also for members who cannot log in.
	'/help': { GET: 'anyone' },
	'/help/[topic]': { GET: 'anyone' },
	'/help/errors': { GET: 'anyone' },
	'/help/glossary': { GET: 'anyone' },
	'/join': { GET: 'anyone', POST: 'anyone' },
	// These pages check themselves which of their actions need an admin.
	'/kdf': { GET: 'member', POST: 'activate' },
	'/kdf/[coin]': { GET: 'member', POST: 'activate' },
	'/kdf/[coin]/addresses.csv': { GET: 'member' },
	'/kdf/servers': { GET: 'administer', POST: 'administer' },
	'/kdf/sign': { GET: 'sign', POST: 'sign' },
	'/kdf/signers': { GET: 'activate', POST: 'administer' },
	'/kdf/tasks': {},
	'/kdf/tasks/[id]': { GET: 'member', POST: 'activate' },
	'/kdf/tasks/[id]/addresses.csv': { GET: 'member' },
	// Any receiver of the link can verify a signature.
	'/kdf/verify': { GET: 'anyone', POST: 'anyone' },
	'/login': { GET: 'anyone', POST: 'anyone' },
	'/login/factor': { GET: 'anyone', POST: 'anyone' },
	// What a passkey signs: for a login, or to confirm a session.
	'/login/passkey': { POST: 'anyone' },
	// To the single sign-on provider and back; what happens there depends on the browser's flow and session.
	'/login/provider': { GET: 'anyone', POST: 'anyone' },
	'/login/provider/callback': { GET: 'anyone' },
	'/login/provider/continue': { GET: 'anyone' },
	// Called by the provider itself; its signed token says what it may do.
	'/login/provider/logout': { POST: 'anonymous' },
	'/logout': { POST: 'anyone' },
	// Shows what runs where, and how busy it is: only for admins. Monitoring reads it, so an admin's API
	// token may.
	'/metrics': { GET: 'admin' },
	'/migrations': { GET: 'member', POST: 'broadcast' },
	'/migrations/[id]': { GET: 'member', POST: 'broadcast' },
	'/migrations/[id]/recovery.json': { GET: 'build' },
	'/migrations/migrations.[form]': { GET: 'member' },
	'/migrations/new': { GET: 'build', POST: 'build' },
	'/migrations/new/custom': { GET: 'build', POST: 'build' },
	'/migrations/new/token': { GET: 'build', POST: 'build' },
	'/migrations/recover': { GET: 'broadcast', POST: 'broadcast' },
	// A burn is published on purpose, also where browsing is not public.
	'/notary-approvals': { GET: 'anyone' },
	'/notary-approvals/[txid]': { GET: 'anyone', POST: 'anyone' },
	'/notary-approvals/[txid]/approve': { GET: 'notary', POST: 'notary' },
	'/notary-approvals/queue': { GET: 'notary', POST: 'notary' },
	'/notary-approvals/queue/[id]': { GET: 'notary', POST: 'notary' },
	// A member's own notices, which are for that member alone.
	'/notifications': { GET: 'own-session', POST: 'own-session' },
	'/reconciliation': { GET: 'read' },
	'/routes': { GET: 'read' },
	'/search': { GET: 'read' },
	'/setup': { GET: 'anyone', POST: 'anyone' },
	'/theme': { POST: 'anyone' },
	// A review holds signed bytes that are not sent yet.
	'/transactions': { GET: 'build' },
	'/transactions/[id]': { GET: 'build', POST: 'broadcast' },
	'/transactions/transactions.[form]': { GET: 'build' },
	'/transfers': { GET: 'read' },
	// What a wallet holds is for members who may use it, which its pages check themselves.
	'/wallets': { GET: 'build' },
	'/wallets/[id]': { GET: 'build', POST: 'build' },
	'/wallets/[id]/[file]': { GET: 'build' },
	'/wallets/[id]/consolidate': { GET: 'build', POST: 'build' },
	'/wallets/[id]/history': { GET: 'build' },
	'/wallets/[id]/send': { GET: 'build', POST: 'build' },
	'/wallets/[id]/split': { GET: 'build', POST: 'build' }
} as const satisfies Record<string, RouteAccess>;

/**
 * Who must confirm their identity again before an action, by session:
 * - `everybody`: every caller, as for `administer`, by the second factor or, without one, by the password; no
 *   API token may;
 * - `with-factor`: members who have a second factor; others and API tokens proceed as the route allows;
 * - `session-with-factor`: like `with-factor`, but no API token may: an approval is a member's own;
 * - `writes-with-factor`: like `with-factor`, if the method in the address can change something.
 */
export type StepUp = 'everybody' | 'with-factor' | 'session-with-factor' | 'writes-with-factor';

/**
 * Form actions that demand more than their route; `default` is the unnamed action. A new API token and an
 * address for notices outlive the session that makes them; of a trading node, those of `everybody` are checked for
 * an admin by their page; what is sent to a chain cannot be taken back.
 */
export const confirmedActions: Readonly<Record<string, Readonly<Record<string, StepUp>>>> = {
	'/account': {
		createToken: 'everybody',
		replaceToken: 'everybody',
		link: 'everybody',
		unlink: 'everybody',
		password: 'with-factor'
	},
	'/account/factors': {
		beginTotp: 'everybody',
		addTotp: 'everybody',
		beginPasskey: 'everybody',
		addPasskey: 'everybody',
		rename: 'everybody',
		remove: 'everybody',
		renewCodes: 'everybody'
	},
	// A stolen session must not be able to silence notices about its use, or redirect them: a browser that is turned on
	// replaces the one of the same session.
	'/account/notifications': {
		save: 'everybody',
		verify: 'everybody',
		removeEmail: 'everybody',
		turnOn: 'everybody',
		turnOff: 'everybody'
	},
	'/approvals/[id]': { approve: 'with-factor', reject: 'with-factor' },
	'/chains/[chain]/self-import/[id]': { send: 'with-factor', import: 'with-factor' },
	'/chains/[chain]/token/[tokenid]/batch-transfer/[id]': {
		confirm: 'with-factor',
		goOn: 'with-factor',
		retry: 'with-factor'
	},
	'/console/[method]': { default: 'writes-with-factor' },
	'/console/further/[method]': { default: 'writes-with-factor' },
	'/console/kdf/[method]': { default: 'writes-with-factor' },
	'/kdf': { confirm: 'everybody', device: 'with-factor' },
	'/kdf/[coin]': {
		activate: 'with-factor',
		disable: 'everybody',
		import: 'everybody',
		swaps: 'everybody'
	},
	'/kdf/sign': { sign: 'with-factor' },
	// Where the PIN of a hardware wallet is entered.
	'/kdf/tasks/[id]': { repeat: 'with-factor', take: 'with-factor', answer: 'with-factor' },
	'/migrations': { retryAll: 'with-factor' },
	'/migrations/[id]': {
		confirm: 'with-factor',
		approve: 'session-with-factor',
		publish: 'with-factor',
		retry: 'with-factor'
	},
	'/migrations/recover': { default: 'with-factor' },
	'/notary-approvals/[txid]/approve': { build: 'with-factor' },
	'/notary-approvals/queue/[id]': { send: 'with-factor', again: 'with-factor' },
	'/transactions/[id]': { send: 'with-factor' }
} satisfies { readonly [route in keyof typeof routes]?: Readonly<Record<string, StepUp>> };

/**
 * Form actions that cannot be undone. A form that does not say that it is meant is not executed: the member is
 * shown first what would be lost.
 */
export const irreversibleActions: Readonly<
	Record<string, Readonly<Record<string, IrreversibleAct>>>
> = {
	'/account': {
		replaceToken: 'replace-token',
		revokeToken: 'revoke-token',
		unlink: 'unlink-sign-on'
	},
	'/account/factors': { remove: 'remove-factor', renewCodes: 'replace-codes' },
	'/address-book/[id]': { remove: 'remove-entry' },
	'/admin/members': { takeBack: 'revoke-invitation' },
	'/admin/members/[id]': {
		disable: 'disable-account',
		resetFactors: 'reset-factors',
		revokeToken: 'revoke-token',
		unlink: 'unlink-sign-on'
	},
	'/admin/notifications': { remove: 'remove-webhook' },
	'/admin/policies': { remove: 'remove-rule' },
	'/admin/policies/limits': { remove: 'remove-limit', removeFee: 'remove-fee-limit' },
	'/kdf/signers': { end: 'disconnect-signer' }
} satisfies { readonly [route in keyof typeof routes]?: Readonly<Record<string, IrreversibleAct>> };
