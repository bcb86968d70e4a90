import { PAGE_REFUSALS } from '#lib/messages/pageRefusals.ts';
import { error, fail, redirect } from '@sveltejs/kit';
import { hasPassword } from '#lib/server/access/accounts/accounts.ts';
import { problemOf } from '#lib/server/access/single-sign-on/problem.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { CONFIRM_FIELD } from '#lib/server/platform/http/confirmField.ts';
import { keptBehind } from '#lib/server/platform/http/formReplay.ts';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

/**
 * Asks for the password before what an admin does to others. A form that was posted too late stands in for
 * this page at its own address and carries what was typed along, so that it goes on with the password.
 */
export const load: PageServerLoad = async ({ url, locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account } = requireMember(locals);
	const { auth, db } = locals.app;
	const linked = (await auth.signOn?.identitiesOf(account.id)) ?? [];
	const password =
		(await hasPassword(db, account.id)) && (await auth.localLogin.isOpenFor(account));
	return {
		name: account.name,
		/** Whether there is a password to type. */
		password,
		provider:
			auth.signOn !== null && linked.some(({ issuer }) => issuer === auth.signOn?.issuer)
				? { label: auth.signOn.label }
				: null,
		problem: problemOf(url),
		/** Confirmed by single sign-on in a tab of its own: the form waits in another one. */
		done: url.searchParams.has('done'),
		field: CONFIRM_FIELD,
		next: safeNext(url.searchParams.get('next')),
		posted: keptBehind(url.searchParams.get('kept'))
	};
};

export const actions: Actions = {
	default: async ({ request, locals, getClientAddress, setHeaders }) => {
		const { identity } = locals;
		if (identity.via !== 'session') error(401, { message: PAGE_REFUSALS['sign-in-needed'] });
		const fields = await readForm(request, { next: text, [CONFIRM_FIELD]: text });
		const next = safeNext(fields.next);
		try {
			await locals.app.auth.confirm({
				account: identity.account,
				password: fields[CONFIRM_FIELD],
				address: getClientAddress(),
				idHash: identity.session.idHash
			});
		} catch (cause) {
			if (!isAppError(cause, 'account', 'assignment')) throw cause;
			if (cause.retryAfter !== null) setHeaders({ 'retry-after': String(cause.retryAfter) });
			return fail(cause.code === 'account.throttled' ? 429 : 400, { next, problem: cause.message });
		}
		redirect(303, next);
	}
};
