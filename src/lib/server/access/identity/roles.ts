/** Roles that an account can have. */
export const ROLES = ['viewer', 'operator', 'notary', 'admin'] as const;

/** A role of an account. */
export type Role = (typeof ROLES)[number];

/** The role that a request acts with: an account's, or that of a visitor without an account. */
export type ActingRole = Role | 'visitor';

/** Whether the text is the name of a role. */
export function isRole(text: unknown): text is Role {
	return typeof text === 'string' && (ROLES as readonly string[]).includes(text);
}
