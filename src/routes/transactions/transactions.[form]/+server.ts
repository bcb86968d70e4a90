import { error } from '@sveltejs/kit';
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { answering } from '#lib/server/chains/lists/answer.ts';
import { transactionFile } from '#lib/server/wallet/transactions/list.ts';
import type { RequestHandler } from './$types';

const FORMS: Readonly<Record<string, 'csv' | 'export'>> = {
	csv: 'csv',
	json: 'export'
};

/** All of a filter as a file. */
export const GET: RequestHandler = ({ locals, params, url }) => {
	const form = Object.hasOwn(FORMS, params.form)
		? FORMS[params.form]!
		: error(404, { message: PLAIN_ANSWERS.notFound });
	return answering(locals.requestId, async () => {
		const answer = await transactionFile(locals.app.db, url.searchParams, form);
		answer.headers.set('cache-control', 'private, no-store');
		return answer;
	});
};
