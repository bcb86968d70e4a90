/** Errors of the catalog, stored inside other messages. */
import { z } from 'zod';
import {
	ERRORS,
	errorMessage,
	type CodedError,
	type ErrorCode,
	type ErrorParams
} from './index.ts';

/** Returns the part of a thrown error that is stored. */
export const recordedError = ({
	code,
	params
}: {
	readonly code: ErrorCode;
	readonly params: ErrorParams;
}): CodedError => ({ code, params }) as CodedError;

/** Renders the message of a stored error. */
export const recordedText = ({ code, params }: CodedError): string => errorMessage(code, params);

const Outer = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) });

/** Whether a value is an error of the current catalog with all parameters of its message. */
function isRecorded(value: unknown): value is CodedError {
	const { success, data } = Outer.safeParse(value);
	if (!success || !Object.hasOwn(ERRORS, data.code)) return false;
	try {
		recordedText(data as unknown as CodedError);
		return true;
	} catch {
		return false;
	}
}

/** Returns the message of an error in a column. A sentence, as early releases stored it, is returned unchanged. */
export function storedErrorMessage(stored: string): string {
	try {
		const value: unknown = JSON.parse(stored);
		return isRecorded(value) ? recordedText(value) : stored;
	} catch {
		return stored;
	}
}

/** Schema for an error that is a parameter of a stored message. */
export const RECORDED = z.custom<CodedError>(isRecorded);
