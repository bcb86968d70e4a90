import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { Role } from '../identity/roles.ts';

/** A personal token for scripts. */
export interface ApiTokensTable {
	id: string;
	account_id: string;
	name: string;
	/** HMAC of the token, hex. */
	token_hash: string;
	/** The highest role of the token; its member's current role bounds it at every use. */
	role: Role;
	/** JSON array of method names, or null for every method that the role may call. */
	methods: NullableText;
	/** JSON array of ids of daemons and trading nodes, or null for all. */
	daemons: NullableText;
	/** JSON array of networks from which it may be used, or null for all. */
	addresses: NullableText;
	/** JSON array of ids of the daemons whose wallets it may use, or null for those of its member. */
	wallets: NullableText;
	/** JSON array of its maximum amounts by chain, or null for no such limit. */
	amounts: NullableText;
	/** JSON array of addresses that it may pay, or null for all. */
	recipients: NullableText;
	/** Id under which its uses are counted, where it replaces another token; null: its own. */
	counted_as: NullableText;
	created_at: Int64;
	expires_at: NullableInt64;
	last_used_at: NullableInt64;
	/** Address and client of the last use, as told by the request. */
	last_used_address: NullableText;
	last_used_agent: NullableText;
	revoked_at: NullableInt64;
}

/**
 * A use of a token whose amounts are limited. Rows older than 24 hours are no longer needed and are deleted.
 */
export interface ApiTokenUsesTable {
	/** Id of the token, or of the first one in its chain of replacements. */
	token: string;
	chain: string;
	/** A txid, so that the same transaction counts once; otherwise an id made for this use. */
	ref: string;
	/** Satoshi. */
	amount: Int64;
	/** Unix milliseconds. */
	at: Int64;
	/** Number of sends that rely on this use. A send that reached no daemon gives its claim back. */
	claims: Int64;
}

/** One row per token that has used something, written to as a lock while a send is counted. */
export interface ApiTokenCountsTable {
	token: string;
	counted: Int64;
}

export interface ApiTokenTables {
	api_tokens: ApiTokensTable;
	api_token_uses: ApiTokenUsesTable;
	api_token_counts: ApiTokenCountsTable;
}
