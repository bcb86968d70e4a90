import type { RightName } from '#lib/messages/roles.ts';
import { ACCESS, mayAccess } from './permissions.ts';
import { ROLES, type Role } from '../identity/roles.ts';

/** Every right with the roles that have it, from the table that also decides about requests. */
export const roleMatrix = (): { right: RightName; roles: Role[] }[] =>
	ACCESS.filter((access) => access !== 'never').map((right) => ({
		right,
		roles: ROLES.filter((role) => mayAccess(role, right, false))
	}));

/** Whether a role spends from wallets that it must be granted. Admins may use every wallet. */
export const needsWallet = (role: Role): boolean =>
	role !== 'admin' && mayAccess(role, 'broadcast', false);
