/** A failed call, rendered as text, and as parameters of a stored message. */
import { z } from 'zod';
import { daemon } from '../errors/daemon.ts';
import type { CodedError } from '../errors/index.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { explainDaemon, type DaemonError } from '../errors/explainDaemon.ts';

export const isDaemonError = (error: CodedError): error is DaemonError =>
	Object.hasOwn(daemon, error.code);

/** Renders what happened; includes the explanation of a daemon's error message. */
export const explainedMessage = (error: CodedError): string =>
	isDaemonError(error) ? explainDaemon(error).what : recordedText(error);

/** `detail`: the message text, in rows of early releases, which stored it. */
export const FAILED_CALL = { error: RECORDED.optional(), detail: z.string().optional() };

/** Renders what failed, as sentences. */
export const failedCall = ({
	error,
	detail = ''
}: {
	error?: CodedError | undefined;
	detail?: string | undefined;
}): string => (error === undefined ? detail : explainedMessage(error));
