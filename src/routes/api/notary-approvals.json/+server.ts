import { publicAnswer } from '#lib/server/cross-chain/notary-approvals/answer.ts';
import { feedOf } from '#lib/server/cross-chain/notary-approvals/feed.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals: { app }, request, url }) => {
	const waiting = await app.notaryApprovals.waiting(url.searchParams.get('after'));
	return publicAnswer(request, feedOf(waiting, app.auth.origin));
};
