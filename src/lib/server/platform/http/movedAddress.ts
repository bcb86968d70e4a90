/** Former addresses of pages and of the API, with their replacements; the first match wins. */
export const MOVED_ADDRESSES: readonly (readonly [before: string, now: string])[] = [
	['/account/acts', '/account/events'],
	['/admin/limits', '/admin/policies/limits'],
	['/admin/people', '/admin/members'],
	['/admin/spending-limits', '/admin/policies'],
	['/admin/switches', '/admin/safety'],
	['/api/backup', '/api/notary-approvals'],
	['/api/openrpc-node.json', '/api/openrpc-kdf.json'],
	['/api/v1/crossings', '/api/v1/transfers'],
	['/api/v1/ledger', '/api/v1/reconciliation'],
	['/api/v1/map', '/api/v1/routes'],
	['/backup', '/notary-approvals'],
	['/book/book.csv', '/address-book/address-book.csv'],
	['/book', '/address-book'],
	['/console/node', '/console/kdf'],
	['/crossings', '/transfers'],
	['/ledger', '/reconciliation'],
	['/map', '/routes'],
	['/migrations/[id]/capsule.json', '/migrations/[id]/recovery.json'],
	['/migrations/open', '/migrations/recover'],
	['/sends', '/transactions'],
	['/trading', '/kdf'],
	['/[chain]/crossings', '/chains/[chain]/transfers'],
	['/[chain]/merge', '/chains/[chain]/consolidate'],
	['/[chain]/token/[tokenid]/transfer/many', '/chains/[chain]/token/[tokenid]/batch-transfer'],
	['/[chain]/tokens/new/alike', '/chains/[chain]/tokens/new/confusables'],
	['/[chain]', '/chains/[chain]']
];

/** Truncated addresses, as people edit them to go up a level, with the page that lists what is below. */
const CUT_SHORT: readonly (readonly [short: string, list: string])[] = [
	['/admin', '/admin/members'],
	['/chains', '/'],
	['/chains/[chain]/address', '/chains/[chain]/addresses'],
	['/chains/[chain]/block', '/chains/[chain]/blocks'],
	['/chains/[chain]/token', '/chains/[chain]/tokens'],
	['/chains/[chain]/tx', '/chains/[chain]/transactions'],
	['/kdf/tasks', '/kdf']
];

const PARAMETER = /\[\w+\]/g;

function ruleOf(before: string, now: string, end: string) {
	const pattern = before.replaceAll('.', '\\.').replaceAll(PARAMETER, '([^/]+)');
	let count = 0;
	return {
		pattern: new RegExp(`^${pattern}${end}`),
		now: now.replaceAll(PARAMETER, () => `$${++count}`),
		ofChain: before.startsWith('/[chain]')
	};
}

const rules = [
	...CUT_SHORT.map(([short, list]) => ruleOf(short, list, '/?$')),
	// Addresses below the former one, and its file variants, moved along.
	...MOVED_ADDRESSES.map(([before, now]) => ruleOf(before, now, '(?=[/.]|$)'))
];

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/**
 * Returns the current address for a former or truncated path; null when there is none. The result starts with a
 * path of these tables, so it cannot lead to another host.
 *
 * @param path the requested path, without its query
 * @param isChain whether a former address that begins with this name was a page of a chain
 */
export function movedAddress(path: string, isChain: (name: string) => boolean): string | null {
	for (const { pattern, now, ofChain } of rules) {
		const found = pattern.exec(path);
		if (found === null || (ofChain && !isChain(decoded(found[1]!)))) continue;
		return path.replace(pattern, now);
	}
	return null;
}

/**
 * Returns the current address of a chain's page that used to be at `/NAME`. A visitor without read access is
 * sent to the sign-in for every name, so that the response does not reveal which chains are configured.
 *
 * @param path a path that matches no route
 * @param chains the names of the configured chains
 */
export function movedChainPage(
	path: string,
	chains: readonly string[],
	mayRead: boolean
): { to: string } | 'sign-in' | null {
	const to = movedAddress(path, (name) => !mayRead || chains.includes(name));
	if (to === null) return null;
	return mayRead ? { to } : 'sign-in';
}
