import { error } from '@sveltejs/kit';
import { PAGE_REFUSALS, type PageRefusalCode } from '#lib/messages/pageRefusals.ts';
import { ERROR_PAGE } from '#lib/messages/pages/errors.ts';
import { isRequestedRight } from '#lib/server/access/access-requests/rights.ts';
import { refusalOf } from '#lib/server/access/requests/guard.ts';
import { replayFormOf } from '#lib/server/platform/http/formReplay.ts';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import type { PageServerLoad } from './$types';

/** Replaces a page to which access was refused: says why, in the usual layout. */
export const load: PageServerLoad = ({ url, locals }) => {
	const asked = url.searchParams.get('why') ?? '';
	const code = Object.hasOwn(PAGE_REFUSALS, asked) ? (asked as PageRefusalCode) : 'forbidden';
	const { status, message } = refusalOf(code);
	const kept = replayFormOf(url.searchParams.get('kept'));
	const right = url.searchParams.get('right');
	error(status, {
		message: kept === null ? message : ERROR_PAGE.sessionOver,
		code,
		requestId: locals.requestId,
		...(kept === null ? {} : { kept }),
		...(isRequestedRight(right)
			? { lacks: { right, path: safeNext(url.searchParams.get('path')) } }
			: {})
	});
};
