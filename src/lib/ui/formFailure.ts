/** What a form was answered that is neither a page nor a fault of a field. */
import type { ActionResult } from '@sveltejs/kit';

type ErrorResult = Extract<ActionResult, { type: 'error' }>;

/**
 * - `refused`: the server said why, before or after it did anything;
 * - `unknown`: no answer that can be read, so that nobody knows whether it arrived;
 * - `page`: nothing was done, and the server has a page for it that keeps what was typed: for who is not signed in
 *   any more, and for who has to type the password first.
 */
export type FormFailure =
	{ kind: 'refused'; error: App.Error; status: number } | { kind: 'unknown' } | { kind: 'page' };

const OWN_PAGE: ReadonlySet<string | undefined> = new Set([
	'sign-in-needed',
	'confirmation-needed'
]);

/** An error as the server writes it; anything else was not written by it. */
const isOurs = (error: unknown): error is App.Error =>
	typeof error === 'object' &&
	error !== null &&
	!(error instanceof Error) &&
	'message' in error &&
	typeof error.message === 'string';

/** What an error answer to a form that was sent by a script means. */
export function formFailure({ error, status }: ErrorResult): FormFailure {
	if (!isOurs(error) || status === undefined) return { kind: 'unknown' };
	if (OWN_PAGE.has(error.code)) return { kind: 'page' };
	return { kind: 'refused', error, status };
}
