/** Returns the URL of a page with another part of one of its lists. */
export function partOfList(
	url: URL,
	change: Record<string, string | number>,
	anchor: string
): string {
	const others = [...url.searchParams].filter(([name]) => !(name in change));
	const changed = Object.entries(change).map(([name, value]) => [name, String(value)]);
	return `?${new URLSearchParams([...others, ...changed])}#${anchor}`;
}
