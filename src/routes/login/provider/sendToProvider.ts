import type { RequestEvent } from '@sveltejs/kit';
import { flowCookie } from '#lib/server/access/single-sign-on/cookie.ts';
import type { NewFlow } from '#lib/server/access/single-sign-on/flows.ts';
import type { SingleSignOn } from '#lib/server/access/single-sign-on/singleSignOn.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';

/** Where a form goes on to the provider. */
export const CONTINUE_PATH = '/login/provider/continue';

/** @throws {AppError} `sign-on.off` where none is configured */
export function signOnOf(locals: App.Locals): SingleSignOn {
	const { signOn } = locals.app.auth;
	if (signOn === null) throw new AppError('sign-on.off');
	return signOn;
}

/** Begins a flow and gives its browser the cookie of it; the text of the cookie. */
export async function beginFlow(
	{ locals, cookies }: Pick<RequestEvent, 'locals' | 'cookies'>,
	flow: NewFlow
): Promise<string> {
	const text = await signOnOf(locals).begin(flow);
	const { name, value, attributes } = flowCookie(text, locals.secure);
	cookies.set(name, value, attributes);
	return text;
}
