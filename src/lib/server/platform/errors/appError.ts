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
	/** The field of a form or the parameter that it belongs to, where the catalogue does not say it. */
	field?: string;
}

/** Codes whose message needs no params are thrown without. */
type Rest<Code extends ErrorCode> =
	Record<string, never> extends ErrorParams<Code>
		? [params?: ErrorParams<Code>, options?: AppErrorOptions]
		: [params: ErrorParams<Code>, options?: AppErrorOptions];

/** The seconds to wait that an error's params hold. */
const waitOf = (params: object): number | null =>
	'retryAfter' in params && typeof params.retryAfter === 'number' ? params.retryAfter : null;

/**
 * What went wrong, as a code of the catalogue with what its message is rendered from. `message` holds whole
 * sentences and no credential.
 */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
	override readonly name = 'AppError';
	readonly code: Code;
	readonly params: ErrorParams<Code>;
	/** HTTP status of an answer that says this error. */
	readonly status: number;
	/** The field of a form or the parameter that it belongs to. */
	readonly field: string | null;
	/** Seconds after which the same may be tried again. */
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

	/** The error that was stored, or handed over from another thread. */
	static of<Code extends ErrorCode>(
		{ code, params }: CodedError<Code>,
		options?: AppErrorOptions
	): AppError<Code> {
		return new AppError<Code>(code, ...([params, options] as unknown as Rest<Code>));
	}

	/** What is stored of it and handed on. */
	get coded(): CodedError<Code> {
		return { code: this.code, params: this.params } as CodedError<Code>;
	}
}

/**
 * Whether something is an error of the catalogue: of any code, or of one of these codes or areas.
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
