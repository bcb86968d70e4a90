import type { CodedError, CodesOf, ErrorParams } from '#lib/messages/errors/index.ts';
import { AppError } from '../../platform/errors/appError.ts';

export type DaemonErrorCode = CodesOf<'daemon'>;

/** A call to a daemon that did not give a result: which one, and whether it was delivered, is in its params. */
export type DaemonError = AppError<DaemonErrorCode>;

/** Which call it was. */
interface CalledPlace {
	daemon: string;
	method: string;
	requestId?: string | undefined;
}

/** What a code needs besides the call itself. */
export type DaemonFacts<Code extends DaemonErrorCode> = Omit<ErrorParams<Code>, keyof CalledPlace>;

/** The error of one call. */
export const daemonError = <Code extends DaemonErrorCode>(
	code: Code,
	place: CalledPlace,
	facts: DaemonFacts<Code>,
	cause?: unknown
): AppError<Code> =>
	AppError.of({ code, params: { ...place, ...facts } } as unknown as CodedError<Code>, { cause });
