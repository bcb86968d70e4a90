import type { CodedError, CodesOf, ErrorParams } from '#lib/messages/errors/index.ts';
import { AppError } from '../../platform/errors/appError.ts';

export type KdfErrorCode = CodesOf<'kdf'>;

/**
 * Error of a call to a trading node that gave no result; its params say which call, and whether it was delivered.
 */
export type KdfError = AppError<KdfErrorCode>;

/** The call that failed. */
interface CalledPlace {
	kdf: string;
	/** Name on the wire. */
	method: string;
	requestId?: string | undefined;
}

/** Params of a code, apart from the call itself. */
export type KdfFacts<Code extends KdfErrorCode> = Omit<ErrorParams<Code>, keyof CalledPlace>;

/** Creates the error of one call. */
export const kdfError = <Code extends KdfErrorCode>(
	code: Code,
	place: CalledPlace,
	facts: KdfFacts<Code>,
	cause?: unknown
): AppError<Code> =>
	AppError.of({ code, params: { ...place, ...facts } } as unknown as CodedError<Code>, { cause });
