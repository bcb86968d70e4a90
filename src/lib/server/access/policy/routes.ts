import type { Access } from './permissions.ts';

/**
 * Who may use a route with a method:
 * - an access class: who has it by role (`accessByRole`), by session or by an unlimited token;
 *   `read` also a visitor where browsing is public;
 * - `anyone`: no sign-in needed;
 * - `stranger`: anybody from anywhere, another site's page included, and always as a visitor: neither a
 *   session nor a token is looked at;
 * - `member`: any account, by session or by an unlimited token, and never a visitor: what concerns the team, its
 *   machines and its wallets is no data of a chain;
 * - `person`: any account, by session only: what concerns one's own sign-in is not for scripts;
 * - `administer`: an admin, by session only, who confirmed a short while ago that it is still them: members,
 *   roles, wallets, limits, safety controls and the audit log are not for scripts, nor for whoever finds an
 *   open browser;
 */
export type Who =
	Exclude<Access, 'never'> | 'anyone' | 'stranger' | 'member' | 'person' | 'administer';

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
	'/': { GET: 'read' },
	'/[chain]': { GET: 'read' },
	'/[chain]/address': {},
	'/[chain]/address/[address]': { GET: 'read' },
	'/[chain]/addresses': { GET: 'read' },
	'/[chain]/block': {},
	'/[chain]/block/[id]': { GET: 'read' },
	'/[chain]/blocks': { GET: 'read' },
	'/[chain]/burns': { GET: 'build' },
	'/[chain]/crossings': { GET: 'read' },
	'/[chain]/imports': { GET: 'read' },
	'/[chain]/mempool': { GET: 'read' },
	'/[chain]/merge': { GET: 'build', POST: 'build' },
	'/[chain]/mom': { GET: 'read' },
	'/[chain]/momom': { GET: 'read' },
	'/[chain]/notarizations': { GET: 'read' },
	'/[chain]/notarizations/[txid]': { GET: 'read' },
	'/[chain]/proof': { GET: 'read', POST: 'read' },
	'/[chain]/proof/[txid]': { GET: 'read' },
	'/[chain]/self-import': { GET: 'build', POST: 'build' },
	'/[chain]/self-import/[id]': { GET: 'build', POST: 'broadcast' },
	'/[chain]/token': {},
	'/[chain]/token/[tokenid]': { GET: 'read' },
	'/[chain]/token/[tokenid]/burn': { GET: 'build', POST: 'build' },
	// How amounts are shown decides what people confirm.
	'/[chain]/token/[tokenid]/decimals': { GET: 'administer', POST: 'administer' },
	'/[chain]/token/[tokenid]/transfer': { GET: 'build', POST: 'build' },
	'/[chain]/token/[tokenid]/transfer/many': { GET: 'build', POST: 'build' },
	'/[chain]/token/[tokenid]/transfer/many/[id]': { GET: 'build', POST: 'broadcast' },
	'/[chain]/tokens': { GET: 'read' },
	'/[chain]/tokens/new': { GET: 'build', POST: 'build' },
	'/[chain]/tokens/new/alike': { GET: 'build' },
	'/[chain]/tx': {},
	'/[chain]/tx/[txid]': { GET: 'read' },
	'/account': { GET: 'person', POST: 'person' },
	'/account/acts': { GET: 'person' },
	'/admin': {},
	'/admin/audit': { GET: 'administer', POST: 'administer' },
	'/admin/audit/[file]': { GET: 'administer' },
	'/admin/limits': { GET: 'administer', POST: 'administer' },
	'/admin/people': { GET: 'administer', POST: 'administer' },
	'/admin/people/[id]': { GET: 'administer', POST: 'administer' },
	'/admin/switches': { GET: 'administer', POST: 'administer' },
	'/api': {},
	'/api/backup': {},
	'/api/backup.json': { GET: 'anyone' },
	'/api/backup/[txid]': { GET: 'anyone', POST: 'stranger' },
	'/api/events': { GET: 'read' },
	'/api/openapi.json': { GET: 'read' },
	'/api/openrpc-node.json': { GET: 'read' },
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
	// A burn is published on purpose, also where browsing is not public.
	'/backup': { GET: 'anyone' },
	'/backup/[txid]': { GET: 'anyone', POST: 'anyone' },
	'/backup/[txid]/approve': { GET: 'notary', POST: 'notary' },
	// What the team calls things is for its people, not for visitors; viewers read it.
	'/book': { GET: 'person', POST: 'build' },
	'/book/[id]': { GET: 'person', POST: 'build' },
	'/book/book.csv': { GET: 'person' },
	// Where the password is typed once more before what needs it.
	'/confirm': { GET: 'person', POST: 'person' },
	// One's own calls; which methods, the registry decides on each call, as by the RPC API.
	'/console': { GET: 'person', POST: 'person' },
	'/console/[method]': { GET: 'person', POST: 'person' },
	'/console/node': {},
	'/console/node/[method]': { GET: 'person', POST: 'person' },
	'/crossings': { GET: 'read' },
	'/daemons': { GET: 'member' },
	'/daemons/[id]': { GET: 'member' },
	'/decode': { GET: 'read', POST: 'read' },
	'/denied': { GET: 'anyone' },
	'/join': { GET: 'anyone', POST: 'anyone' },
	'/ledger': { GET: 'read' },
	'/login': { GET: 'anyone', POST: 'anyone' },
	'/logout': { POST: 'anyone' },
	'/map': { GET: 'read' },
	// What runs where, and how busy it is, is for those who look after it. Monitoring reads it, so a token may.
	'/metrics': { GET: 'admin' },
	'/migrations': { GET: 'member', POST: 'broadcast' },
	'/migrations/[id]': { GET: 'member', POST: 'broadcast' },
	'/migrations/[id]/capsule.json': { GET: 'build' },
	'/migrations/new': { GET: 'build', POST: 'build' },
	'/migrations/new/custom': { GET: 'build', POST: 'build' },
	'/migrations/new/token': { GET: 'build', POST: 'build' },
	'/migrations/open': { GET: 'broadcast', POST: 'broadcast' },
	'/search': { GET: 'read' },
	// A review holds signed bytes that have not gone out yet.
	'/sends': { GET: 'build' },
	'/sends/[id]': { GET: 'build', POST: 'broadcast' },
	'/setup': { GET: 'anyone', POST: 'anyone' },
	'/theme': { POST: 'anyone' },
	// What only admins may do on them the pages ask themselves.
	'/trading': { GET: 'member', POST: 'activate' },
	'/trading/[coin]': { GET: 'member', POST: 'activate' },
	'/trading/servers': { GET: 'administer', POST: 'administer' },
	'/trading/sign': { GET: 'sign', POST: 'sign' },
	'/trading/signers': { GET: 'activate', POST: 'administer' },
	'/trading/tasks': {},
	'/trading/tasks/[id]': { GET: 'member', POST: 'activate' },
	'/trading/tasks/[id]/addresses.csv': { GET: 'member' },
	// A signature is checked by whoever was sent the link.
	'/trading/verify': { GET: 'anyone' }
} as const satisfies Record<string, RouteAccess>;

/**
 * Named actions of forms that ask for more than their route: by session only, and confirmed as for `administer`.
 * A new API token outlives the session that makes it; the actions of a trading node are an admin's.
 */
export const confirmedActions: Readonly<Record<string, readonly string[]>> = {
	'/account': ['createToken'],
	'/trading': ['confirm'],
	'/trading/[coin]': ['disable', 'import']
} satisfies { readonly [route in keyof typeof routes]?: readonly string[] };
