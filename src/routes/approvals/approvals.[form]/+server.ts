import { error } from '@sveltejs/kit';
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { approvalFile } from '#lib/server/access/approvals/list.ts';
import { answering } from '#lib/server/chains/lists/answer.ts';
import { requireMember } from '../../requireMember.ts';
import type { RequestHandler } from './$types';

const FORMS: Readonly<Record<string, 'csv' | 'export'>> = {
	csv: 'csv',
	json: 'export'
};

/** All requests of a tab as a file. */
export const GET: RequestHandler = ({ locals, params, url }) => {
	const form = Object.hasOwn(FORMS, params.form)
		? FORMS[params.form]!
		: error(404, { message: PLAIN_ANSWERS.notFound });
	const { account } = requireMember(locals);
	const { db, approvals } = locals.app;
	return answering(locals.requestId, async () => {
		const reader = await approvals.readerOf(account);
		const answer = await approvalFile(db, reader, url.searchParams, form);
		answer.headers.set('cache-control', 'private, no-store');
		return answer;
	});
};
