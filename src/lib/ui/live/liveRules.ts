/** The events for open pages, and which pages each one concerns. */

/** Dependency key of the data for the frame around every page. */
export const FRAME = 'komodeck:frame';

export type LiveMessage =
	| { type: 'block'; chain: string }
	| { type: 'notarization'; chain: string; symbol: string }
	| { type: 'migration'; id: string }
	| { type: 'published' }
	| { type: 'activation'; id: string }
	| { type: 'chain'; chain: string }
	/** Safety controls, or the state of a daemon: shown around every page. */
	| { type: 'frame' }
	/** Open work of members: shown next to the page names. */
	| { type: 'team' }
	/** The member's own notices. */
	| { type: 'notices' }
	/** Missed events are unknown: everything displayed may be outdated. */
	| { type: 'reset' };

/** SvelteKit's route id and parameters of a page. */
interface LivePlace {
	route: string | null;
	params: Readonly<Record<string, string | undefined>>;
}

/** First path segments of pages that no event changes: forms, and personal pages. */
const QUIET_ROOTS: readonly string[] = [
	...[
		'account',
		'admin',
		'api',
		'address-book',
		'confirm',
		'console',
		'decode',
		'denied',
		'join',
		'login'
	],
	...['logout', 'metrics', 'search', 'setup', 'theme']
];
/** Last path segments of forms below a chain, a token or the migrations. */
const FORMS: readonly string[] = [
	'new',
	'token',
	'custom',
	'recover',
	'approve',
	'transfer',
	'burn',
	'decimals',
	'consolidate',
	'send',
	'split',
	'mom',
	'momom',
	'proof',
	'self-import'
];

/** Admin pages with lists that other members add to: requests for access, proposed changes. */
const OTHERS_FILL: readonly string[] = ['/admin/members', '/admin/policies'];

/**
 * Pages of trading nodes: the list of coins shows running activations, the page of an activation its own
 * steps; the others are forms.
 */
function concernsTrading(
	route: string,
	{ id }: LivePlace['params'],
	message: LiveMessage
): boolean {
	const about = message.type === 'activation' ? message.id : null;
	if (message.type !== 'reset' && about === null) return false;
	return route === '/kdf' || (route === '/kdf/tasks/[id]' && (about ?? id) === id);
}

/** Whether an event changes the frame around every page. */
export const concernsFrame = ({ type }: LiveMessage): boolean =>
	type === 'frame' || type === 'team' || type === 'notices';

/** Whether an event changes the content of a page. */
export function concerns({ route, params }: LivePlace, message: LiveMessage): boolean {
	if (route === null) return false;
	const parts = route.split('/').filter(Boolean);
	if (parts[0] === 'notifications') return message.type === 'notices' || message.type === 'reset';
	if (message.type === 'notices') return false;
	if (parts[0] === 'kdf') return concernsTrading(route, params, message);
	if (OTHERS_FILL.includes(route)) return message.type === 'team' || message.type === 'reset';
	if (QUIET_ROOTS.includes(parts[0] ?? '') || FORMS.includes(parts.at(-1) ?? '')) return false;
	if (message.type === 'reset') return true;
	if (message.type === 'team')
		return ['approvals', 'transactions', 'wallets', undefined].includes(parts[0]);
	// These pages show in their content that a daemon is unavailable; others show it in their frame only.
	if (message.type === 'frame')
		return ['chains', 'daemons', 'wallets', undefined].includes(parts[0]);
	if (parts[0] === 'migrations') {
		const { id } = params;
		return message.type === 'migration' && (id === undefined || id === message.id);
	}
	// Every new notary approval is also a step of its migration.
	if (parts[0] === 'notary-approvals') return message.type === 'published';
	if (message.type === 'activation' || message.type === 'published') return false;
	if (message.type === 'migration') return parts.length === 0;
	const { chain } = params;
	if (chain === undefined) return true;
	return message.chain === chain || (message.type === 'notarization' && message.symbol === chain);
}
