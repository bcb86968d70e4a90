import { detailAnswer } from '#lib/server/api/detailAnswer.ts';
import type { RequestHandler } from './$types';
import { asked } from '../../../../asked.ts';

export const GET: RequestHandler = (event) => {
	const { chain, id } = event.params;
	return detailAnswer('blocks', { ...asked(event), chain, id });
};
