/** `secret-key-invalid`: missing, weak, damaged or another one; `seal-broken`: what was encrypted cannot be read. */
type SecretErrorCode = 'secret-key-invalid' | 'seal-broken';

/** The key of this installation, or what is encrypted under it, is not what it has to be. */
export class SecretError extends Error {
	override readonly name = 'SecretError';
	readonly code: SecretErrorCode;

	constructor(code: SecretErrorCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
