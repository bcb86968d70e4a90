/**
 * A self-contained page, for refusals that must be cheap, and for failures in which the usual layout cannot be
 * rendered.
 */
import { createHash } from 'node:crypto';
import { PLAIN_ANSWERS } from '#lib/messages/plainAnswers.ts';

interface PlainWords {
	title: string;
	/** Sentences, one paragraph each. */
	sentences: readonly string[];
	/** Shown so that the user can tell it to an admin; null where the request has no id. */
	requestId: string | null;
	/** Target of an automatic redirect, with the text of its link; when absent, a link to the overview. */
	forward?: { href: string; text: string };
}

const STYLE =
	':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60ch;margin:12vh auto;padding:0 24px}h1{font-size:1.375rem}small{opacity:.75}';

/** Content security policy that allows only the style above. */
export const PLAIN_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Content security policy for responses that are no pages: JSON, files, redirects. */
export const NOTHING_POLICY =
	"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ESCAPES: ReadonlyMap<string, string> = new Map([
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
	['"', '&quot;'],
	["'", '&#39;']
]);
const escaped = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => ESCAPES.get(character) ?? '');

/** Renders the document. */
export function plainPage({ title, sentences, requestId, forward }: PlainWords): string {
	const paragraphs = sentences.map((sentence) => `<p>${escaped(sentence)}</p>`).join('');
	const id = requestId === null ? '' : `<p><small>Request ${escaped(requestId)}</small></p>`;
	const refresh =
		forward === undefined
			? ''
			: `<meta http-equiv="refresh" content="0; url=${escaped(forward.href)}">`;
	const link = forward ?? { href: '/', text: PLAIN_ANSWERS.overview };
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}<title>${escaped(title)}</title><style>${STYLE}</style></head><body><main><h1>${escaped(title)}</h1>${paragraphs}${id}<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p></main></body></html>\n`;
}
