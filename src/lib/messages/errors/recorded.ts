/** Errors of the catalogue as they are stored in other messages. */
import { z } from 'zod';
import {
	ERRORS,
	errorMessage,
	type CodedError,
	type ErrorCode,
	type ErrorParams
} from './index.ts';

/** What is stored of an error that was thrown. */
export const recordedError = ({
	code,
	params
}: {
	readonly code: ErrorCode;
	readonly params: ErrorParams;
}): CodedError => ({ code, params }) as CodedError;

/** What the error says, in English. */
export const recordedText = ({ code, params }: CodedError): string => errorMessage(code, params);

const Outer = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) });

/** True when the value is an error of today's catalogue with all that its message needs. */
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

/** The words of an error in a column. What an earlier release wrote there, a sentence, is shown as it was. */
export function storedErrorMessage(stored: string): string {
	try {
		const value: unknown = JSON.parse(stored);
		return isRecorded(value) ? recordedText(value) : stored;
	} catch {
		return stored;
	}
}

/** An error as a parameter of a stored message. */
export const RECORDED = z.custom<CodedError>(isRecorded);
