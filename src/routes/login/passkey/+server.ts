import { randomBytes } from 'node:crypto';
import { error, json } from '@sveltejs/kit';
import { PAGE_REFUSALS } from '#lib/messages/pageRefusals.ts';
import {
	passkeyAfterPassword,
	passkeyConfirmation,
	passkeyLogin
} from '#lib/server/access/second-factors/passkeys.ts';
import { AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { setCookie } from '#lib/server/platform/http/cookies.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireSession } from '../../requireMember.ts';
import type { RequestHandler } from './$types';

/**
 * Creates the challenge for a passkey. Requested when the button is pressed, so that viewing a page creates
 * none.
 */
export const POST: RequestHandler = async ({ request, locals, cookies, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { auth } = locals.app;
	const { site } = auth.passkeyPlace(request.headers);
	const { purpose } = await readForm(request, { purpose: text });
	try {
		if (purpose === 'login') {
			const value = randomBytes(32).toString('base64url');
			const options = await auth.factors.passkeys.begin(passkeyLogin(value, site));
			setCookie(cookies, auth.passkeyCookie.cookie(value, locals.secure));
			return json(options);
		}
		if (purpose === 'factor') {
			const loginId = auth.loginCookie.read(request.headers);
			const userAgent = request.headers.get('user-agent');
			const account = loginId === null ? null : await auth.pendingLogin(loginId, userAgent);
			if (loginId === null || account === null) throw new AppError('factor.login-over');
			const ceremony = passkeyAfterPassword(loginId, account, site);
			return json(await auth.factors.passkeys.begin(ceremony));
		}
		if (purpose !== 'confirm') error(404, { message: PAGE_REFUSALS['not-found'] });
		const { account, session } = requireSession(locals);
		const ceremony = passkeyConfirmation(session.idHash, account, site);
		return json(await auth.factors.passkeys.begin(ceremony));
	} catch (cause) {
		if (!isAppError(cause, 'factor')) throw cause;
		error(cause.status, { message: cause.message, code: cause.code, requestId: locals.requestId });
	}
};
