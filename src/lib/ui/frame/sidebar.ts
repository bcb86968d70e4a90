/** Links of the sidebar besides the chains, grouped by purpose. */
import { GROUP_NAMES, PAGE_NAMES, type BadgeKind } from '#lib/messages/navigation.ts';
import type { May } from './commands.ts';
import type { IconName } from './icons.ts';

type GroupId = keyof typeof GROUP_NAMES;

export interface SidebarLink {
	href: string;
	label: string;
	icon: IconName;
	/** Further paths for which this link counts as current. */
	also?: readonly string[];
	/** Count shown next to the link while it is not 0. */
	badge?: BadgeKind;
}

interface SidebarGroup {
	id: GroupId;
	title: string;
	links: readonly SidebarLink[];
}

/** Returns the groups with the links that this member or visitor may open; empty groups are left out. */
export function sidebarGroups(may: May, signedIn: boolean): SidebarGroup[] {
	const when = <T>(allowed: boolean, ...links: T[]): T[] => (allowed ? links : []);
	const daemons: SidebarLink = {
		href: '/daemons',
		label: PAGE_NAMES.daemons,
		icon: 'daemons',
		also: ['/admin/connect-daemons'],
		badge: 'daemons'
	};
	const links: Readonly<Record<GroupId, SidebarLink[]>> = {
		'cross-chain': [
			...when<SidebarLink>(signedIn, {
				href: '/migrations',
				label: PAGE_NAMES.migrations,
				icon: 'migrations',
				badge: 'migrations'
			}),
			{ href: '/transfers', label: PAGE_NAMES.transfers, icon: 'transfers' },
			{ href: '/routes', label: PAGE_NAMES.routes, icon: 'routes' },
			{ href: '/reconciliation', label: PAGE_NAMES.reconciliation, icon: 'reconciliation' },
			{ href: '/notary-approvals', label: PAGE_NAMES.notaryApprovals, icon: 'notaryApprovals' }
		],
		wallet: [
			...when<SidebarLink>(may.build, {
				href: '/wallets',
				label: PAGE_NAMES.wallets,
				icon: 'wallets'
			}),
			...when<SidebarLink>(may.build, {
				href: '/transactions',
				label: PAGE_NAMES.transactions,
				icon: 'transactions',
				badge: 'transactions'
			}),
			...when<SidebarLink>(signedIn, {
				href: '/approvals',
				label: PAGE_NAMES.approvals,
				icon: 'approvals',
				badge: 'approvals'
			}),
			...when<SidebarLink>(signedIn, {
				href: '/address-book',
				label: PAGE_NAMES.addressBook,
				icon: 'addressBook'
			})
		],
		'trading-node': [
			...when<SidebarLink>(signedIn, { href: '/kdf', label: PAGE_NAMES.coins, icon: 'coins' }),
			may.sign
				? { href: '/kdf/sign', label: PAGE_NAMES.signing, icon: 'signing', also: ['/kdf/verify'] }
				: { href: '/kdf/verify', label: PAGE_NAMES.verifying, icon: 'signing' }
		],
		tools: [
			...when<SidebarLink>(signedIn, {
				href: '/console',
				label: PAGE_NAMES.console,
				icon: 'console'
			}),
			{ href: '/decode', label: PAGE_NAMES.decoder, icon: 'decoder' },
			...when(signedIn && !may.admin, daemons),
			{ href: '/help', label: PAGE_NAMES.help, icon: 'help' }
		],
		admin: when<SidebarLink>(
			may.admin,
			daemons,
			{
				href: '/admin/members',
				label: PAGE_NAMES.members,
				icon: 'members',
				badge: 'accessRequests'
			},
			{ href: '/admin/policies', label: PAGE_NAMES.policies, icon: 'policies' },
			{ href: '/admin/safety', label: PAGE_NAMES.safety, icon: 'safety' },
			{
				href: '/admin/notifications',
				label: PAGE_NAMES.adminNotifications,
				icon: 'adminNotifications'
			},
			{ href: '/admin/security', label: PAGE_NAMES.security, icon: 'security' },
			{ href: '/admin/audit', label: PAGE_NAMES.audit, icon: 'audit' }
		)
	};
	return (Object.keys(GROUP_NAMES) as GroupId[])
		.map((id) => ({ id, title: GROUP_NAMES[id], links: links[id] }))
		.filter((group) => group.links.length > 0);
}

const isWithin = (path: string, address: string): boolean =>
	path === address || path.startsWith(`${address}/`);

/** Returns the link of the current page: the one with the longest matching path. */
export function currentLink(
	groups: readonly SidebarGroup[],
	pathname: string
): SidebarLink | undefined {
	return groups
		.flatMap(({ links }) => links)
		.flatMap((link) => [link.href, ...(link.also ?? [])].map((address) => ({ link, address })))
		.filter(({ address }) => isWithin(pathname, address))
		.toSorted((a, b) => b.address.length - a.address.length)[0]?.link;
}

/** Cookie with the ids of the collapsed groups, joined by dots. */
export const FOLDED_COOKIE = 'folded';

/** Parses the cookie; unknown ids are ignored. */
export function foldedGroups(cookie: string | undefined): GroupId[] {
	const named = (cookie ?? '').split('.');
	return (Object.keys(GROUP_NAMES) as GroupId[]).filter((id) => named.includes(id));
}
