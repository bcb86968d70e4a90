import { LOGIN } from '#lib/messages/pages/login.ts';
import { fail, redirect } from '@sveltejs/kit';
import { setSignedIn } from '#lib/server/access/requests/signedIn.ts';
import { problemOf } from '#lib/server/access/single-sign-on/problem.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { setCookie } from '#lib/server/platform/http/cookies.ts';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url, request }) => {
	const next = safeNext(url.searchParams.get('next'));
	if (locals.identity.via === 'session') redirect(303, next);
	const { publicBrowsing, signOn, localLogin, passkeyPlace } = locals.app.auth;
	const leaves = url.searchParams.has('out') && signOn !== null;
	return {
		next,
		publicBrowsing,
		provider: signOn === null ? null : { label: signOn.label },
		/** When false, only the emergency admin can sign in by password. */
		isLocalOpen: await localLogin.isOpen(),
		/** Why passkeys are unavailable; null when they are available. */
		passkeysOff: passkeyPlace(request.headers).off,
		problem: problemOf(url),
		/** Logout URL of the provider, for a member who has just logged out here. */
		logoutUrl: leaves ? await signOn.logoutUrl() : null
	};
};

export const actions: Actions = {
	default: async ({ request, locals, cookies, getClientAddress, setHeaders }) => {
		const { auth } = locals.app;
		const { name, password, passkey, next } = await readForm(request, {
			name: text,
			password: text,
			passkey: text,
			next: text.transform(safeNext)
		});
		const typed = { name, next };
		if (passkey !== '') {
			const cookie = auth.passkeyCookie.read(request.headers) ?? '';
			try {
				const { account, sessionId } = await auth.signInByPasskey({
					answer: passkey,
					cookie,
					site: auth.passkeyPlace(request.headers).site,
					address: getClientAddress(),
					userAgent: request.headers.get('user-agent'),
					device: (known) => auth.devices.known(request.headers, known),
					previousSessionId: auth.sessions.read(request.headers)
				});
				setSignedIn(cookies, auth, { name: account.name, sessionId, secure: locals.secure });
				setCookie(cookies, auth.passkeyCookie.blank(locals.secure));
			} catch (error) {
				if (!isAppError(error, 'account', 'factor')) throw error;
				if (error.code === 'account.throttled') {
					setHeaders({ 'retry-after': String(error.retryAfter ?? 1) });
				}
				return fail(error.code === 'account.throttled' ? 429 : 400, {
					...typed,
					errors: {} as FieldErrors,
					notice: error.message
				});
			}
			redirect(303, next);
		}
		const missing = {
			...(name.trim() === '' ? { name: LOGIN.faults.name } : {}),
			...(password === '' ? { password: LOGIN.faults.password } : {})
		};
		if (Object.keys(missing).length > 0) {
			return fail(400, { ...typed, errors: missing as FieldErrors, notice: null });
		}
		let to: string;
		try {
			const signedIn = await auth.signIn({
				name,
				password,
				address: getClientAddress(),
				userAgent: request.headers.get('user-agent'),
				device: auth.devices.known(request.headers, name),
				previousSessionId: auth.sessions.read(request.headers)
			});
			if (signedIn.needs === 'factor') {
				setCookie(cookies, auth.loginCookie.cookie(signedIn.loginId, locals.secure));
				setCookie(cookies, auth.sessions.blankCookie(locals.secure));
				to = `/login/factor?next=${encodeURIComponent(next)}`;
			} else {
				const { account, sessionId, outdated } = signedIn;
				setSignedIn(cookies, auth, { name: account.name, sessionId, secure: locals.secure });
				to = outdated ? '/account?password=outdated#password' : next;
			}
		} catch (error) {
			if (!isAppError(error, 'account', 'assignment')) throw error;
			if (error.code === 'account.throttled') {
				setHeaders({ 'retry-after': String(error.retryAfter ?? 1) });
				return fail(429, { ...typed, errors: {} as FieldErrors, notice: error.message });
			}
			return fail(400, {
				...typed,
				errors: { password: error.message } as FieldErrors,
				notice: null
			});
		}
		redirect(303, to);
	}
};

interface FieldErrors {
	name?: string;
	password?: string;
}
