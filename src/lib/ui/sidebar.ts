/** What the rail leads to besides the chains, by what people come for. */
import type { May } from './commands.ts';

interface SidebarGroup {
	/** Stands above the group where there is room. */
	title: string;
	links: readonly { href: string; label: string }[];
}

/** Groups with what this person may open; a group without links is left out. */
export function sidebarGroups(may: May, signedIn: boolean): SidebarGroup[] {
	const groups: SidebarGroup[] = [
		{
			title: 'Carry',
			links: [
				...(signedIn ? [{ href: '/migrations', label: 'Migrations' }] : []),
				{ href: '/notary-approvals', label: 'Backup room' },
				{ href: '/transfers', label: 'Burns and imports' },
				{ href: '/routes', label: 'Map' },
				{ href: '/reconciliation', label: 'Ledger' }
			]
		},
		{
			title: 'Work',
			links: [
				...(may.build ? [{ href: '/transactions', label: 'Transactions from here' }] : []),
				...(signedIn
					? [
							{ href: '/address-book', label: 'Address book' },
							{ href: '/console', label: 'Console' },
							{ href: '/kdf', label: 'Trading node' },
							{ href: '/daemons', label: 'Daemons' }
						]
					: []),
				{ href: '/decode', label: 'Decode' }
			]
		},
		{
			title: 'Team',
			links: may.admin
				? [
						{ href: '/admin/members', label: 'People' },
						{ href: '/admin/spending-limits', label: 'Daily limits' },
						{ href: '/admin/safety', label: 'Switches' },
						{ href: '/admin/audit', label: 'Audit log' }
					]
				: []
		}
	];
	return groups.filter(({ links }) => links.length > 0);
}
