import { expect, it } from 'vitest';
import type { May } from './commands.ts';
import { currentLink, foldedGroups, sidebarGroups } from './sidebar.ts';

const VISITOR: May = { build: false, broadcast: false, sign: false, admin: false };
const OPERATOR: May = { ...VISITOR, build: true, broadcast: true, sign: true };
const ADMIN: May = { ...OPERATOR, admin: true };

const titles = (may: May, signedIn: boolean): string[] =>
	sidebarGroups(may, signedIn).map(({ title }) => title);
const labels = (may: May, signedIn: boolean): string[] =>
	sidebarGroups(may, signedIn).flatMap(({ links }) => links.map(({ label }) => label));

it('lists an admin every group in its order', () => {
	expect(titles(ADMIN, true)).toEqual(['Cross-chain', 'Wallet', 'Trading node', 'Tools', 'Admin']);
	expect(labels(ADMIN, true)).toEqual([
		...['Migrations', 'Transfers', 'Routes', 'Reconciliation', 'Notary approvals'],
		...[
			'Wallets',
			'Transactions',
			'Approvals',
			'Address book',
			'Coins',
			'Sign and verify',
			'RPC console'
		],
		...['Decoder', 'Help'],
		...['Daemons', 'Members', 'Policies', 'Safety controls', 'Webhooks and export'],
		...['Security', 'Audit log']
	]);
});

it('shows an operator the daemons, and nothing that only admins may open', () => {
	expect(titles(OPERATOR, true)).not.toContain('Admin');
	expect(labels(OPERATOR, true)).toContain('Daemons');
	expect(labels(OPERATOR, true)).not.toContain('Members');
});

it('shows a visitor only what is public', () => {
	expect(labels(VISITOR, false)).toEqual([
		...['Transfers', 'Routes', 'Reconciliation', 'Notary approvals'],
		...['Verify a message', 'Decoder', 'Help']
	]);
});

it('shows an admin beside the members how many ask for access', () => {
	const links = sidebarGroups(ADMIN, true).flatMap(({ links }) => links);
	expect(links.find(({ badge }) => badge === 'accessRequests')?.href).toBe('/admin/members');
});

it('marks the one link whose pages are open', () => {
	const groups = sidebarGroups(ADMIN, true);
	expect(currentLink(groups, '/kdf/ALPHA')?.href).toBe('/kdf');
	expect(currentLink(groups, '/kdf/sign')?.href).toBe('/kdf/sign');
	expect(currentLink(groups, '/kdf/verify')?.href).toBe('/kdf/sign');
	expect(currentLink(groups, '/admin/connect-daemons')?.href).toBe('/daemons');
	expect(currentLink(groups, '/admin/members/1')?.href).toBe('/admin/members');
	expect(currentLink(groups, '/kdfx')).toBeUndefined();
});

it('reads from the cookie which groups are folded, and ignores what is no group', () => {
	expect(foldedGroups(undefined)).toEqual([]);
	expect(foldedGroups('tools.<script>.admin')).toEqual(['tools', 'admin']);
});
