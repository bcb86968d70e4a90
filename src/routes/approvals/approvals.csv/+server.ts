import { approvalFile } from '#lib/server/access/approvals/file.ts';
import { requireMember } from '../../requireMember.ts';
import { filterOf } from '../shown.ts';
import type { RequestHandler } from './$types';

/** The requests of a filter as a file. */
export const GET: RequestHandler = async ({ locals, url }) => {
	const { account } = requireMember(locals);
	const requests = await locals.app.approvals.list(filterOf(url.searchParams), account.id);
	return new Response(approvalFile(requests), {
		headers: {
			'content-type': 'text/csv; charset=utf-8',
			'content-disposition': 'attachment; filename="approvals.csv"',
			'cache-control': 'private, no-store'
		}
	});
};
