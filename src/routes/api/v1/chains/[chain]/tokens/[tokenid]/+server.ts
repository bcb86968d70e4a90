import { detailAnswer } from '#lib/server/api/detailAnswer.ts';
import type { RequestHandler } from './$types';
import { asked } from '../../../../asked.ts';

export const GET: RequestHandler = (event) => {
	const { chain, tokenid } = event.params;
	return detailAnswer('tokens', { ...asked(event), chain, id: tokenid });
};
