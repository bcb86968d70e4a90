import { fail, redirect } from '@sveltejs/kit';
import { ACCESS_PAGE } from '#lib/messages/pages/access.ts';
import { isRequestedRight } from '#lib/server/access/access-requests/rights.ts';
import { roleMatrix } from '#lib/server/access/policy/roleMatrix.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

const isOutcome = (asked: string): asked is keyof typeof ACCESS_PAGE.asked =>
	Object.hasOwn(ACCESS_PAGE.asked, asked);

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const asked = url.searchParams.get('asked') ?? '';
	return {
		role: account.role,
		rights: roleMatrix(),
		requests: await locals.app.accessRequests.of(account.id),
		/** What became of a request that was just made. */
		asked: isOutcome(asked) ? asked : null,
		now: Date.now()
	};
};

export const actions: Actions = {
	request: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { right, path } = await readForm(request, { right: text, path: text });
		if (!isRequestedRight(right)) return fail(400, { problem: ACCESS_PAGE.unknown });
		const asked = await locals.app.accessRequests.ask(account, right, safeNext(path));
		redirect(303, `/account/access?asked=${asked}`);
	}
};
