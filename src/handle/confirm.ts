import type { RequestEvent } from '@sveltejs/kit';
import type { Refusal } from '#lib/server/access/requests/guard.ts';
import { type AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { takeConfirmation } from '#lib/server/platform/http/confirmField.ts';
import { addressOf } from './context.ts';
import type { AskedAct } from './irreversible.ts';
import { refuse } from './refuse.ts';

/**
 * Checks the confirmation of the session that was sent with a form: the second factor of a member who has
 * one, otherwise the password.
 * @returns null when it is correct; `missing` when the form contains none
 */
export async function confirmationProblem(
	event: RequestEvent
): Promise<AppError | 'missing' | null> {
	const { request, locals } = event;
	const { identity } = locals;
	if (identity.via !== 'session') return 'missing';
	// An unreadable form contains no confirmation and is refused as such.
	const typed = await takeConfirmation(request).catch(() => null);
	if (typed === null) return 'missing';
	const { auth } = locals.app;
	const { account, session } = identity;
	const who = { account, address: addressOf(event), idHash: session.idHash };
	try {
		if (session.hasFactor) {
			const { code, passkey } = typed;
			if (passkey !== null) {
				const { site } = auth.passkeyPlace(request.headers);
				await auth.confirmByFactor({ ...who, factor: { passkey, site } });
			} else if (code !== null) await auth.confirmByFactor({ ...who, factor: { code } });
			else return 'missing';
		} else {
			if (typed.password === null) return 'missing';
			await auth.confirm({ ...who, password: typed.password });
		}
		return null;
	} catch (error) {
		if (isAppError(error, 'account', 'assignment', 'factor')) return error;
		throw error;
	}
}

/** Shows the form again after a wrong password or code. */
export async function askAgain(
	event: RequestEvent,
	refusal: Refusal,
	problem: AppError,
	act: AskedAct | null
): Promise<Response> {
	const answer = await refuse(event, refusal, { act, problem: problem.message });
	if (problem.retryAfter === null) return answer;
	const headers = new Headers(answer.headers);
	headers.set('retry-after', String(problem.retryAfter));
	return new Response(answer.body, { status: 429, headers });
}
