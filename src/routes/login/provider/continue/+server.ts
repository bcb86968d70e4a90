import { redirect } from '@sveltejs/kit';
import { LOGIN } from '#lib/messages/pages/login.ts';
import { readFlowCookie } from '#lib/server/access/single-sign-on/cookie.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { PLAIN_POLICY, plainPage } from '#lib/server/platform/http/plainPage.ts';
import { refusalPath } from '../refusalPath.ts';
import { signOnOf } from '../sendToProvider.ts';
import type { RequestHandler } from './$types';

/**
 * Redirects the browser to the provider after a form. A separate page is needed, because a form may not end
 * at another site (`form-action` of the content security policy covers redirects as well).
 */
export const GET: RequestHandler = async ({ locals, request }) => {
	let to: string | null;
	let label: string;
	try {
		const signOn = signOnOf(locals);
		label = signOn.label;
		to = await signOn.urlFor(readFlowCookie(request.headers, locals.app.auth.origin));
	} catch (error) {
		if (!isAppError(error, 'sign-on')) throw error;
		redirect(303, refusalPath(null, error.code, '/'));
	}
	if (to === null) redirect(303, refusalPath(null, 'sign-on.flow-unknown', '/'));
	const { title, text, link } = LOGIN.provider.continue;
	const forward = { href: to, text: link(label) };
	const page = plainPage({ title: title(label), sentences: [text], requestId: null, forward });
	return new Response(page, {
		headers: {
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': PLAIN_POLICY,
			'cache-control': 'private, no-store'
		}
	});
};
