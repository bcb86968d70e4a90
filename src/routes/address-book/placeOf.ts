import type { ADDRESS_BOOK } from '#lib/messages/pages/addressBook.ts';

/** Where the thing of an entry is shown; what belongs to no one chain is searched for. */
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
