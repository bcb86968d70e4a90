/** What the server tells open pages, and which page each event concerns. */

/** What the data depends on that stands around every page. */
export const FRAME = 'komodeck:frame';

export type LiveMessage =
	| { type: 'block'; chain: string }
	| { type: 'notarization'; chain: string; symbol: string }
	| { type: 'migration'; id: string }
	| { type: 'published' }
	| { type: 'activation'; id: string }
	| { type: 'chain'; chain: string }
	/** Safety controls or the state of a daemon: every page shows them around itself. */
	| { type: 'frame' }
	/** What waits for members: beside the pages' names. */
	| { type: 'team' }
	/** The member's own notices. */
	| { type: 'notices' }
	/** What was missed is not known: whatever is shown may be old. */
	| { type: 'reset' };

/** Where a page is: SvelteKit's route id and its parameters. */
interface LivePlace {
	route: string | null;
	params: Readonly<Record<string, string | undefined>>;
}

/** Pages whose content no event changes: forms, and what belongs to the person. */
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
/** Forms below a chain, a token or the migrations. */
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

/** Pages of admins with a list that others fill: requests for access, proposed changes. */
const OTHERS_FILL: readonly string[] = ['/admin/members', '/admin/policies'];

/** The list of coins shows what is under way, the page of an activation its own steps; the others are forms. */
function concernsTrading(
	route: string,
	{ id }: LivePlace['params'],
	message: LiveMessage
): boolean {
	const about = message.type === 'activation' ? message.id : null;
	if (message.type !== 'reset' && about === null) return false;
	return route === '/kdf' || (route === '/kdf/tasks/[id]' && (about ?? id) === id);
}

/** Whether what stands around every page is another one after this event. */
export const concernsFrame = ({ type }: LiveMessage): boolean =>
	type === 'frame' || type === 'team' || type === 'notices';

/** Whether a page shows something else after this event. */
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
	// Chains and daemons say themselves when a daemon is away; others know it from what is around them.
	if (message.type === 'frame')
		return ['chains', 'daemons', 'wallets', undefined].includes(parts[0]);
	if (parts[0] === 'migrations') {
		const { id } = params;
		return message.type === 'migration' && (id === undefined || id === message.id);
	}
	// Each new approval is a step of its migration.
	if (parts[0] === 'notary-approvals') return message.type === 'published';
	if (message.type === 'activation' || message.type === 'published') return false;
	if (message.type === 'migration') return parts.length === 0;
	const { chain } = params;
	if (chain === undefined) return true;
	return message.chain === chain || (message.type === 'notarization' && message.symbol === chain);
}
