import type { ActingRole } from '#lib/server/access/identity/roles.ts';
import type { Who } from '#lib/server/access/policy/routes.ts';

export const ACTING_ROLES: readonly ActingRole[] = [
	'visitor',
	'viewer',
	'operator',
	'notary',
	'admin'
];

/**
 * Expected access, written by hand and independent of the application's tables, so that a mistake there is
 * found. `visitor` for `read` applies where browsing is public.
 */
export const EXPECTED: Readonly<Record<Who, Readonly<Record<ActingRole, boolean>>>> = {
	anyone: { visitor: true, viewer: true, operator: true, notary: true, admin: true },
	anonymous: { visitor: true, viewer: true, operator: true, notary: true, admin: true },
	read: { visitor: true, viewer: true, operator: true, notary: true, admin: true },
	'wallet-query': { visitor: false, viewer: false, operator: true, notary: true, admin: true },
	'notary-query': { visitor: false, viewer: false, operator: true, notary: true, admin: true },
	build: { visitor: false, viewer: false, operator: true, notary: true, admin: true },
	broadcast: { visitor: false, viewer: false, operator: true, notary: true, admin: true },
	notary: { visitor: false, viewer: false, operator: false, notary: true, admin: true },
	activate: { visitor: false, viewer: false, operator: true, notary: false, admin: true },
	sign: { visitor: false, viewer: false, operator: true, notary: false, admin: true },
	admin: { visitor: false, viewer: false, operator: false, notary: false, admin: true },
	administer: { visitor: false, viewer: false, operator: false, notary: false, admin: true },
	member: { visitor: false, viewer: true, operator: true, notary: true, admin: true },
	'own-session': { visitor: false, viewer: true, operator: true, notary: true, admin: true },
	label: { visitor: false, viewer: false, operator: true, notary: true, admin: true }
};

/** True when this role may use this kind of route. */
export function isExpected(who: Who, role: ActingRole, publicBrowsing: boolean): boolean {
	if (role === 'visitor' && who === 'read') return publicBrowsing;
	return EXPECTED[who][role];
}

/** The methods that a sweep over the routes tries. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
