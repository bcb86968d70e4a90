import { approvalFile } from '#lib/server/access/approvals/list.ts';
import { listFile } from '../../listFile.ts';
import { requireMember } from '../../requireMember.ts';
import type { RequestHandler } from './$types';

/** Exports all requests of a tab as a file. */
export const GET: RequestHandler = ({ locals, params, url }) => {
	const { account } = requireMember(locals);
	const { db, approvals } = locals.app;
	return listFile(locals, params.form, async (form) =>
		approvalFile(db, await approvals.readerOf(account), url.searchParams, form)
	);
};
