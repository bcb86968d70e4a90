/** A call that failed: in words, and as params of a stored message. */
import { z } from 'zod';
import { daemon } from '../errors/daemon.ts';
import type { CodedError } from '../errors/index.ts';
import { RECORDED, recordedText } from '../errors/recorded.ts';
import { explainDaemon, type DaemonError } from './daemon.ts';

export const isDaemonError = (error: CodedError): error is DaemonError =>
	Object.hasOwn(daemon, error.code);

/** What happened, as sentences: with what is known about the words of a daemon. */
export const explainedMessage = (error: CodedError): string =>
	isDaemonError(error) ? explainDaemon(error).what : recordedText(error);

/** `detail`: its words, in rows of releases that stored those. */
export const FAILED_CALL = { error: RECORDED.optional(), detail: z.string().optional() };

/** What failed, as sentences. */
export const failedCall = ({
	error,
	detail = ''
}: {
	error?: CodedError | undefined;
	detail?: string | undefined;
}): string => (error === undefined ? detail : explainedMessage(error));
