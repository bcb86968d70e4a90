/** Interprets error responses to a form that are neither a page nor field errors. */
import type { ActionResult } from '@sveltejs/kit';
import type { Question } from '#lib/text/irreversible.ts';

type ErrorResult = Extract<ActionResult, { type: 'error' }>;

/**
 * - `refused`: the server reported an error, before or after doing anything;
 * - `unknown`: no readable response, so it is unknown whether the submission arrived;
 * - `page`: nothing was done, and the server has a page that keeps what was typed: for users who must sign
 * in again, or confirm with their password first;
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
