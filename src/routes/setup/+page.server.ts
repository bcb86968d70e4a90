import { redirect } from '@sveltejs/kit';
import { repeatErrors } from '#lib/server/access/accounts/newPassword.ts';
import { setSignedIn } from '#lib/server/access/requests/signedIn.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm } from '#lib/server/platform/http/readForm.ts';
import { NEW_ACCOUNT, refused, refusedBy } from '../newAccount.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	const token = url.searchParams.get('token') ?? '';
	setHeaders({ 'cache-control': 'private, no-store' });
	return { token, usable: await locals.app.auth.setup.isUsable(token) };
};

export const actions: Actions = {
	default: async ({ request, locals, cookies, getClientAddress }) => {
		const { auth } = locals.app;
		const { token, name, password, repeat } = await readForm(request, NEW_ACCOUNT);
		const differing = repeatErrors({ password, repeat }, name);
		if (differing !== null) return refused(name, differing);
		try {
			const account = await auth.setup.use(token, { name, password });
			const sessionId = await auth.sessions.begin(account.id, {
				address: getClientAddress(),
				userAgent: request.headers.get('user-agent')
			});
			setSignedIn(cookies, auth, { name: account.name, sessionId, secure: locals.secure });
		} catch (error) {
			if (!isAppError(error, 'account', 'assignment')) throw error;
			return refusedBy(error, name);
		}
		redirect(303, '/');
	}
};
