import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/** An identity at a provider, and the account that it belongs to. */
export interface IdentitiesTable {
	/** The issuer of its ID tokens; with the subject, the only identifier of an identity. */
	issuer: string;
	subject: string;
	account_id: string;
	/** The provider's name for it, as of the last login: for display only. */
	label: string;
	/** Unix milliseconds. */
	linked_at: Int64;
	last_used_at: NullableInt64;
}

/**
 * An identity that its own member unlinked: while that account may be used, it cannot be linked to another
 * account.
 */
export interface UnlinkedIdentitiesTable {
	issuer: string;
	subject: string;
	/** The account from which it was unlinked. */
	account_id: string;
}

/** A browser that was sent to the provider, until it comes back. */
export interface SignOnFlowsTable {
	/** HMAC of the browser's cookie value, hex. */
	browser_hash: string;
	purpose: 'sign-in' | 'join' | 'link' | 'confirm';
	/** The account that links or confirms; null for other purposes. */
	account_id: NullableText;
	/** The session in which it does, as `sessions.id_hash`; null for other purposes. */
	session_hash: NullableText;
	/** The invitation that is accepted; null for other purposes. */
	link_id: NullableText;
	/** Path to which the browser is sent afterwards. */
	next: string;
	/** Unix milliseconds. */
	created_at: Int64;
	expires_at: Int64;
	/** When the browser came back; it is refused the second time. */
	used_at: NullableInt64;
	/** HMAC that binds the row to its browser. */
	mac: string;
}

/** A logout that the provider sent, stored so that a replay is refused. */
export interface SignOnLogoutsTable {
	/** SHA-256 of its issuer and id, hex. */
	token_id: string;
	/** From when it would be refused for its age alone. Unix milliseconds. */
	forget_at: Int64;
	/**
	 * The subject or session that it ends; null where it names none, or where an earlier version stored the
	 * row.
	 */
	issuer: NullableText;
	subject: NullableText;
	provider_session: NullableText;
}

export interface SingleSignOnTables {
	identities: IdentitiesTable;
	unlinked_identities: UnlinkedIdentitiesTable;
	sign_on_flows: SignOnFlowsTable;
	sign_on_logouts: SignOnLogoutsTable;
}
