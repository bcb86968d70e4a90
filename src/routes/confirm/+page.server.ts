import { fail, redirect } from '@sveltejs/kit';
import { hasPassword } from '#lib/server/access/accounts/accounts.ts';
import { problemOf } from '#lib/server/access/single-sign-on/problem.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import {
	CONFIRM_CODE_FIELD,
	CONFIRM_FIELD,
	CONFIRM_PASSKEY_FIELD
} from '#lib/server/platform/http/confirmField.ts';
import { replayFormOf } from '#lib/server/platform/http/formReplay.ts';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireSession } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

/**
 * Asks for the second factor, or for the password of members without one, before actions on other members
 * and before sends. When a posted form needs a confirmation, this page is shown at the form's own URL and
 * contains its values, so that the form continues after the confirmation.
 */
export const load: PageServerLoad = async ({ url, locals, request, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { account, session } = requireSession(locals);
	const { auth, db } = locals.app;
	const linked = (await auth.signOn?.identitiesHere(account.id)) ?? [];
	const password =
		!session.hasFactor &&
		(await hasPassword(db, account.id)) &&
		(await auth.localLogin.isOpenFor(account));
	return {
		name: account.name,
		/** Whether the member can confirm with a password. */
		password,
		provider:
			!session.hasFactor && auth.signOn !== null && linked.length > 0
				? { label: auth.signOn.label }
				: null,
		problem: problemOf(url),
		/** Confirmed by single sign-on in a separate tab: the form waits in the other tab. */
		done: url.searchParams.has('done'),
		hasFactor: session.hasFactor,
		field: session.hasFactor ? CONFIRM_CODE_FIELD : CONFIRM_FIELD,
		/**
		 * For members with a passkey: why passkeys are unavailable, and the field for the passkey's
		 * response.
		 */
		passkey: (await auth.factors.hasPasskey(account))
			? { off: auth.passkeyPlace(request.headers).off, field: CONFIRM_PASSKEY_FIELD }
			: null,
		next: safeNext(url.searchParams.get('next')),
		posted: replayFormOf(url.searchParams.get('kept'))
	};
};

export const actions: Actions = {
	default: async ({ request, locals, getClientAddress, setHeaders }) => {
		const { account, session } = requireSession(locals);
		const { auth } = locals.app;
		const fields = await readForm(request, {
			next: text,
			[CONFIRM_FIELD]: text,
			[CONFIRM_CODE_FIELD]: text,
			[CONFIRM_PASSKEY_FIELD]: text
		});
		const next = safeNext(fields.next);
		const who = { account, address: getClientAddress(), idHash: session.idHash };
		try {
			if (session.hasFactor) {
				const passkey = fields[CONFIRM_PASSKEY_FIELD];
				const { site } = auth.passkeyPlace(request.headers);
				await auth.confirmByFactor({
					...who,
					factor: passkey === '' ? { code: fields[CONFIRM_CODE_FIELD] } : { passkey, site }
				});
			} else await auth.confirm({ ...who, password: fields[CONFIRM_FIELD] });
		} catch (cause) {
			if (!isAppError(cause, 'account', 'assignment', 'factor')) throw cause;
			if (cause.retryAfter !== null) setHeaders({ 'retry-after': String(cause.retryAfter) });
			return fail(cause.code === 'account.throttled' ? 429 : 400, { next, problem: cause.message });
		}
		redirect(303, next);
	}
};
