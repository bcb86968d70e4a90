/** Roles a person can have. */
export const ROLES = ['viewer', 'operator', 'notary', 'admin'] as const;

/** A role of an account. */
export type Role = (typeof ROLES)[number];

/** What a request acts as: an account's role, or a visitor without an account. */
export type ActingRole = Role | 'visitor';

/** True for the name of a role. */
export function isRole(text: unknown): text is Role {
	return typeof text === 'string' && (ROLES as readonly string[]).includes(text);
}
