/** Returns the form actions named in the query of a POST; SvelteKit executes the first. */
export const namedActions = (url: URL): string[] =>
	[...url.searchParams.keys()].filter((key) => key.startsWith('/')).map((key) => key.slice(1));

/**
 * Whether a POST names an action that no page can have. SvelteKit looks the name up in a plain object, which
 * inherits `constructor` and the like, and reports `default` as a server error.
 */
export function isNoAction(url: URL): boolean {
	const [name] = namedActions(url);
	if (name === undefined) return false;
	return name === 'default' || name in Object.prototype;
}
