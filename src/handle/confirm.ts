import type { RequestEvent } from '@sveltejs/kit';
import type { Refusal } from '#lib/server/access/requests/guard.ts';
import { type AppError, isAppError } from '#lib/server/platform/errors/appError.ts';
import { takeConfirmation } from '#lib/server/platform/http/confirmField.ts';
import { addressOf } from './context.ts';
import { refuse } from './refuse.ts';

/**
 * Reads the password that came with a form and confirms the session by it.
 * @returns null when it did; `missing` when there is none to look at
 */
export async function confirmationProblem(
	event: RequestEvent
): Promise<AppError | 'missing' | null> {
	const { request, locals } = event;
	const { identity } = locals;
	if (identity.via !== 'session') return 'missing';
	// What cannot be read confirms nothing, and is refused as it is.
	const password = await takeConfirmation(request).catch(() => null);
	if (password === null) return 'missing';
	try {
		await locals.app.auth.confirm({
			account: identity.account,
			password,
			address: addressOf(event),
			idHash: identity.session.idHash
		});
		return null;
	} catch (error) {
		if (isAppError(error, 'account', 'assignment')) return error;
		throw error;
	}
}

/** Shows the form once more after a password that did not do. */
export async function askAgain(
	event: RequestEvent,
	refusal: Refusal,
	problem: AppError
): Promise<Response> {
	const answer = await refuse(event, refusal, problem.message);
	if (problem.retryAfter === null) return answer;
	const headers = new Headers(answer.headers);
	headers.set('retry-after', String(problem.retryAfter));
	return new Response(answer.body, { status: 429, headers });
}
