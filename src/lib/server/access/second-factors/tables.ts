import type { Int64, NullableInt64, NullableText } from '../../platform/database/columns.ts';

export type FactorKind = 'totp' | 'passkey';

/** A second factor of a member. */
export interface SecondFactorsTable {
	id: string;
	account_id: string;
	kind: FactorKind;
	/** The member's name for it. */
	name: string;
	/** The shared secret of an app, encrypted; null for a passkey. */
	totp_secret: NullableText;
	/** Base64url, unique; null for an app. */
	credential_id: NullableText;
	/** COSE key, base64url; null for an app. */
	public_key: NullableText;
	/** JSON array of the transports that the browser told; null for an app. */
	transports: NullableText;
	/** Time step of the last accepted code: no code of this step or an earlier one is accepted again. */
	last_step: NullableInt64;
	/** The last signature counter of the authenticator. */
	sign_count: NullableInt64;
	/** Unix milliseconds. */
	created_at: Int64;
	last_used_at: NullableInt64;
}

/** A recovery code, which works once. */
export interface RecoveryCodesTable {
	account_id: string;
	/** HMAC of the code, hex. */
	code_hash: string;
	/** Unix milliseconds. */
	created_at: Int64;
	used_at: NullableInt64;
}

/** A pending login, set-up or passkey challenge: short-lived, used once. */
export interface FactorChallengesTable {
	/** HMAC of the id, hex. */
	id_hash: string;
	purpose: string;
	/** Null at a login by passkey alone, where the account is not known yet. */
	account_id: NullableText;
	/** Its content, encrypted. */
	content: string;
	/**
	 * HMAC over id, purpose, account, expiry and browser. The two columns below are not covered, since they
	 * only allow ending it.
	 */
	mac: string;
	/** Issuer of the provider that began a login; null: none. */
	issuer: NullableText;
	/** The provider's id of its own session. */
	provider_session: NullableText;
	/** Unix milliseconds. */
	expires_at: Int64;
}

export interface SecondFactorTables {
	second_factors: SecondFactorsTable;
	recovery_codes: RecoveryCodesTable;
	factor_challenges: FactorChallengesTable;
}
