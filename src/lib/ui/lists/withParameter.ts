/**
 * Returns the current page's URL with a parameter added or replaced, so that a click keeps the position in
 * a list.
 */
export function withParameter(params: URLSearchParams, name: string, value: string): string {
	const all = new URLSearchParams(params);
	all.set(name, value);
	return `?${all}`;
}
