import type { Answer } from './answer.ts';

/** The part of a response that is stored in the database. */
export interface StoredResponse {
	status: number;
	headers: readonly (readonly [name: string, value: string])[];
	body: string;
}

const MOST_BYTES = 64 * 1024;
const STORED_HEADERS = ['location', 'content-type'];

/** SvelteKit's response to a successful form action that was submitted by script, with the data for the page. */
const SHOWN = /^\{"type":"success",.*"data":/;
const CARRIED_OUT = '{"type":"success","status":204}';

/**
 * Returns the part of a response to store: a redirect, or JSON about what was created. Null for a refusal,
 * which may be retried, for pages, which may show a secret once, and for responses that set a cookie. For a
 * form submitted by script only the success is stored, not the data for its page.
 */
export function storedResponseOf({ status, headers, body }: Answer): StoredResponse | null {
	const has = (name: string): boolean => headers.some(([one]) => one === name);
	const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
	const isData = status >= 200 && status < 300 && type.includes('json');
	if ((status !== 303 && !isData) || has('set-cookie')) return null;
	const text = new TextDecoder().decode(body);
	// SvelteKit reports a failed form action with status 200.
	if (isData && /^\{"type":"(?:failure|error)"/.test(text)) return null;
	const isShown = isData && SHOWN.test(text);
	if (!isShown && body.length > MOST_BYTES) return null;
	return {
		status,
		headers: headers.filter(([name]) => STORED_HEADERS.includes(name)),
		body: isShown ? CARRIED_OUT : text
	};
}

/**
 * Returns the part of a response to store for a form that had an effect. A browser without scripts submits the
 * form again when its result page is reloaded. That page may show a secret once, so a repetition is redirected
 * to the page without its result.
 * @param page path and query of the form's page, without the action
 */
export function storedFormResponse(answer: Answer, page: string): StoredResponse | null {
	const type = answer.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
	if (answer.status !== 200 || !type.startsWith('text/html')) return storedResponseOf(answer);
	return { status: 303, headers: [['location', page]], body: '' };
}

export const answerOf = ({ body, ...rest }: StoredResponse): Answer => ({
	...rest,
	body: new TextEncoder().encode(body)
});
