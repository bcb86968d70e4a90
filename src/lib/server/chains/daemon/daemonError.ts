import type { CodedError, CodesOf, ErrorParams } from '#lib/messages/errors/index.ts';
import { AppError } from '../../platform/errors/appError.ts';

export type DaemonErrorCode = CodesOf<'daemon'>;

/** A failed call to a daemon; its params name the daemon and the method and say whether the request was delivered. */
export type DaemonError = AppError<DaemonErrorCode>;

/** Identifies the failed call. */
interface CalledPlace {
	daemon: string;
	method: string;
	requestId?: string | undefined;
}

/** The params that a code needs besides those of the call. */
export type DaemonFacts<Code extends DaemonErrorCode> = Omit<ErrorParams<Code>, keyof CalledPlace>;

/** Builds the error of one call. */
export const daemonError = <Code extends DaemonErrorCode>(
	code: Code,
	place: CalledPlace,
	facts: DaemonFacts<Code>,
	cause?: unknown
): AppError<Code> =>
	AppError.of({ code, params: { ...place, ...facts } } as unknown as CodedError<Code>, { cause });
