import { DUPLICATE, requestFailed } from '#lib/messages/requests.ts';
import { randomUUID } from 'node:crypto';
import type { HandleServerError } from '@sveltejs/kit';
import { isDuplicate } from '#lib/server/platform/database/duplicate.ts';
import { noteDatabaseError } from './databaseFaults.ts';
import { logError } from './log.ts';

/** What people are told of an error that nobody caught. */
export const handleError: HandleServerError = ({ error, event, status, message }) => {
	// A failure before `handle` has no id yet.
	event.locals.requestId ||= randomUUID();
	const { requestId } = event.locals;
	if (status < 500) {
		return { message, code: status === 404 ? 'not-found' : 'bad-request', requestId };
	}
	const kind = noteDatabaseError(event, error);
	if (kind !== null) return kind;
	if (isDuplicate(error)) {
		event.locals.duplicate = true;
		return {
			message: DUPLICATE.what,
			safe: DUPLICATE.safe,
			next: DUPLICATE.next,
			code: 'duplicate',
			requestId
		};
	}
	logError(event, error, status, 'request failed');
	return {
		message: requestFailed(requestId),
		code: codeOf(error),
		requestId
	};
};

/** The code of one of our own errors; other libraries' codes say nothing to a reader. */
function codeOf(error: unknown): string {
	if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
		if (/^[a-z]+(-[a-z]+)*$/.test(error.code)) return error.code;
	}
	return 'internal';
}
