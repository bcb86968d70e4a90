/** Placeholder base for resolving a path; .invalid is reserved and never resolves. */
const HERE = 'http://here.invalid';

/**
 * Returns the redirect target after sign-in: a path of this server, or `/`. Refuses everything that a browser
 * could resolve to another host: `//evil`, `/\evil`, `https:evil`, control characters, percent-encoded or not.
 */
export function safeNext(next: string | null | undefined): string {
	if (!next || !next.startsWith('/') || next.length > 2000) return '/';
	// Browsers drop tabs and line ends, and treat a backslash as a slash.
	// eslint-disable-next-line no-control-regex -- control characters are what is looked for
	if (/[\u0000-\u0020\\\u007f]/.test(next) || next.startsWith('//')) return '/';
	// A proxy may decode the path once more: the result of that must be safe too.
	if (/^\/(?:%2f|%5c|%09|%0a|%0d)/i.test(next)) return '/';
	if (!URL.canParse(next, HERE)) return '/';
	const url = new URL(next, HERE);
	if (url.origin !== HERE || url.pathname.startsWith('//')) return '/';
	return `${url.pathname}${url.search}${url.hash}`;
}
