import type { CodedError, CodesOf, ErrorParams } from '#lib/messages/errors/index.ts';
import { AppError } from '../../platform/errors/appError.ts';

export type KdfErrorCode = CodesOf<'kdf'>;

/** A call to a trading node that did not give a result: which one, and whether it was delivered, is in its params. */
export type KdfError = AppError<KdfErrorCode>;

/** Which call it was. */
interface CalledPlace {
	kdf: string;
	/** Name on the wire. */
	method: string;
	requestId?: string | undefined;
}

/** What a code needs besides the call itself. */
export type KdfFacts<Code extends KdfErrorCode> = Omit<ErrorParams<Code>, keyof CalledPlace>;

/** The error of one call. */
export const kdfError = <Code extends KdfErrorCode>(
	code: Code,
	place: CalledPlace,
	facts: KdfFacts<Code>,
	cause?: unknown
): AppError<Code> =>
	AppError.of({ code, params: { ...place, ...facts } } as unknown as CodedError<Code>, { cause });
