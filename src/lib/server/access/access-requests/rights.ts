import type { Access } from '../policy/permissions.ts';

/** A right that a role can give. */
export type RequestedRight = Exclude<Access, 'never' | 'read'>;
