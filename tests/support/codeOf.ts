import { isAppError } from '#lib/server/platform/errors/appError.ts';

/** The error code with which an action was refused; else its result text, or `done`. */
export async function codeOf(act: Promise<unknown>): Promise<string> {
	try {
		const given = await act;
		return typeof given === 'string' ? given : 'done';
	} catch (error) {
		if (!isAppError(error)) throw error;
		return error.code;
	}
}
