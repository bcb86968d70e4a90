/** Why something about an activation was refused. The message is a sentence for a person. */
type ActivationErrorCode =
	| 'unknown-coin'
	| 'unknown-node'
	| 'unknown-activation'
	| 'ended'
	| 'not-asked'
	| 'held'
	| 'not-held'
	| 'bad-pin'
	| 'not-taken'
	| 'not-yours'
	| 'admin-only';

export class ActivationError extends Error {
	override readonly name = 'ActivationError';
	readonly code: ActivationErrorCode;

	constructor(code: ActivationErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}
