/** Roles that an account can have; the settings of single sign-on name them. */
export const ROLES = ['viewer', 'operator', 'notary', 'admin'] as const;

/** A role of an account. */
export type Role = (typeof ROLES)[number];
