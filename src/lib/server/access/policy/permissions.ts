import type { ActingRole, Role } from '../identity/roles.ts';

/** What a method or a route does, as access classes of the method registry. */
export const ACCESS = [
	'read',
	'wallet-query',
	'notary-query',
	'build',
	'broadcast',
	'notary',
	'activate',
	'sign',
	'admin',
	'never'
] as const;

export type Access = (typeof ACCESS)[number];

/**
 * Which role may do what. `wallet-query` holds for the wallets that a member may use. `notary-query` are the
 * raw queries that the interface document reserves for notary nodes; what the index and the pages derive from
 * their responses is `read`. `never` is in no list: it marks methods that would reveal a wallet's keys or
 * stop a daemon, and no role may call them here. What a visitor may read is a setting of the installation,
 * see {@link mayAccess}.
 */
export const accessByRole: Readonly<Record<Role, readonly Access[]>> = {
	viewer: ['read'],
	operator: ['read', 'wallet-query', 'notary-query', 'build', 'broadcast', 'activate', 'sign'],
	notary: ['read', 'wallet-query', 'notary-query', 'build', 'broadcast', 'notary'],
	admin: [
		'read',
		'wallet-query',
		'notary-query',
		'build',
		'broadcast',
		'notary',
		'activate',
		'sign',
		'admin'
	]
};

/** Whether the role may do this. A visitor may only read, and only where browsing is public. */
export function mayAccess(role: ActingRole, access: Access, publicBrowsing: boolean): boolean {
	if (role === 'visitor') return publicBrowsing && access === 'read';
	return accessByRole[role].includes(access);
}

/** Whether `limit` may do everything that `role` may do. */
export function isAtMost(role: Role, limit: Role): boolean {
	return accessByRole[role].every((access) => accessByRole[limit].includes(access));
}

/** Whether a role may do more than a viewer. */
export const givesPower = (role: Role): boolean => !isAtMost(role, 'viewer');

/** The effective role of an API token: its own, bounded by the current role of its member. */
export function narrower(token: Role, person: Role): Role {
	if (isAtMost(token, person)) return token;
	if (isAtMost(person, token)) return person;
	return 'viewer';
}

/** The roles that a member of this role may give an API token. */
export function rolesUpTo(limit: Role): Role[] {
	return (Object.keys(accessByRole) as Role[]).filter((role) => isAtMost(role, limit));
}
