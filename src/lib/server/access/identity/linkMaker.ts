import type { Account } from './identity.ts';

/** Author of a link or change: an admin, or null for the server's own command line. */
export type LinkMaker = Account | null;
