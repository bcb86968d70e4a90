import { answering } from '#lib/server/chains/lists/answer.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { RequestHandler } from './$types';

/** Responds in the API's error format to paths that no other route matches. */
export const GET: RequestHandler = ({ locals: { requestId } }) =>
	answering(requestId, () => Promise.reject(new AppError('api.nothing-here')));
