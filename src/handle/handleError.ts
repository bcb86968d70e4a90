import {
	DUPLICATE,
	FAILED_BEHIND,
	NOT_A_FORM,
	requestFailed,
	UNANSWERED
} from '#lib/messages/requests.ts';
import { randomUUID } from 'node:crypto';
import type { HandleServerError } from '@sveltejs/kit';
import { isDuplicate } from '#lib/server/platform/database/duplicate.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { noteDatabaseError } from './databaseFaults.ts';
import { logError } from './log.ts';

/** Converts an uncaught error to what users are told. */
export const handleError: HandleServerError = ({ error, event, status }) => {
	// A failure before `handle` ran has no request id yet.
	event.locals.requestId ||= randomUUID();
	const { requestId } = event.locals;
	if (status < 500) {
		return { ...unanswered(status, event.request.method === 'POST'), requestId };
	}
	const kind = noteDatabaseError(event, error);
	if (kind !== null) return kind;
	if (isDuplicate(error)) {
		event.locals.answerAs = 409;
		return {
			message: DUPLICATE.what,
			safe: DUPLICATE.safe,
			next: DUPLICATE.next,
			code: 'duplicate',
			requestId
		};
	}
	if (isAppError(error, 'account.not-admin')) {
		event.locals.answerAs = error.status;
		return { message: error.message, code: error.code, requestId };
	}
	logError(event, error, status, 'request failed');
	return {
		...(event.locals.work?.acted === true ? FAILED_BEHIND : {}),
		message: requestFailed(requestId),
		code: codeOf(error),
		requestId
	};
};

/** Messages for what SvelteKit itself refuses, replacing its own, which do not help users. */
function unanswered(status: number, isPost: boolean): Omit<App.Error, 'requestId'> {
	if (status === 404) {
		return { ...(isPost ? UNANSWERED.noForm : UNANSWERED.nowhere), code: 'not-found' };
	}
	return {
		...(status === 415 ? { message: NOT_A_FORM } : UNANSWERED.unreadable),
		code: 'bad-request'
	};
}

/** Returns the code of an error of this application; codes of libraries do not help users. */
function codeOf(error: unknown): string {
	if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
		if (/^[a-z]+(-[a-z]+)*$/.test(error.code)) return error.code;
	}
	return 'internal';
}
