/** Names of the pages, for the sidebar and the command palette. */
import { plural } from '#lib/text/plural.ts';

export const PAGE_NAMES = {
	overview: 'Overview',
	migrations: 'Migrations',
	transfers: 'Transfers',
	routes: 'Routes',
	reconciliation: 'Reconciliation',
	notaryApprovals: 'Notary approvals',
	wallets: 'Wallets',
	transactions: 'Transactions',
	approvals: 'Approvals',
	addressBook: 'Address book',
	coins: 'Coins',
	signing: 'Sign and verify',
	verifying: 'Verify a message',
	console: 'RPC console',
	decoder: 'Decoder',
	help: 'Help',
	glossary: 'Glossary',
	errorCodes: 'Errors by code',
	daemons: 'Daemons',
	members: 'Members',
	policies: 'Policies',
	safety: 'Safety controls',
	security: 'Security',
	adminNotifications: 'Webhooks and export',
	audit: 'Audit log'
} as const;

export const GROUP_NAMES = {
	'cross-chain': 'Cross-chain',
	wallet: 'Wallet',
	'trading-node': 'Trading node',
	tools: 'Tools',
	admin: 'Admin'
} as const;

/** A count of items that need a member's attention. */
export type BadgeKind = 'migrations' | 'transactions' | 'daemons' | 'accessRequests' | 'approvals';

/** Text of a badge for screen readers. */
export function badgeMessage(kind: BadgeKind, n: number): string {
	switch (kind) {
		case 'migrations':
			return plural(n, 'migration needs you', 'migrations need you');
		case 'transactions':
			return plural(n, 'transaction awaits review', 'transactions await review');
		case 'daemons':
			return plural(n, 'daemon needs attention', 'daemons need attention');
		case 'approvals':
			return plural(n, 'request awaits your approval', 'requests await your approval');
		case 'accessRequests':
			return plural(n, 'open access request');
	}
}
