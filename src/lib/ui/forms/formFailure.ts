/** Interprets error responses to a form that are neither a page nor field errors. */
import type { ActionResult } from '@sveltejs/kit';
import { ERROR_PAGE } from '#lib/messages/pages/errors.ts';
import type { Question } from '#lib/text/irreversible.ts';
import { SMALL_FORM } from '#lib/text/smallForm.ts';

type ErrorResult = Extract<ActionResult, { type: 'error' }>;
type RefusedResult = Extract<ActionResult, { type: 'failure' }>;

/** Refusals for which the server has a page that keeps what was typed. */
const OWN_PAGE = ['sign-in-needed', 'confirmation-needed'] as const;
type OwnPage = (typeof OWN_PAGE)[number];

/**
 * - `refused`: the server reported an error, before or after doing anything; `first` where the user must sign
 * in again, or confirm first, and the server's page could not keep the form;
 * - `unknown`: no readable response, so it is unknown whether the submission arrived;
 * - `page`: nothing was done, and the server has a page that says more: for users who must sign in again, or
 * confirm with their password first, where it keeps what was typed;
 * - `unsure`: nothing was done, because it cannot be undone and the form does not say that it is meant.
 */
export type FormFailure =
	| { kind: 'refused'; error: App.Error; status: number; first?: OwnPage }
	| { kind: 'unknown' }
	| { kind: 'page' }
	| { kind: 'unsure'; question: Question };

/** Whether the server's page can keep a form: it is small, and contains no file. */
function isKept(form: FormData): boolean {
	const fields: [string, string][] = [];
	for (const [name, value] of form) {
		if (typeof value !== 'string') return false;
		// As a browser posts it.
		fields.push([name, value.replaceAll(/\r?\n/g, '\r\n')]);
	}
	const { length } = new URLSearchParams(fields).toString();
	return length <= SMALL_FORM.bytes && fields.length <= SMALL_FORM.fields;
}

/** Whether an error was written by this server's error handler. */
const isOurs = (error: unknown): error is App.Error =>
	typeof error === 'object' &&
	error !== null &&
	!(error instanceof Error) &&
	'message' in error &&
	typeof error.message === 'string';

/**
 * Returns the meaning of an error result for a form that was submitted by script.
 * @param form what was submitted
 */
export function formFailure({ error, status }: ErrorResult, form: FormData): FormFailure {
	if (!isOurs(error) || status === undefined) return { kind: 'unknown' };
	const first = OWN_PAGE.find((code) => code === error.code);
	if (first !== undefined && isKept(form)) return { kind: 'page' };
	if (first !== undefined) {
		const message = first === 'sign-in-needed' ? ERROR_PAGE.sessionOver : error.message;
		return { kind: 'refused', error: { ...error, message }, status, first };
	}
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
