import type { ActingRole, Role } from './roles.ts';

/** A person who may sign in, without anything secret. */
export interface Account {
	id: string;
	name: string;
	role: Role;
}

/** The limits of the API token that a request came with. */
export interface TokenLimits {
	id: string;
	name: string;
	/** Method names it may call; null: every method that its role may call. */
	methods: readonly string[] | null;
	/** Daemon ids it may call; null: all. */
	daemons: readonly string[] | null;
}

/** Who a request acts for and how it showed that. */
export type Identity =
	| { via: 'session'; account: Account; role: Role; session: SessionFacts }
	| { via: 'token'; account: Account; role: Role; token: TokenLimits }
	| { via: 'public'; account: null; role: Extract<ActingRole, 'visitor'> };

/** Somebody with an account. */
export type Member = Exclude<Identity, { via: 'public' }>;

/** The session of a request: nothing here can be used as a cookie. */
export interface SessionFacts {
	/** SHA-256 of the session id, hex. */
	idHash: string;
	/** Unix milliseconds. */
	expiresAt: number;
	/** When its person last showed who they are, Unix milliseconds; null: not since this is asked. */
	confirmedAt: number | null;
	/** The provider by which its person signed in; null: by what is theirs here. */
	issuer?: string | null;
	/** The idle limit has just moved, so the cookie should be sent again. */
	fresh: boolean;
}

/** The identity of a request that shows no credential. */
export const VISITOR: Identity = { via: 'public', account: null, role: 'visitor' };
