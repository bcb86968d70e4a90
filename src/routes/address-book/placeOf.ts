import type { ADDRESS_BOOK } from '#lib/messages/pages/addressBook.ts';

/** Returns the page of what an entry names; the search page when it belongs to no single chain. */
export function placeOf({
	kind,
	value,
	chain
}: {
	kind: keyof typeof ADDRESS_BOOK.kinds;
	value: string;
	chain: string | null;
}): string {
	if (kind === 'chain') return `/chains/${encodeURIComponent(value)}`;
	if (kind === 'token' && chain !== null)
		return `/chains/${encodeURIComponent(chain)}/token/${value}`;
	return `/search?q=${encodeURIComponent(value)}`;
}
