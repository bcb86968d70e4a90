import { listAnswer } from '#lib/server/api/listAnswer.ts';
import type { RequestHandler } from './$types';
import { asked } from '../asked.ts';

export const GET: RequestHandler = (event) => {
	const { file } = event.params;
	return listAnswer({ ...asked(event), file });
};
