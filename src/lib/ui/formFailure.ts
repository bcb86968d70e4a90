/** Interprets error responses to a form that are neither a page nor field errors. */
import type { ActionResult } from '@sveltejs/kit';
import type { Question } from '#lib/text/irreversible.ts';

type ErrorResult = Extract<ActionResult, { type: 'error' }>;
type RefusedResult = Extract<ActionResult, { type: 'failure' }>;

/**
 * - `refused`: the server reported an error, before or after doing anything;
 * - `unknown`: no readable response, so it is unknown whether the submission arrived;
 * - `page`: nothing was done, and the server has a page that says more: for users who must sign in again, or
 * confirm with their password first, where it keeps what was typed;
 * - `unsure`: nothing was done, because it cannot be undone and the form does not say that it is meant.
 */
export type FormFailure =
	| { kind: 'refused'; error: App.Error; status: number }
	| { kind: 'unknown' }
	| { kind: 'page' }
	| { kind: 'unsure'; question: Question };

const OWN_PAGE: ReadonlySet<string | undefined> = new Set([
	'sign-in-needed',
	'confirmation-needed'
]);

/** Whether an error was written by this server's error handler. */
const isOurs = (error: unknown): error is App.Error =>
	typeof error === 'object' &&
	error !== null &&
	!(error instanceof Error) &&
	'message' in error &&
	typeof error.message === 'string';

/** Returns the meaning of an error result for a form that was submitted by script. */
export function formFailure({ error, status }: ErrorResult): FormFailure {
	if (!isOurs(error) || status === undefined) return { kind: 'unknown' };
	if (OWN_PAGE.has(error.code)) return { kind: 'page' };
	if (error.question) return { kind: 'unsure', question: error.question };
	return { kind: 'refused', error, status };
}

/**
 * Returns what a form displays that was refused by an action of another page: that page would display it, but
 * SvelteKit leaves the result out of the page that the user sees.
 */
export function failureElsewhere({ data, status }: RefusedResult): FormFailure {
	const { problem, code } = (data ?? {}) as { problem?: unknown; code?: unknown };
	if (typeof problem !== 'string') return { kind: 'page' };
	const error: App.Error = { message: problem, ...(typeof code === 'string' ? { code } : {}) };
	return { kind: 'refused', error, status };
}
