import type { Access } from './permissions.ts';

/**
 * Who may use a route with a method:
 * - an access class: who has it by role (`accessByRole`), by session or by an unlimited token;
 *   `read` also a visitor where browsing is public;
 * - `anyone`: no sign-in needed;
 * - `anonymous`: anybody from anywhere, another site's page included, and always as a visitor: neither a
 *   session nor a token is looked at;
 * - `member`: any account, by session or by an unlimited token, and never a visitor: what concerns the team, its
 *   machines and its wallets is no data of a chain;
 * - `person`: any account, by session only: what concerns one's own sign-in is not for scripts;
 * - `administer`: an admin, by session only, who confirmed a short while ago that it is still them: members,
 *   roles, wallets, limits, safety controls and the audit log are not for scripts, nor for whoever finds an
 *   open browser;
 */
export type Who =
	Exclude<Access, 'never'> | 'anyone' | 'anonymous' | 'member' | 'person' | 'administer';

/** GET covers HEAD. A method without an entry is refused. */
export interface RouteAccess {
	readonly GET?: Who;
	readonly POST?: Who;
}

/**
 * Every route. `src/hooks.server.ts` holds this table against the route ids that SvelteKit generates,
 * so that a route without an entry does not compile; a unit test walks `src/routes` and compares both
 * ways, methods included.
 */
export const routes = {
	'/': { GET: 'read', POST: 'person' },
	'/account': { GET: 'person', POST: 'person' },
	'/account/access': { GET: 'person', POST: 'person' },
	'/account/events': { GET: 'person' },
	'/account/factors': { GET: 'person', POST: 'person' },
	'/account/notifications': { GET: 'person', POST: 'person' },
	// What the team calls things is for its people, not for visitors; viewers read it.
	'/address-book': { GET: 'person', POST: 'build' },
	'/address-book/[id]': { GET: 'person', POST: 'build' },
	'/address-book/address-book.csv': { GET: 'person' },
	'/admin': {},
	'/admin/audit': { GET: 'administer', POST: 'administer' },
	'/admin/audit/[file]': { GET: 'administer' },
	// Paths of files on the server, and calls to whatever their addresses name.
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
	'/approvals': { GET: 'person' },
	// Who may approve, the request itself says; a script never does.
	'/approvals/[id]': { GET: 'person', POST: 'person' },
	// How members get rights is for admins, who confirm that it is still them.
	'/approvals/changes': {},
	'/approvals/changes/[id]': { GET: 'administer', POST: 'administer' },
	'/approvals/approvals.[form]': { GET: 'person' },
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
	// What the whole team reads stands still or is read again.
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
	// How amounts are shown decides what people confirm.
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
	// Where the password is typed once more before what needs it.
	'/confirm': { GET: 'person', POST: 'person' },
	// One's own calls; which methods, the registry decides on each call, as by the RPC API.
	'/console': { GET: 'person', POST: 'person' },
	'/console/[method]': { GET: 'person', POST: 'person' },
	'/console/further': {},
	'/console/further/[method]': { GET: 'person', POST: 'person' },
	'/console/kdf': {},
	'/console/kdf/[method]': { GET: 'person', POST: 'person' },
	'/daemons': { GET: 'member' },
	'/daemons/[id]': { GET: 'member' },
	'/decode': { GET: 'read', POST: 'read' },
	'/denied': { GET: 'anyone' },
	// The page itself is not there where the daemons are real.
	'/devnet': { GET: 'member', POST: 'administer' },
	// Words about the product alone, for whoever cannot log in, too.
	'/help': { GET: 'anyone' },
	'/help/[topic]': { GET: 'anyone' },
	'/help/errors': { GET: 'anyone' },
	'/help/glossary': { GET: 'anyone' },
	'/join': { GET: 'anyone', POST: 'anyone' },
	// What only admins may do on them the pages ask themselves.
	'/kdf': { GET: 'member', POST: 'activate' },
	'/kdf/[coin]': { GET: 'member', POST: 'activate' },
	'/kdf/[coin]/addresses.csv': { GET: 'member' },
	'/kdf/servers': { GET: 'administer', POST: 'administer' },
	'/kdf/sign': { GET: 'sign', POST: 'sign' },
	'/kdf/signers': { GET: 'activate', POST: 'administer' },
	'/kdf/tasks': {},
	'/kdf/tasks/[id]': { GET: 'member', POST: 'activate' },
	'/kdf/tasks/[id]/addresses.csv': { GET: 'member' },
	// A signature is checked by whoever was sent the link.
	'/kdf/verify': { GET: 'anyone', POST: 'anyone' },
	'/login': { GET: 'anyone', POST: 'anyone' },
	'/login/factor': { GET: 'anyone', POST: 'anyone' },
	// What a passkey signs: of whoever logs in, and, for a confirmation, of the session.
	'/login/passkey': { POST: 'anyone' },
	// To the provider of single sign-on and back; what is done there depends on the browser's flow and session.
	'/login/provider': { GET: 'anyone', POST: 'anyone' },
	'/login/provider/callback': { GET: 'anyone' },
	'/login/provider/continue': { GET: 'anyone' },
	// From the provider itself: what it may do is in its signed token.
	'/login/provider/logout': { POST: 'anonymous' },
	'/logout': { POST: 'anyone' },
	// What runs where, and how busy it is, is for those who look after it. Monitoring reads it, so a token may.
	'/metrics': { GET: 'admin' },
	'/migrations': { GET: 'member', POST: 'broadcast' },
	'/migrations/[id]': { GET: 'member', POST: 'broadcast' },
	'/migrations/[id]/recovery.json': { GET: 'build' },
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
	// One's own notices: what they are about is for the member alone.
	'/notifications': { GET: 'person', POST: 'person' },
	'/reconciliation': { GET: 'read' },
	'/routes': { GET: 'read' },
	'/search': { GET: 'read' },
	'/setup': { GET: 'anyone', POST: 'anyone' },
	'/theme': { POST: 'anyone' },
	// A review holds signed bytes that have not gone out yet.
	'/transactions': { GET: 'build' },
	'/transactions/[id]': { GET: 'build', POST: 'broadcast' },
	'/transactions/transactions.[form]': { GET: 'build' },
	'/transfers': { GET: 'read' },
	// What a wallet holds is for members who may use it, which its pages ask themselves.
	'/wallets': { GET: 'build' },
	'/wallets/[id]': { GET: 'build', POST: 'build' },
	'/wallets/[id]/[file]': { GET: 'build' },
	'/wallets/[id]/consolidate': { GET: 'build', POST: 'build' },
	'/wallets/[id]/history': { GET: 'build' },
	'/wallets/[id]/send': { GET: 'build', POST: 'build' },
	'/wallets/[id]/split': { GET: 'build', POST: 'build' }
} as const satisfies Record<string, RouteAccess>;

/**
 * Who confirms before an action, by session, that it is still them:
 * - `everybody`: as for `administer`, by the second factor or, without one, by the password; no token does it;
 * - `with-factor`: members who have a second factor; others and API tokens go on as the route lets them;
 * - `writes-with-factor`: the same where the method of the address can change something.
 */
export type StepUp = 'everybody' | 'with-factor' | 'writes-with-factor';

/**
 * Actions of forms that ask for more than their route; `default` is the one without a name. A new API token and an
 * address for notices outlive the session that makes them; the actions of a trading node are an admin's; what is sent
 * to a chain cannot be taken back.
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
	// Whoever has somebody's session must not silence the word of what they do with it, nor have it sent to themselves.
	'/account/notifications': {
		save: 'everybody',
		verify: 'everybody',
		removeEmail: 'everybody',
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
		approve: 'with-factor',
		publish: 'with-factor',
		retry: 'with-factor'
	},
	'/migrations/recover': { default: 'with-factor' },
	'/notary-approvals/[txid]/approve': { build: 'with-factor' },
	'/notary-approvals/queue/[id]': { send: 'with-factor', again: 'with-factor' },
	'/transactions/[id]': { send: 'with-factor' }
} satisfies { readonly [route in keyof typeof routes]?: Readonly<Record<string, StepUp>> };
