import { redirect } from '@sveltejs/kit';
import { repeatErrors } from '#lib/server/access/accounts/newPassword.ts';
import { setSignedIn } from '#lib/server/access/requests/signedIn.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { setCookie } from '#lib/server/platform/http/cookies.ts';
import { readForm } from '#lib/server/platform/http/readForm.ts';
import { NEW_ACCOUNT, refused, refusedBy } from '../newAccount.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	const token = url.searchParams.get('token') ?? '';
	setHeaders({ 'cache-control': 'private, no-store' });
	const { links, signOn, localLogin } = locals.app.auth;
	return {
		token,
		link: await links.look(token),
		provider: signOn === null ? null : { label: signOn.label },
		isLocalOpen: await localLogin.isOpen(),
		now: Date.now()
	};
};

export const actions: Actions = {
	default: async ({ request, locals, cookies, getClientAddress }) => {
		const { auth } = locals.app;
		const { links, sessions } = auth;
		const { token, name, password, repeat } = await readForm(request, NEW_ACCOUNT);
		const link = await links.look(token);
		const differing = repeatErrors({ password, repeat }, link?.name ?? name);
		if (differing !== null) return refused(name, differing);
		let to = '/';
		try {
			const account =
				link?.kind === 'reset'
					? await links.setPassword(token, password)
					: await links.accept(token, { name, password });
			const before = sessions.read(request.headers);
			if (before !== null) await sessions.end(before);
			// A new password does not replace the second factor.
			const entered = await auth.enter(account, {
				address: getClientAddress(),
				userAgent: request.headers.get('user-agent')
			});
			if (entered.needs === 'factor') {
				setCookie(cookies, auth.loginCookie.cookie(entered.loginId, locals.secure));
				to = '/login/factor';
			} else {
				const { sessionId } = entered;
				setSignedIn(cookies, auth, { name: account.name, sessionId, secure: locals.secure });
			}
		} catch (error) {
			if (!isAppError(error, 'account', 'assignment', 'sign-on')) throw error;
			return refusedBy(error, name);
		}
		redirect(303, to);
	}
};
