import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';
import { error } from '@sveltejs/kit';
import { auditFile } from '#lib/server/access/audit/list.ts';
import { answering } from '#lib/server/chains/lists/answer.ts';
import type { RequestHandler } from './$types';

const FORMS: Readonly<Record<string, 'csv' | 'export'>> = {
	'audit.csv': 'csv',
	'audit.json': 'export'
};

/** The whole of a filter as a file; who took it is on record too. */
export const GET: RequestHandler = ({ locals, params: { file }, url }) => {
	const form = Object.hasOwn(FORMS, file)
		? FORMS[file]!
		: error(404, { message: PLAIN_ANSWERS.notFound });
	const { db, audit } = locals.app;
	return answering(locals.requestId, async () => {
		const answer = await auditFile(db, url.searchParams, form);
		await audit.append({
			actor: locals.account?.name ?? 'visitor',
			action: 'audit.exported',
			target: file,
			detail: { filter: url.search.slice(1, 500) }
		});
		answer.headers.set('cache-control', 'private, no-store');
		return answer;
	});
};
