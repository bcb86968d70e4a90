/** What the rail leads to besides the chains, by what people come for. */
import type { May } from './commands.ts';

interface RailGroup {
	/** Stands above the group where there is room. */
	title: string;
	links: readonly { href: string; label: string }[];
}

/** Groups with what this person may open; a group without links is left out. */
export function railGroups(may: May, signedIn: boolean): RailGroup[] {
	const groups: RailGroup[] = [
		{
			title: 'Carry',
			links: [
				...(signedIn ? [{ href: '/migrations', label: 'Migrations' }] : []),
				{ href: '/backup', label: 'Backup room' },
				{ href: '/crossings', label: 'Burns and imports' },
				{ href: '/map', label: 'Map' },
				{ href: '/ledger', label: 'Ledger' }
			]
		},
		{
			title: 'Work',
			links: [
				...(may.build ? [{ href: '/sends', label: 'Transactions from here' }] : []),
				...(signedIn
					? [
							{ href: '/book', label: 'Address book' },
							{ href: '/console', label: 'Console' },
							{ href: '/trading', label: 'Trading node' },
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
						{ href: '/admin/people', label: 'People' },
						{ href: '/admin/limits', label: 'Daily limits' },
						{ href: '/admin/switches', label: 'Switches' },
						{ href: '/admin/audit', label: 'Audit log' }
					]
				: []
		}
	];
	return groups.filter(({ links }) => links.length > 0);
}
