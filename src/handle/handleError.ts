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

/** What people are told of an error that nobody caught. */
export const handleError: HandleServerError = ({ error, event, status }) => {
	// A failure before `handle` has no id yet.
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

/** What SvelteKit itself does not serve: it has words of its own for it, which say nothing to a reader. */
function unanswered(status: number, isPost: boolean): Omit<App.Error, 'requestId'> {
	if (status === 404) {
		return { ...(isPost ? UNANSWERED.noForm : UNANSWERED.nowhere), code: 'not-found' };
	}
	return {
		...(status === 415 ? { message: NOT_A_FORM } : UNANSWERED.unreadable),
		code: 'bad-request'
	};
}

/** The code of one of our own errors; other libraries' codes say nothing to a reader. */
function codeOf(error: unknown): string {
	if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
		if (/^[a-z]+(-[a-z]+)*$/.test(error.code)) return error.code;
	}
	return 'internal';
}
