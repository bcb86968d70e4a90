import type { ActingRole, Role } from './roles.ts';

/** What a method or a route does, in the words of the method registry. */
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
 * Which role may do what. `wallet-query` is so for the wallets that a member may use. `notary-query` are the raw
 * questions that the interface document gives to notary nodes; what the index and the pages make of their answers is
 * `read`. `never` is in no list: it stands for methods that would give a wallet's keys away or stop a daemon, and nobody
 * may call them through here. What a visitor may read is a setting
 * of the installation, see {@link mayAccess}.
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

/** True when the role may do this. A visitor may read, and only where browsing is public. */
export function mayAccess(role: ActingRole, access: Access, publicBrowsing: boolean): boolean {
	if (role === 'visitor') return publicBrowsing && access === 'read';
	return accessByRole[role].includes(access);
}

/** True when everything that `role` may do, `limit` may do too. */
export function isAtMost(role: Role, limit: Role): boolean {
	return accessByRole[role].every((access) => accessByRole[limit].includes(access));
}

/** Whether a role does more than look. */
export const givesPower = (role: Role): boolean => !isAtMost(role, 'viewer');

/** The role of a token at its use: its own, bounded by what its person may do today. */
export function narrower(token: Role, person: Role): Role {
	if (isAtMost(token, person)) return token;
	if (isAtMost(person, token)) return person;
	return 'viewer';
}

/** The roles that a person of this role may give a token. */
export function rolesUpTo(limit: Role): Role[] {
	return (Object.keys(accessByRole) as Role[]).filter((role) => isAtMost(role, limit));
}
