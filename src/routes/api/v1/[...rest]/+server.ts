import { answering } from '#lib/server/chains/lists/answer.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import type { RequestHandler } from './$types';

/** What no other route of the API knows is answered in the API's own form. */
export const GET: RequestHandler = ({ locals: { requestId } }) =>
	answering(requestId, () => Promise.reject(new AppError('api.nothing-here')));
