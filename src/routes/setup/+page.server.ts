import { fail, redirect } from '@sveltejs/kit';
import { repeatErrors } from '#lib/server/access/accounts/newPassword.ts';
import { setSignedIn } from '#lib/server/access/requests/signedIn.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	const token = url.searchParams.get('token') ?? '';
	setHeaders({ 'cache-control': 'private, no-store' });
	return { token, usable: await locals.app.auth.setup.isUsable(token) };
};

interface FieldErrors {
	name?: string;
	password?: string;
	repeat?: string;
}

export const actions: Actions = {
	default: async ({ request, locals, cookies, getClientAddress }) => {
		const { auth } = locals.app;
		const { token, name, password, repeat } = await readForm(request, {
			token: text,
			name: text,
			password: text,
			repeat: text
		});
		const refused = (errors: FieldErrors, notice: string | null = null) =>
			fail(400, { name, errors, notice });
		const differing = repeatErrors({ password, repeat }, name);
		if (differing !== null) return refused(differing);
		try {
			const account = await auth.setup.use(token, { name, password });
			const sessionId = await auth.sessions.begin(account.id, {
				address: getClientAddress(),
				userAgent: request.headers.get('user-agent')
			});
			setSignedIn(cookies, auth, { name: account.name, sessionId, secure: locals.secure });
		} catch (error) {
			if (!isAppError(error, 'account', 'assignment')) throw error;
			if (error.field === 'name') return refused({ name: error.message });
			if (error.field === 'password') return refused({ password: error.message });
			return refused({}, error.message);
		}
		redirect(303, '/');
	}
};
