import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';
import type { Role } from '../policy/roles.ts';

/** A personal token for scripts. */
export interface ApiTokensTable {
	id: string;
	account_id: string;
	name: string;
	/** HMAC of the token, hex. */
	token_hash: string;
	/** The most the token may do; the person's own role bounds it at every use. */
	role: Role;
	/** JSON array of method names, or null for every method that the role may call. */
	methods: NullableText;
	/** JSON array of daemon ids, or null for all. */
	daemons: NullableText;
	/** JSON array of networks from which it may be used, or null for all. */
	addresses: NullableText;
	/** JSON array of the daemons whose wallets it may use, or null for those of its member. */
	wallets: NullableText;
	/** JSON array of the most that it takes of a chain's coins, or null for no such limit. */
	amounts: NullableText;
	/** JSON array of addresses that it may pay, or null for all. */
	recipients: NullableText;
	/** Id under which its uses are counted, where it replaces another token; null: its own. */
	counted_as: NullableText;
	created_at: Int64;
	expires_at: NullableInt64;
	last_used_at: NullableInt64;
	/** From where, and with which client, as far as the request told. */
	last_used_address: NullableText;
	last_used_agent: NullableText;
	revoked_at: NullableInt64;
}

/** What went out with a token whose amounts are limited. Rows older than 24 hours are of no use and go. */
export interface ApiTokenUsesTable {
	/** Id of the token, or of the first one that it replaces. */
	token: string;
	chain: string;
	/** A txid, so that the same transaction counts once; else an id made for this one use. */
	ref: string;
	/** Satoshi. */
	amount: Int64;
	/** Unix milliseconds. */
	at: Int64;
	/** How many sends of it rely on it: those that reached nobody give it back. */
	claims: Int64;
}

/** A row for each token that has used something: locked while it is counted. */
export interface ApiTokenCountsTable {
	token: string;
	counted: Int64;
}

export interface ApiTokenTables {
	api_tokens: ApiTokensTable;
	api_token_uses: ApiTokenUsesTable;
	api_token_counts: ApiTokenCountsTable;
}
