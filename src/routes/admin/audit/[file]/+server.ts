import { auditFile } from '#lib/server/access/audit/list.ts';
import { listFile } from '../../../listFile.ts';
import type { RequestHandler } from './$types';

/** Exports all events of a filter as a file; the export itself is recorded. */
export const GET: RequestHandler = ({ locals, params: { file }, url }) => {
	const { db, audit } = locals.app;
	const [, ending = ''] = /^audit\.(csv|json)$/.exec(file) ?? [];
	return listFile(locals, ending, async (form) => {
		const answer = await auditFile(db, url.searchParams, form);
		await audit.append({
			actor: locals.account?.name ?? 'visitor',
			action: 'audit.exported',
			target: file,
			detail: { filter: url.search.slice(1, 500) }
		});
		return answer;
	});
};
