import { detailAnswer } from '#lib/server/api/detailAnswer.ts';
import type { RequestHandler } from './$types';
import { asked } from '../../../../asked.ts';

export const GET: RequestHandler = (event) => {
	const { chain, txid } = event.params;
	return detailAnswer('tx', { ...asked(event), chain, id: txid });
};
