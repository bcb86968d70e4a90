/** What the pages are called wherever something leads to them: in the sidebar and in the command palette. */

export const PAGE_NAMES = {
	overview: 'Overview',
	migrations: 'Migrations',
	transfers: 'Transfers',
	routes: 'Routes',
	reconciliation: 'Reconciliation',
	notaryApprovals: 'Notary approvals',
	transactions: 'Transactions',
	addressBook: 'Address book',
	coins: 'Coins',
	signing: 'Sign and verify',
	verifying: 'Verify a message',
	console: 'RPC console',
	decoder: 'Decoder',
	daemons: 'Daemons',
	members: 'Members',
	spendingLimits: 'Spending limits',
	safety: 'Safety controls',
	audit: 'Audit log'
} as const;

export const GROUP_NAMES = {
	'cross-chain': 'Cross-chain',
	wallet: 'Wallet',
	'trading-node': 'Trading node',
	tools: 'Tools',
	admin: 'Admin'
} as const;

/** Something of a page that a member has to look at. */
export type BadgeKind = 'migrations' | 'transactions' | 'daemons' | 'accessRequests';

/** What a badge says to those who do not see where it stands. */
export function badgeMessage(kind: BadgeKind, n: number): string {
	switch (kind) {
		case 'migrations':
			return n === 1 ? '1 migration needs you' : `${n} migrations need you`;
		case 'transactions':
			return n === 1 ? '1 transaction awaits review' : `${n} transactions await review`;
		case 'daemons':
			return n === 1 ? '1 daemon is offline' : `${n} daemons are offline`;
		case 'accessRequests':
			return n === 1 ? '1 open access request' : `${n} open access requests`;
	}
}
