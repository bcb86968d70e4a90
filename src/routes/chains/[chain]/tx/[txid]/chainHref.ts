/** Returns the URL of a page of a chain; undefined when the chain has no pages on this server. */
export const chainHref = (
	chains: readonly string[],
	chain: string | null,
	path: string
): string | undefined =>
	chain !== null && chains.includes(chain)
		? `/chains/${encodeURIComponent(chain)}${path}`
		: undefined;
