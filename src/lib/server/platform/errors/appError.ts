import {
	errorFacts,
	errorMessage,
	type CodedError,
	type CodesOf,
	type ErrorAreaName,
	type ErrorCode,
	type ErrorParams
} from '#lib/messages/errors/index.ts';

interface AppErrorOptions {
	cause?: unknown;
	/** The form field or parameter that the error concerns, where the catalog does not name it. */
	field?: string;
}

/** Constructor arguments after the code: a code whose message has no params needs none. */
type Rest<Code extends ErrorCode> =
	Record<string, never> extends ErrorParams<Code>
		? [params?: ErrorParams<Code>, options?: AppErrorOptions]
		: [params: ErrorParams<Code>, options?: AppErrorOptions];

/** Returns the seconds to wait from an error's params; null when there are none. */
const waitOf = (params: object): number | null =>
	'retryAfter' in params && typeof params.retryAfter === 'number' ? params.retryAfter : null;

/**
 * An error of the catalog: its code, and the params for its message. `message` consists of whole sentences and
 * contains no credential.
 */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
	override readonly name = 'AppError';
	readonly code: Code;
	readonly params: ErrorParams<Code>;
	/** HTTP status of a response that reports this error. */
	readonly status: number;
	/** The form field or parameter that the error concerns. */
	readonly field: string | null;
	/** Seconds after which a retry makes sense. */
	readonly retryAfter: number | null;

	constructor(code: Code, ...[params, options = {}]: Rest<Code>) {
		const given = (params ?? {}) as ErrorParams<Code>;
		super(
			errorMessage(code, given),
			options.cause === undefined ? undefined : { cause: options.cause }
		);
		const { status, field } = errorFacts(code);
		this.code = code;
		this.params = given;
		this.status = status;
		this.field = options.field ?? field;
		this.retryAfter = waitOf(given);
	}

	/** Recreates an error that was stored, or passed from another thread. */
	static of<Code extends ErrorCode>(
		{ code, params }: CodedError<Code>,
		options?: AppErrorOptions
	): AppError<Code> {
		return new AppError<Code>(code, ...([params, options] as unknown as Rest<Code>));
	}

	/** The form in which the error is stored and passed on. */
	get coded(): CodedError<Code> {
		return { code: this.code, params: this.params } as CodedError<Code>;
	}
}

/**
 * Whether a value is an AppError; with selectors, whether it has one of these codes or areas.
 *
 * @param selectors codes such as `account.name-taken`, or areas such as `account`
 */
export function isAppError<Selector extends ErrorCode | ErrorAreaName = ErrorAreaName>(
	error: unknown,
	...selectors: readonly Selector[]
): error is AppError<CodesOf<Selector>> {
	if (!(error instanceof AppError)) return false;
	const code: string = error.code;
	return (
		selectors.length === 0 ||
		selectors.some((selector) => code === selector || code.startsWith(`${selector}.`))
	);
}
