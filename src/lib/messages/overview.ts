/** What the overview says. */

const count = (n: number): string => String(n);

/** The line under the title: whether anything about the chains wants a look. */
export function chainsLead(chains: number, troubled: readonly string[]): string {
	if (troubled.length === 0) return chains === 1 ? '1 chain online' : `All ${chains} chains online`;
	return troubled.length === 1
		? `1 chain needs attention: ${troubled[0]}`
		: `${troubled.length} chains need attention: ${troubled.join(', ')}`;
}

export const VISITOR_LEAD =
	'Blocks, tokens, notarizations and cross-chain transfers of these Komodo Smart Chains, from their own daemons. Log in to create tokens, send and migrate.';

/** One thing that waits for a person, with the button that leads to it. */
export type Need =
	| { code: 'migrations-stopped'; count: number }
	| { code: 'migrations-approval'; count: number }
	| { code: 'daemons-offline'; chains: readonly string[] };

/** What it says, where its button leads and what stands on that. */
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
		case 'daemons-offline':
			return {
				text: `Komodeck has no connection to ${need.chains.join(', ')}. Pages show the last known data.`,
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

/** What happened, as the first words of its line; what it is about follows them. */
export function activityMessage(kind: ActivityKind, other: string | null): string {
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
			return other === null ? 'Token import' : `Token import from ${other}`;
		case 'burn':
			return other === null ? 'Burn' : `Burn to ${other}`;
		case 'import':
			return other === null ? 'Self-import' : `Import from ${other}`;
		case 'notarization':
			return 'Notarization';
		case 'notary-approval':
			return 'Notary approval';
		case 'self-import-source':
			return 'Self-import source';
	}
}

/** The intervals of a chain as a screen reader tells the picture of them. Seconds. */
export function intervalsMessage(intervals: number, median: string, longest: string): string {
	return `Time between the last ${intervals + 1} blocks: median ${median}, longest ${longest}`;
}
