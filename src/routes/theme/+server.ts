import { redirect } from '@sveltejs/kit';
import { safeNext } from '#lib/server/platform/http/safeNext.ts';
import { themeOf } from '#lib/ui/frame/theme.ts';
import type { RequestHandler } from './$types';

const YEAR_SECONDS = 365 * 24 * 3600;

/** Stores the chosen theme in a cookie and redirects back. */
export const POST: RequestHandler = async ({ request, cookies, locals }) => {
	const form = await request.formData();
	cookies.set('theme', themeOf(form.get('theme')), {
		path: '/',
		maxAge: YEAR_SECONDS,
		sameSite: 'lax',
		httpOnly: true,
		secure: locals.secure
	});
	const to = form.get('to');
	redirect(303, safeNext(typeof to === 'string' ? to : null));
};
