import type { RequestEvent } from '@sveltejs/kit';
import { flowCookie } from '#lib/server/access/single-sign-on/cookie.ts';
import type { NewFlow } from '#lib/server/access/single-sign-on/flows.ts';
import type { SingleSignOn } from '#lib/server/access/single-sign-on/singleSignOn.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { setCookie } from '#lib/server/platform/http/cookies.ts';

/** Path from which the browser continues to the provider after a form. */
export const CONTINUE_PATH = '/login/provider/continue';

/** @throws {AppError} `sign-on.off` when none is configured */
export function signOnOf(locals: App.Locals): SingleSignOn {
	const { signOn } = locals.app.auth;
	if (signOn === null) throw new AppError('sign-on.off');
	return signOn;
}

/** Starts a flow and sets its cookie in the browser; returns the cookie's value. */
export async function beginFlow(
	{ locals, cookies }: Pick<RequestEvent, 'locals' | 'cookies'>,
	flow: NewFlow
): Promise<string> {
	const text = await signOnOf(locals).begin(flow);
	setCookie(cookies, flowCookie(text, locals.secure));
	return text;
}
