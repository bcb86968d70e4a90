import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { ThrottleTables } from '../../platform/rate-limits/tables.ts';
import type { Role } from '../policy/roles.ts';

/** Stands for the hash of an account that has no password: nothing is verified against it. */
export const NO_PASSWORD = '';

/** A person who may sign in. */
export interface AccountsTable {
	id: string;
	/** As the person writes it. */
	name: string;
	/** Lower case and normalised: what makes a name unique. */
	name_key: string;
	/** What the name looks like, unique; null where an older account looks the same. */
	skeleton: NullableText;
	role: Role;
	/** argon2id in PHC form, or {@link NO_PASSWORD}. */
	password_hash: string;
	/** Unix milliseconds. */
	created_at: Int64;
	disabled_at: NullableInt64;
	/** JSON: why an admin has to confirm the account before it may be used; see `restored.ts`. */
	to_confirm: NullableText;
	/** When the member got their first second factor; null: they have none. */
	second_factor_at: NullableInt64;
}

/** A signed-in browser. The session id itself is only in its cookie. */
export interface SessionsTable {
	/** HMAC of the session id, hex. */
	id_hash: string;
	account_id: string;
	created_at: Int64;
	last_seen_at: Int64;
	/** The idle limit: moves while the session is used. */
	expires_at: Int64;
	/** The limit that nothing moves. */
	ends_at: Int64;
	address: NullableText;
	user_agent: NullableText;
	/** When its person last showed who they are. */
	confirmed_at: NullableInt64;
	/** The provider by which its person signed in; null: by what is theirs here. */
	issuer: NullableText;
	/** What the provider calls its own session, where it says so: it may end this one. */
	provider_session: NullableText;
	/** HMAC that binds the session to its account and its end. */
	mac: string;
	/** 1: no session of its account began in that network before; null: another did, or it is not known. */
	new_place: NullableInt64;
}

/** A network in which sessions of an account began. */
export interface SessionPlacesTable {
	account_id: string;
	network: string;
	/** Unix milliseconds. */
	since: Int64;
}

/** The link that creates the first account. */
export interface SetupLinksTable {
	token_hash: string;
	created_at: Int64;
	expires_at: Int64;
	used_at: NullableInt64;
}

/** An invitation, or the reset of a password. */
export interface AccountLinksTable {
	id: string;
	kind: 'invitation' | 'reset';
	/** HMAC of what stands in the link, hex. */
	token_hash: string;
	/** The role that an invitation gives; null for a reset. */
	role: Role | null;
	/** The name that an invitation is for; null: free to choose. */
	name: NullableText;
	/** JSON array of the daemons whose wallets an invitation gives; null: none. */
	wallets: NullableText;
	/** The account whose password a reset sets; null for an invitation. */
	account_id: NullableText;
	/** The account that made it; null: the command line. */
	made_by: NullableText;
	/** Unix milliseconds. */
	created_at: Int64;
	expires_at: Int64;
	used_at: NullableInt64;
	revoked_at: NullableInt64;
}

/** The keys that the installation had before, closed under the one of today. One row. */
export interface SecretKeysTable {
	id: Int64;
	encrypted: string;
}

export interface AuthTables extends AuditTables, ThrottleTables {
	secret_keys: SecretKeysTable;
	accounts: AccountsTable;
	sessions: SessionsTable;
	session_places: SessionPlacesTable;
	setup_links: SetupLinksTable;
	account_links: AccountLinksTable;
}
