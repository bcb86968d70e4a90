import { fail, redirect } from '@sveltejs/kit';
import { AuthError } from '#lib/server/auth/errors.ts';
import { safeNext } from '#lib/server/auth/next.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
	const next = safeNext(url.searchParams.get('next'));
	if (locals.identity.via === 'session') redirect(303, next);
	return { next, publicBrowsing: locals.app.auth.publicBrowsing };
};

export const actions: Actions = {
	default: async ({ request, locals, cookies, getClientAddress, setHeaders }) => {
		const { auth } = locals.app;
		const form = await request.formData();
		const name = String(form.get('name') ?? '');
		const password = String(form.get('password') ?? '');
		const next = safeNext(String(form.get('next') ?? ''));
		const typed = { name, next };
		const missing = {
			...(name.trim() === '' ? { name: 'Type your name.' } : {}),
			...(password === '' ? { password: 'Type your password.' } : {})
		};
		if (Object.keys(missing).length > 0) {
			return fail(400, { ...typed, errors: missing as FieldErrors, notice: null });
		}
		let sessionId: string;
		try {
			({ sessionId } = await auth.signIn({
				name,
				password,
				address: getClientAddress(),
				userAgent: request.headers.get('user-agent'),
				previousSessionId: auth.sessions.read(request.headers)
			}));
		} catch (error) {
			if (!(error instanceof AuthError)) throw error;
			if (error.code === 'throttled') {
				setHeaders({ 'retry-after': String(error.retryAfter ?? 1) });
				return fail(429, { ...typed, errors: {} as FieldErrors, notice: error.message });
			}
			return fail(400, {
				...typed,
				errors: { password: error.message } as FieldErrors,
				notice: null
			});
		}
		const cookie = auth.sessions.cookie(sessionId, locals.secure);
		cookies.set(cookie.name, cookie.value, cookie.attributes);
		redirect(303, next);
	}
};

interface FieldErrors {
	name?: string;
	password?: string;
}
