import { ROLES, type Role } from '../../platform/config/roles.ts';

export { ROLES, type Role };

/** The role that a request acts with: an account's, or that of a visitor without an account. */
export type ActingRole = Role | 'visitor';

/** Whether the text is the name of a role. */
export function isRole(text: unknown): text is Role {
	return typeof text === 'string' && (ROLES as readonly string[]).includes(text);
}
