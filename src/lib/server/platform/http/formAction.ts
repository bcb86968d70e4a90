/** The actions that the address of a post names; SvelteKit carries out the first. */
export const namedActions = (url: URL): string[] =>
	[...url.searchParams.keys()].filter((key) => key.startsWith('/')).map((key) => key.slice(1));

/**
 * Whether the address of a post names an action that no page can have. SvelteKit looks the name up in a plain
 * object, where every object has `constructor` and the like, and takes `default` for a fault of the server.
 */
export function isNoAction(url: URL): boolean {
	const [name] = namedActions(url);
	if (name === undefined) return false;
	return name === 'default' || name in Object.prototype;
}
