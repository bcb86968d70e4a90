import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

export type FactorKind = 'totp' | 'passkey';

/** Something besides the password by which a member shows who they are. */
export interface SecondFactorsTable {
	id: string;
	account_id: string;
	kind: FactorKind;
	/** As the member calls it. */
	name: string;
	/** The shared secret of an app, encrypted; null for a passkey. */
	totp_secret: NullableText;
	/** Base64url, unique; null for an app. */
	credential_id: NullableText;
	/** COSE key, base64url; null for an app. */
	public_key: NullableText;
	/** JSON array of what the browser said; null for an app. */
	transports: NullableText;
	/** The last step of time whose code was taken: no code of it or before is taken again. */
	last_step: NullableInt64;
	/** The last count that the authenticator signed. */
	sign_count: NullableInt64;
	/** Unix milliseconds. */
	created_at: Int64;
	last_used_at: NullableInt64;
}

/** A code on paper that works once. */
export interface RecoveryCodesTable {
	account_id: string;
	/** HMAC of the code, hex. */
	code_hash: string;
	/** Unix milliseconds. */
	created_at: Int64;
	used_at: NullableInt64;
}

/** What is under way: a login after the password, or a passkey's challenge. Used once, for a short time. */
export interface FactorChallengesTable {
	/** HMAC of the id, hex. */
	id_hash: string;
	purpose: string;
	/** Null: whoever signs it, at the login by passkey. */
	account_id: NullableText;
	/** What belongs to it, encrypted. */
	content: string;
	/** HMAC over all of it and the browser, but for what only ends it: the two below. */
	mac: string;
	/** The provider that began a login; null: none. */
	issuer: NullableText;
	/** What the provider calls its session. */
	provider_session: NullableText;
	/** Unix milliseconds. */
	expires_at: Int64;
}

export interface SecondFactorTables {
	second_factors: SecondFactorsTable;
	recovery_codes: RecoveryCodesTable;
	factor_challenges: FactorChallengesTable;
}
