/** Kinds of entries in words. */
export const KIND_WORDS = {
	pubkey: 'Public key',
	address: 'Address',
	token: 'Token',
	chain: 'Chain'
} as const;

/** Where the thing of an entry is shown; what belongs to no one chain is searched for. */
export function placeOf({
	kind,
	value,
	chain
}: {
	kind: keyof typeof KIND_WORDS;
	value: string;
	chain: string | null;
}): string {
	if (kind === 'chain') return `/chains/${encodeURIComponent(value)}`;
	if (kind === 'token' && chain !== null)
		return `/chains/${encodeURIComponent(chain)}/token/${value}`;
	return `/search?q=${encodeURIComponent(value)}`;
}
