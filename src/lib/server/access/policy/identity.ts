import type { ActingRole, Role } from './roles.ts';

/** A person who may sign in, without anything secret. */
export interface Account {
	id: string;
	name: string;
	role: Role;
}

/** The most that an API token may take of a chain's coins. Satoshi; null: as much as its member. */
export interface TokenAmounts {
	/** A chain's name, or `*`: every chain without amounts of its own, each by itself. */
	chain: string;
	/** With one transaction, its fee included. */
	each: bigint | null;
	/** Within 24 hours. */
	day: bigint | null;
}

/** The limits of the API token that a request came with. */
export interface TokenLimits {
	id: string;
	name: string;
	/** Method names it may call; null: every method that its role may call. */
	methods: readonly string[] | null;
	/** Daemon ids it may call; null: all. */
	daemons: readonly string[] | null;
	/** Daemons whose wallets it may use, of those that its member may; null: the same. */
	wallets: readonly string[] | null;
	/** Null: no amount is limited. A chain that they do not name is one of which it takes nothing. */
	amounts: readonly TokenAmounts[] | null;
	/** Addresses that it may pay; null: all. */
	recipients: readonly string[] | null;
	/** What its uses are counted under: a token that replaces another goes on with what that one used. */
	countedAs: string;
}

/** Whether a token may do less than its role: it is for the RPC API, where its limits are read, and for nothing else. */
export const isLimited = ({
	methods,
	daemons,
	wallets,
	amounts,
	recipients
}: TokenLimits): boolean =>
	[methods, daemons, wallets, amounts, recipients].some((limit) => limit !== null);

/** Who a request acts for and how it showed that. */
export type Identity =
	| { via: 'session'; account: Account; role: Role; session: SessionFacts }
	| { via: 'token'; account: Account; role: Role; token: TokenLimits }
	| { via: 'public'; account: null; role: Extract<ActingRole, 'visitor'> };

/** Somebody with an account. */
export type Member = Exclude<Identity, { via: 'public' }>;

/** Who may make calls; null for a visitor, and for a member who has to set up a second factor first. */
export function callerAs(identity: Identity): Member | null {
	const isSettingUp = identity.via === 'session' && identity.session.setUpOnly;
	return identity.via === 'public' || isSettingUp ? null : identity;
}

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
	/** Its member has a second factor, by which they confirm. */
	hasFactor: boolean;
	/** The role requires a factor and the member has none: nothing is open but its set-up. */
	setUpOnly: boolean;
}

/** The identity of a request that shows no credential. */
export const VISITOR: Identity = { via: 'public', account: null, role: 'visitor' };
