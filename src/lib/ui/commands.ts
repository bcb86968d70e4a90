/** What the command palette offers beside search: pages to go to and things to do. */

export interface Command {
	words: string;
	/** The chain that it concerns. */
	chain?: string;
	/** Where it leads; an action that changes something is posted. */
	to: { href: string } | { post: string; fields: Readonly<Record<string, string>> };
	kind: 'page' | 'action';
}

/** What the person may do; routes decide for themselves. */
export interface May {
	build: boolean;
	broadcast: boolean;
	sign: boolean;
	admin: boolean;
}

const page = (words: string, href: string, chain?: string): Command => ({
	words,
	to: { href },
	kind: 'page',
	...(chain === undefined ? {} : { chain })
});
const action = (words: string, href: string, chain?: string): Command => ({
	...page(words, href, chain),
	kind: 'action'
});

/** @param path the page's own path, where a change of colours returns */
export function commandsFor(
	chains: readonly string[],
	account: { name: string } | null,
	may: May,
	path: string
): Command[] {
	const at = (chain: string, rest = ''): string => `/chains/${encodeURIComponent(chain)}${rest}`;
	const theme = (words: string, value: string): Command => ({
		words,
		to: { post: '/theme', fields: { theme: value, to: path } },
		kind: 'action'
	});
	return [
		page('Overview', '/'),
		...chains.flatMap((chain) => [
			page('Chain overview', at(chain), chain),
			page('Blocks', at(chain, '/blocks'), chain),
			page('Tokens', at(chain, '/tokens'), chain),
			page('Notarizations', at(chain, '/notarizations'), chain),
			page('Transfers', at(chain, '/transfers'), chain),
			page('Check a proof', at(chain, '/proof'), chain),
			page('MoM calculator', at(chain, '/mom'), chain),
			page('Addresses by balance', at(chain, '/addresses'), chain),
			page('Imports by block', at(chain, '/imports'), chain)
		]),
		page('Notary approvals', '/notary-approvals'),
		page('Transfers of all chains', '/transfers'),
		page('Routes', '/routes'),
		page('Reconciliation', '/reconciliation'),
		page('Verify a signed message', '/kdf/verify'),
		page('Decode a transaction', '/decode'),
		...(may.build ? [page('Transactions', '/transactions')] : []),
		...(account === null
			? []
			: [
					page('Migrations', '/migrations'),
					page('Trading node: coins', '/kdf'),
					page('Daemons', '/daemons'),
					page('Address book', '/address-book'),
					page('Console: call a method', '/console')
				]),
		...(may.admin
			? [
					page('Members', '/admin/members'),
					page('Spending limits', '/admin/spending-limits'),
					page('Safety controls', '/admin/safety'),
					page('Audit log', '/admin/audit')
				]
			: []),
		...(account === null ? [page('Log in', '/login')] : [page('Account', '/account')]),
		...(may.build
			? [
					action('Start a migration', '/migrations/new'),
					action('Migrate a token', '/migrations/new/token'),
					action('Migrate selected UTXOs', '/migrations/new/custom'),
					...chains.flatMap((chain) => [
						action('Create a token', at(chain, '/tokens/new'), chain),
						action('Merge outputs of the wallet', at(chain, '/consolidate'), chain),
						page('Burns of a wallet', at(chain, '/burns'), chain),
						action('Create coins by a self-import', at(chain, '/self-import'), chain)
					])
				]
			: []),
		...(may.sign ? [action('Sign a message', '/kdf/sign')] : []),
		...(may.broadcast ? [action('Take up a burn made elsewhere', '/migrations/recover')] : []),
		theme('Light colours', 'light'),
		theme('Dark colours', 'dark'),
		theme('Colours as the system', 'system'),
		...(account === null
			? []
			: [
					{
						words: 'Log out',
						to: { post: '/logout', fields: {} },
						kind: 'action'
					} as const satisfies Command
				])
	];
}

/** Those whose words or chain hold every word of the text, those that begin with it first. */
export function commandsLike(commands: readonly Command[], text: string): Command[] {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	const fullOf = ({ words: own, chain = '' }: Command): string => `${own} ${chain}`.toLowerCase();
	const first = words[0] ?? '';
	return commands
		.filter((command) => words.every((word) => fullOf(command).includes(word)))
		.toSorted((a, b) => Number(fullOf(b).startsWith(first)) - Number(fullOf(a).startsWith(first)));
}
