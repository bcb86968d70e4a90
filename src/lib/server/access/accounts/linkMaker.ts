import type { Account } from '../policy/identity.ts';

/** Who makes a link: an admin, or somebody at the server's own command line (null). */
export type LinkMaker = Account | null;

export const nameOf = (by: LinkMaker): string => by?.name ?? 'command line';
