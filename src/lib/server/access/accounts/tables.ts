import type { AuditTables } from '../../platform/audit-trail/tables.ts';
import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { ThrottleTables } from '../../platform/rate-limits/tables.ts';
import type { Role } from '../identity/roles.ts';

/** Stored instead of a hash for an account without a password: nothing is verified against it. */
export const NO_PASSWORD = '';

/** An account that may sign in. */
export interface AccountsTable {
	id: string;
	/** As its member writes it. */
	name: string;
	/** Lower case and normalised, unique. */
	name_key: string;
	/** What the name looks like, unique; null where an older account looks the same. */
	skeleton: NullableText;
	role: Role;
	/** argon2id in PHC format, or {@link NO_PASSWORD}. */
	password_hash: string;
	/** Unix milliseconds. */
	created_at: Int64;
	disabled_at: NullableInt64;
	/** JSON: why an admin has to confirm the account before it may be used; see `closeRestored.ts`. */
	to_confirm: NullableText;
	/** When the member set up their first second factor; null: they have none. */
	second_factor_at: NullableInt64;
}

/** A signed-in browser. The session id itself is only in its cookie. */
export interface SessionsTable {
	/** HMAC of the session id, hex. */
	id_hash: string;
	account_id: string;
	created_at: Int64;
	last_seen_at: Int64;
	/** End by the idle timeout: extended while the session is used. */
	expires_at: Int64;
	/** The latest end, which is never extended. */
	ends_at: Int64;
	address: NullableText;
	user_agent: NullableText;
	/** When the member last proved their identity; null: never since this is tracked. */
	confirmed_at: NullableInt64;
	/** Issuer of the provider by which the member signed in; null: by password or passkey. */
	issuer: NullableText;
	/** The provider's id of its own session, if it sent one: its logout ends this session. */
	provider_session: NullableText;
	/** HMAC that binds the session to its account and its end, see `sessionMac.ts`. */
	mac: string;
	/** 1: no session of its account had begun in that network before; null: one had, or it is not known. */
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
	/** HMAC of the token in the link, hex. */
	token_hash: string;
	/** The role that an invitation grants; null for a reset. */
	role: Role | null;
	/** The name that an invitation is for; null: free to choose. */
	name: NullableText;
	/** JSON array of the daemons whose wallets an invitation grants; null: none. */
	wallets: NullableText;
	/** The account whose password a reset sets; null for an invitation. */
	account_id: NullableText;
	/** Id of the account that created it; null: the command line. */
	made_by: NullableText;
	/** Unix milliseconds. */
	created_at: Int64;
	expires_at: Int64;
	used_at: NullableInt64;
	revoked_at: NullableInt64;
}

/** The earlier keys of the installation, encrypted under the current one. A single row. */
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
