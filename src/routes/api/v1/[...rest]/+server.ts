import { answering } from '#lib/server/chains/lists/answer.ts';
import { ApiError } from '#lib/server/chains/lists/errors.ts';
import type { RequestHandler } from './$types';

/** What no other route of the API knows is answered in the API's own form. */
export const GET: RequestHandler = ({ locals: { requestId } }) =>
	answering(requestId, () =>
		Promise.reject(
			new ApiError('not-found', 'There is nothing here. /api/openapi.json lists every address.')
		)
	);
