import type { ActingRole, Role } from './roles.ts';

/** An account that may sign in, without its secrets. */
export interface Account {
	id: string;
	name: string;
	role: Role;
}

/** The most that an API token may spend of a chain's coins. In satoshi; null: as much as its member. */
export interface TokenAmounts {
	/** A chain's name, or `*`: every chain without amounts of its own, each counted separately. */
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
	/** Names of the methods it may call; null: every method that its role may call. */
	methods: readonly string[] | null;
	/** Ids of the daemons it may call; null: all. */
	daemons: readonly string[] | null;
	/**
	 * Ids of the daemons whose wallets it may use, among those that its member may use; null: all of these.
	 */
	wallets: readonly string[] | null;
	/** Null: amounts are not limited. From a chain that the list does not name it may spend nothing. */
	amounts: readonly TokenAmounts[] | null;
	/** Addresses that it may pay; null: all. */
	recipients: readonly string[] | null;
	/**
	 * The id under which its use is counted: a replacement token continues with the use of the token it
	 * replaces.
	 */
	countedAs: string;
}

/**
 * Whether a token may do less than its role. Such a token works for the RPC API alone, the only place that
 * checks its limits.
 */
export const isLimited = ({
	methods,
	daemons,
	wallets,
	amounts,
	recipients
}: TokenLimits): boolean =>
	[methods, daemons, wallets, amounts, recipients].some((limit) => limit !== null);

/** Who a request acts for, and by which credential. */
export type Identity =
	| { via: 'session'; account: Account; role: Role; session: SessionFacts }
	| { via: 'token'; account: Account; role: Role; token: TokenLimits }
	| { via: 'public'; account: null; role: Extract<ActingRole, 'visitor'> };

/** The identity of a member, by session or API token. */
export type Member = Exclude<Identity, { via: 'public' }>;

/**
 * The identity as one that may make calls; null for a visitor, and for a member who must set up a second
 * factor first.
 */
export function callerAs(identity: Identity): Member | null {
	const isSettingUp = identity.via === 'session' && identity.session.setUpOnly;
	return identity.via === 'public' || isSettingUp ? null : identity;
}

/** The session of a request. Nothing here can be used as a cookie. */
export interface SessionFacts {
	/** SHA-256 of the session id, hex. */
	idHash: string;
	/** Unix milliseconds. */
	expiresAt: number;
	/** When the member last proved their identity, Unix milliseconds; null: never since this is tracked. */
	confirmedAt: number | null;
	/** Issuer of the provider by which the member signed in; null: by password or passkey. */
	issuer?: string | null;
	/** The idle timeout was just extended, so the cookie should be sent again. */
	fresh: boolean;
	/** The member has a second factor and confirms by it. */
	hasFactor: boolean;
	/** The role requires a second factor and the member has none: only its set-up is open. */
	setUpOnly: boolean;
}

/** The identity of a request that shows no credential. */
export const VISITOR: Identity = { via: 'public', account: null, role: 'visitor' };
