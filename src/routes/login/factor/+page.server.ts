import { FACTORS } from '#lib/messages/pages/factors.ts';
import { fail, redirect } from '@sveltejs/kit';
import { setSignedIn } from '#lib/server/access/requests/signedIn.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { setCookie } from '#lib/server/platform/http/cookies.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import type { Actions, PageServerLoad } from './$types';

/** Second step after the password: a cookie identifies the login, and there is no session yet. */
export const load: PageServerLoad = async ({ locals, request, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { auth } = locals.app;
	const next = safeNext(url.searchParams.get('next'));
	const loginId = auth.loginCookie.read(request.headers);
	const account =
		loginId === null ? null : await auth.pendingLogin(loginId, request.headers.get('user-agent'));
	if (account === null) {
		redirect(303, next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`);
	}
	return {
		name: account.name,
		next,
		/** For members with a passkey: why passkeys are unavailable, or null. */
		passkey: (await auth.factors.hasPasskey(account))
			? { off: auth.passkeyPlace(request.headers).off }
			: null
	};
};

export const actions: Actions = {
	default: async ({ request, locals, cookies, getClientAddress, setHeaders }) => {
		const { auth } = locals.app;
		const { code, passkey, next } = await readForm(request, {
			code: text,
			passkey: text,
			next: text.transform(safeNext)
		});
		const loginId = auth.loginCookie.read(request.headers);
		if (loginId === null) redirect(303, '/login');
		if (code.trim() === '' && passkey === '')
			return fail(400, { next, error: FACTORS.login.missing });
		let to: string;
		try {
			const { account, sessionId, outdated } = await auth.finish({
				loginId,
				factor:
					passkey === '' ? { code } : { passkey, site: auth.passkeyPlace(request.headers).site },
				address: getClientAddress(),
				userAgent: request.headers.get('user-agent'),
				device: (name) => auth.devices.known(request.headers, name)
			});
			setSignedIn(cookies, auth, { name: account.name, sessionId, secure: locals.secure });
			setCookie(cookies, auth.loginCookie.blank(locals.secure));
			to = outdated ? '/account?password=outdated#password' : next;
		} catch (error) {
			if (!isAppError(error, 'account', 'factor')) throw error;
			if (error.code === 'account.throttled') {
				setHeaders({ 'retry-after': String(error.retryAfter ?? 1) });
				return fail(429, { next, error: error.message });
			}
			if (error.code === 'factor.login-over') redirect(303, '/login');
			return fail(400, { next, error: error.message });
		}
		redirect(303, to);
	}
};
