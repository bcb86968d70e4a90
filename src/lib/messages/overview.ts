/** Texts of the overview. */
import { count, plural } from '#lib/text/plural.ts';
import { visibleText } from '#lib/text/visibleText.ts';

export const OVERVIEW = {
	title: 'Overview',
	visitorLead:
		'Blocks, tokens, notarizations and cross-chain transfers of these Komodo Smart Chains, from their own daemons. Log in to create tokens, send and migrate.',
	migrate: 'Migrate coins',
	needs: 'Needs attention',
	work: {
		title: 'In progress',
		note: 'Your unfinished migrations and transactions',
		startedBy: (name: string): string => `, started by ${name}`,
		more: (n: number): string => `${count(n)} more`
	},
	noChains: {
		title: 'No chain is configured',
		text: 'Komodeck reads chains through their daemons. Start without a configuration to get devnet, or name your daemons in the configuration file.'
	},
	chains: 'Chain status',
	inFlight: {
		title: 'Migrations in flight',
		all: 'All migrations',
		none: 'No migrations in progress',
		noneText: 'Coins and tokens migrate between chains that share a CCid.',
		routes: 'Show routes',
		to: 'to',
		baseUnits: (units: bigint): string => plural(units, 'base unit'),
		unnamed: 'of a token',
		progress: 'Steps done of this migration',
		steps: (done: number, steps: number): string => `${done} of ${steps}`
	},
	activity: {
		title: 'Latest activity',
		transfers: 'Transfers',
		unnamed: 'Token without a name',
		/** Follows “No” and precedes “indexed yet”. */
		what: 'activity',
		none: 'No activity yet',
		noneText: 'Transfers, tokens and notarizations appear here once they are indexed.'
	}
} as const;

/** Texts of a chain's card. */
export const CHAIN_CARD = {
	attention: 'Needs attention',
	degraded: 'Degraded',
	indexed: 'Indexed',
	lastResponse: 'Last response',
	height: 'Height',
	lastBlock: 'Last block',
	mempool: 'Mempool',
	notarized: 'Notarized',
	balance: 'Confirmed balance',
	unknown: 'Unknown',
	noWallet: 'No wallet',
	nothing: 'Nothing is known yet.',
	transactions: (n: number): string => plural(n, 'transaction'),
	blockTime: (median: string): string => `Block time: ${median}`,
	/** Follows it, in the color of highlighted bars. */
	longest: (longest: string): string => `longest: ${longest}`
} as const;

/** Says how far the last notarized block is behind the tip. The height is 0 when there is none, null when unknown. */
export function notarizedMessage(chain: { height: number; notarized: number | null }): string {
	if (chain.notarized === null) return CHAIN_CARD.unknown;
	if (chain.notarized === 0) return 'Never notarized';
	return `${plural(Math.max(0, chain.height - chain.notarized), 'block')} behind`;
}

/** Further texts of the table that replaces cards when there are many chains. */
export const CHAIN_TABLE = {
	caption: 'Chain status, those that need attention first',
	chain: 'Chain',
	state: 'State',
	blockTime: 'Block time'
} as const;

/** Maximum number of names in a line; more are only counted. */
const MOST_NAMES = 5;

/** The line below the title: whether any chain needs attention. */
export function chainsLead(
	chains: number,
	needingAttention: readonly string[],
	daemons: { all: number; unusable: number }
): string {
	const online = daemons.all - daemons.unusable;
	const ofDaemons =
		daemons.unusable === 0
			? plural(daemons.all, 'daemon')
			: `${online} of ${plural(daemons.all, 'daemon')}`;
	if (needingAttention.length === 0)
		return `${chains === 1 ? '1 chain' : `All ${chains} chains`} and ${ofDaemons} online`;
	if (needingAttention.length > MOST_NAMES)
		return `${needingAttention.length} of ${chains} chains need attention`;
	return needingAttention.length === 1
		? `1 chain needs attention: ${needingAttention[0]}`
		: `${needingAttention.length} chains need attention: ${needingAttention.join(', ')}`;
}

/** An item that needs a person's attention, with a button that leads to it. */
export type Need =
	| { code: 'migrations-stopped'; count: number }
	| { code: 'migrations-approval'; count: number }
	| { code: 'approvals'; count: number }
	| { code: 'daemons-offline' | 'daemons-unread'; chains: readonly string[] }
	| { code: 'access-requests'; count: number };

/** Returns its text, and the label and target of its button. */
export function needMessage(need: Need): { text: string; action: string; href: string } {
	switch (need.code) {
		case 'migrations-stopped':
			return {
				text:
					need.count === 1
						? '1 migration has stopped. What was burned stays importable.'
						: `${count(need.count)} migrations have stopped. What was burned stays importable.`,
				action: need.count === 1 ? 'Show stopped migration' : 'Show stopped migrations',
				href: '/migrations?state=stuck'
			};
		case 'migrations-approval':
			return {
				text:
					need.count === 1
						? '1 migration is ready: its import needs approval.'
						: `${count(need.count)} migrations are ready: their imports need approval.`,
				action: 'Review approvals',
				href: '/migrations?state=needs-approval'
			};
		case 'approvals':
			return {
				text:
					need.count === 1
						? '1 request waits for your approval.'
						: `${count(need.count)} requests wait for your approval.`,
				action: 'Open approvals',
				href: '/approvals'
			};
		case 'access-requests':
			return {
				text:
					need.count === 1
						? '1 member requests access.'
						: `${count(need.count)} members request access.`,
				action: 'Review requests',
				href: '/admin/members#requests'
			};
		case 'daemons-offline':
			return {
				text: `${need.chains.join(', ')} ${need.chains.length === 1 ? 'is' : 'are'} offline. Pages show the last known data.`,
				action: 'Check daemons',
				href: '/daemons'
			};
		case 'daemons-unread':
			return {
				text: `Current data of ${need.chains.join(', ')} could not be read. Pages show the last known data.`,
				action: 'Check daemons',
				href: '/daemons'
			};
	}
}

type ActivityKind =
	| 'transfer'
	| 'token-create'
	| 'token-transfer'
	| 'token-burn'
	| 'token-import'
	| 'burn'
	| 'import'
	| 'notarization'
	| 'notary-approval'
	| 'self-import-source';

/**
 * Returns the first words of an activity's line; its subject follows.
 * @param named the chain at the other end of a burn or an import, or the notarized chain; empty when the burn of an
 *   import does not name its source, null for a self-import
 * @param notarized the notarized block
 */
export function activityMessage(
	kind: ActivityKind,
	named: string | null,
	notarized: number | null
): string {
	const other = named === null ? null : visibleText(named);
	switch (kind) {
		case 'transfer':
			return 'Transfer';
		case 'token-create':
			return 'Token created';
		case 'token-transfer':
			return 'Token transfer';
		case 'token-burn':
			return other === null ? 'Token burn' : `Token burn to ${other}`;
		case 'token-import':
			return other === null || other === '' ? 'Token import' : `Token import from ${other}`;
		case 'burn':
			return other === null ? 'Burn' : `Burn to ${other}`;
		case 'import':
			if (other === '') return 'Import, source chain not named';
			return other === null ? 'Self-import' : `Import from ${other}`;
		case 'notarization':
			return other === null || notarized === null
				? 'Notarization'
				: `Notarization of ${other}, block ${count(notarized)}`;
		case 'notary-approval':
			return 'Notary approval';
		case 'self-import-source':
			return 'Self-import source';
	}
}

/** Describes the chart of a chain's block intervals for screen readers. Seconds. */
export function intervalsMessage(intervals: number, median: string, longest: string): string {
	return `Time between the last ${intervals + 1} blocks: median ${median}, longest ${longest}`;
}

/** A problem of a chain or its daemon. */
export type ChainWarning =
	| { code: 'behind'; blocks: number }
	| { code: 'not-synced' | 'no-pubkey' }
	| { code: 'old-tip'; minutes: number }
	| { code: 'reported'; errors: string };

export function chainWarningMessage(warning: ChainWarning): string {
	switch (warning.code) {
		case 'behind':
			return `${plural(warning.blocks, 'block')} behind the network.`;
		case 'not-synced':
			return 'The daemon is not in sync with the network.';
		case 'old-tip':
			return `No block for ${plural(warning.minutes, 'minute')}.`;
		case 'no-pubkey':
			return 'The daemon runs without a public key: it cannot create token transactions.';
		case 'reported':
			return `Reported by the daemon: ${warning.errors}`;
	}
}

/** The state of a daemon in one word. */
export const daemonStates = {
	unknown: 'Not checked yet',
	up: 'Online',
	'warming-up': 'Starting',
	busy: 'Degraded',
	unauthorized: 'Authentication failed',
	down: 'Offline',
	'wrong-chain': 'Wrong chain'
} as const;
