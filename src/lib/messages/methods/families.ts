import type { MethodFamilyId } from '#lib/rpc/daemon/families.ts';

/** Titles of the groups of daemon methods. */
export const familyTitles: Readonly<Record<MethodFamilyId, string>> = {
	tokens: 'Tokens',
	migration: 'Migrations',
	notarization: 'Notarizations',
	transactions: 'Transactions',
	blocks: 'Blocks and chain',
	addresses: 'Address index',
	wallet: 'Wallet',
	network: 'Daemon, peers and mining'
};
