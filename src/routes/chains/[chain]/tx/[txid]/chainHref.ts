/** The address of a page of a chain; undefined for a chain that has no pages here. */
export const chainHref = (
	chains: readonly string[],
	chain: string | null,
	path: string
): string | undefined =>
	chain !== null && chains.includes(chain)
		? `/chains/${encodeURIComponent(chain)}${path}`
		: undefined;
