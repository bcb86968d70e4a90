import type { Answer } from './answer.ts';

/** What of an answer is kept in the database. */
export interface KeptAnswer {
	status: number;
	headers: readonly (readonly [name: string, value: string])[];
	body: string;
}

const MOST_BYTES = 64 * 1024;
const KEPT_HEADERS = ['location', 'content-type'];

/** What a script of a page is answered when its form was carried out, with what the page shows then. */
const SHOWN = /^\{"type":"success",.*"data":/;
const CARRIED_OUT = '{"type":"success","status":204}';

/**
 * What is kept of an answer: where to go on, or what was made. Nothing where the request was refused, which may
 * be tried again, nor of pages, which may show a secret once, nor where a cookie was set. Of a form that a script
 * sent it is kept that it was carried out, and not what its page shows.
 */
export function keptOf({ status, headers, body }: Answer): KeptAnswer | null {
	const has = (name: string): boolean => headers.some(([one]) => one === name);
	const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
	const isData = status >= 200 && status < 300 && type.includes('json');
	if ((status !== 303 && !isData) || has('set-cookie')) return null;
	const text = new TextDecoder().decode(body);
	// What a script of a page is answered: a form that was refused has status 200, too.
	if (isData && /^\{"type":"(?:failure|error)"/.test(text)) return null;
	const isShown = isData && SHOWN.test(text);
	if (!isShown && body.length > MOST_BYTES) return null;
	return {
		status,
		headers: headers.filter(([name]) => KEPT_HEADERS.includes(name)),
		body: isShown ? CARRIED_OUT : text
	};
}

export const answerOf = ({ body, ...rest }: KeptAnswer): Answer => ({
	...rest,
	body: new TextEncoder().encode(body)
});
