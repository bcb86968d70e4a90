import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import {
	givenId,
	publicAnswer,
	publicError,
	publicResult,
	smallBody
} from '#lib/server/cross-chain/notary-approvals/answer.ts';
import {
	FEED_FORMAT,
	FEED_VERSION,
	feedBurn
} from '#lib/server/cross-chain/notary-approvals/feed.ts';
import { refusalText, REQUESTS, stateText } from '#lib/messages/notary-approvals/given.ts';
import { REFUSAL_STATUS } from '#lib/server/cross-chain/notary-approvals/refusalStatus.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals: { app }, params, request }) => {
	const found = await app.notaryApprovals.published(params.txid);
	if (!found) {
		return publicError(404, {
			code: 'no-such-burn',
			message: refusalText('no-such-burn', '')
		});
	}
	const burn = feedBurn(found, app.auth.origin);
	return publicAnswer(request, { format: FEED_FORMAT, version: FEED_VERSION, burn });
};

/** Accepts `{"txid":"…"}` from anyone: without account or session, and from any site. */
export const POST: RequestHandler = async ({
	locals: { app },
	params,
	request,
	getClientAddress
}) => {
	const text = await smallBody(request);
	if (text === null) {
		return publicError(413, { code: 'too-large', message: REQUESTS['too-large'] });
	}
	const txid = givenId(text);
	if (txid === null) {
		return publicError(400, {
			code: 'bad-body',
			message: REQUESTS['bad-body']
		});
	}
	const result = await app.notaryApprovals.give(params.txid, txid, {
		address: getClientAddress(),
		account: null
	});
	if (result.kind === 'refused') {
		const { code, chain, retryAfter } = result;
		const headers = retryAfter === null ? undefined : { 'retry-after': String(retryAfter) };
		return publicError(REFUSAL_STATUS[code], { code, message: refusalText(code, chain) }, headers);
	}
	const { status, notary, counted, chain } = result;
	return publicResult(status === 'unknown' ? 202 : 200, {
		txid: txid.trim().toLowerCase(),
		state: status,
		message: stateText(status, chain),
		notary,
		approvalsCounted: counted,
		approvalsNeeded: APPROVALS_NEEDED
	});
};
