/** The address of the same page with a parameter more, or another value of it: a click does not lose the place in a list. */
export function withParameter(params: URLSearchParams, name: string, value: string): string {
	const all = new URLSearchParams(params);
	all.set(name, value);
	return `?${all}`;
}
