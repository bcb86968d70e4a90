/** Addresses of pages and of the API as they were, with those that they have now; the first that fits counts. */
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

/** Addresses that people cut short to go up, each with the page that lists what stood below it. */
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
	// What stands below the address, or is a file of it, moved with it.
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
 * The address that a path of before has now, or one that was cut short; null when it has not moved. It always begins with a first part of
 * this table, so it leads to no other host.
 *
 * @param path as it was asked for, without its query
 * @param isChain whether an address that begins with this name was one of a chain's pages
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
 * Where a page of a chain has gone, which stood at `/NAME`. Whoever may not read is to sign in for every name,
 * and learns from the answer none of those that are configured.
 *
 * @param path one that no route has now
 * @param chains the names of those that are configured
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
