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
import {
	REFUSAL_STATUS,
	REFUSAL_WORDS,
	STANDING_WORDS
} from '#lib/server/cross-chain/notary-approvals/words.ts';
import type { RequestHandler } from './$types';

export const GET: RequestHandler = async ({ locals: { app }, params, request }) => {
	const found = await app.backup.published(params.txid);
	if (!found) {
		return publicError(404, {
			code: 'no-such-burn',
			message: REFUSAL_WORDS['no-such-burn']('')
		});
	}
	const burn = feedBurn(found, app.auth.origin);
	return publicAnswer(request, { format: FEED_FORMAT, version: FEED_VERSION, burn });
};

/** Takes `{"txid":"…"}` from anybody: no account, no session, any site. */
export const POST: RequestHandler = async ({
	locals: { app },
	params,
	request,
	getClientAddress
}) => {
	const text = await smallBody(request);
	if (text === null) {
		return publicError(413, { code: 'too-large', message: 'The body is larger than an id needs.' });
	}
	const txid = givenId(text);
	if (txid === null) {
		return publicError(400, {
			code: 'bad-body',
			message: 'Send JSON with the id of the approval: {"txid":"…"}.'
		});
	}
	const result = await app.backup.give(params.txid, txid, {
		address: getClientAddress(),
		account: null
	});
	if (result.kind === 'refused') {
		const { code, chain, retryAfter } = result;
		const headers = retryAfter === null ? undefined : { 'retry-after': String(retryAfter) };
		return publicError(
			REFUSAL_STATUS[code],
			{ code, message: REFUSAL_WORDS[code](chain) },
			headers
		);
	}
	const { standing, notary, counted, chain } = result;
	return publicResult(standing === 'unknown' ? 202 : 200, {
		txid: txid.trim().toLowerCase(),
		state: standing,
		message: STANDING_WORDS[standing](chain),
		notary,
		approvalsCounted: counted,
		approvalsNeeded: APPROVALS_NEEDED
	});
};
