import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

/** Who a provider says somebody is, and whose account that is. */
export interface IdentitiesTable {
	/** As ID tokens say it: with the subject, all that names an identity. */
	issuer: string;
	subject: string;
	account_id: string;
	/** What the provider called it when it was linked: shown to people, decides nothing. */
	label: string;
	/** Unix milliseconds. */
	linked_at: Int64;
	last_used_at: NullableInt64;
}

/** An identity that its own member unlinked: while the account can be used, it opens no other one. */
export interface UnlinkedIdentitiesTable {
	issuer: string;
	subject: string;
	/** From whose account. */
	account_id: string;
}

/** A browser that was sent to the provider, until it comes back. */
export interface SignOnFlowsTable {
	/** HMAC of what stands in the cookie of the browser, hex. */
	browser_hash: string;
	purpose: 'sign-in' | 'join' | 'link' | 'confirm';
	/** The account that links or confirms; null otherwise. */
	account_id: NullableText;
	/** The session in which it does, as `sessions.id_hash`; null otherwise. */
	session_hash: NullableText;
	/** The invitation that is accepted; null otherwise. */
	link_id: NullableText;
	/** The path to go on with. */
	next: string;
	/** Unix milliseconds. */
	created_at: Int64;
	expires_at: Int64;
	/** When the browser came back. A second time is refused. */
	used_at: NullableInt64;
	/** HMAC that binds the row to its browser. */
	mac: string;
}

/** A logout that the provider sent: the same one a second time does nothing. */
export interface SignOnLogoutsTable {
	/** SHA-256 of its issuer and id, hex. */
	token_id: string;
	/** From when it would be refused for its age alone. Unix milliseconds. */
	forget_at: Int64;
	/** Whose sessions it ends, or which one; null where it names none, or came before they were noted. */
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
