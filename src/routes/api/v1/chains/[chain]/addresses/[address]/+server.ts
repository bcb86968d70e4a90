import { detailAnswer } from '#lib/server/api/detailAnswer.ts';
import type { RequestHandler } from './$types';
import { asked } from '../../../../asked.ts';

export const GET: RequestHandler = (event) => {
	const { chain, address } = event.params;
	return detailAnswer('addresses', { ...asked(event), chain, id: address });
};
