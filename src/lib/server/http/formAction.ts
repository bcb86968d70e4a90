/**
 * Whether the address of a post names an action that no page can have. SvelteKit looks the name up in a plain
 * object, where every object has `constructor` and the like, and takes `default` for a fault of the server.
 */
export function isNoAction(url: URL): boolean {
	const named = [...url.searchParams.keys()].find((key) => key.startsWith('/'));
	if (named === undefined) return false;
	const name = named.slice(1);
	return name === 'default' || name in Object.prototype;
}
