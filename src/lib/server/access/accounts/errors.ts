/** Why an account, a password, a token or a sign-in was refused. Stable: pages and tests name them. */
type AuthErrorCode =
	| 'name-invalid'
	| 'name-taken'
	| 'role-invalid'
	| 'role-too-high'
	| 'password-too-short'
	| 'password-too-long'
	| 'password-is-name'
	| 'password-common'
	| 'wrong-credentials'
	| 'throttled'
	| 'link-unusable'
	| 'token-invalid'
	| 'token-name-invalid'
	| 'token-expiry-invalid'
	| 'account-unknown'
	| 'account-disabled'
	| 'account-changed'
	| 'last-admin'
	| 'successor-unfit';

/** The field of a form that an error belongs to. */
type AuthField = 'name' | 'password' | 'role' | 'expires' | 'current' | 'successor';

/** A refusal of the sign-in code. The message is a sentence for a person and holds no credential. */
export class AuthError extends Error {
	readonly code: AuthErrorCode;
	readonly field: AuthField | null;
	/** Seconds to wait, for `throttled`. */
	readonly retryAfter: number | null;

	constructor(
		code: AuthErrorCode,
		message: string,
		more: { field?: AuthField; retryAfter?: number; cause?: unknown } = {}
	) {
		super(message, more.cause === undefined ? undefined : { cause: more.cause });
		this.name = 'AuthError';
		this.code = code;
		this.field = more.field ?? null;
		this.retryAfter = more.retryAfter ?? null;
	}
}
