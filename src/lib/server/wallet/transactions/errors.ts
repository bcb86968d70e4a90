/** Something stands in the way of a transaction. The message is for people. */
export type SendingErrorCode =
	/** A field of the form is wrong; `field` names it. */
	| 'bad-field'
	/** The daemon is not the one on record, or has no wallet key. */
	| 'wrong-daemon'
	/** The daemon could not be asked, or refused to build. */
	| 'not-built'
	/** The wallet is locked or lacks the key. */
	| 'unsigned'
	/** The bytes are not what was asked for. */
	| 'mismatch'
	/** Another reviewed transaction spends the same outputs. */
	| 'reserved'
	/** The review is unknown, too old, or was used. */
	| 'gone'
	/** The wallet is not the person's to use. */
	| 'not-yours'
	/** The person's daily limit. */
	| 'limit';

export class SendingError extends Error {
	override readonly name = 'SendingError';
	readonly code: SendingErrorCode;
	/** The form's field, for `bad-field`. */
	readonly field: string | undefined;
	/** The page of what stands in the way, for `reserved`. */
	readonly at: string | undefined;

	constructor(
		code: SendingErrorCode,
		message: string,
		options: { field?: string; cause?: unknown; at?: string } = {}
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.code = code;
		this.field = options.field;
		this.at = options.at;
	}
}
