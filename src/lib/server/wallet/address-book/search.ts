/** Finds labels of the address book for the general search. */
import type { SearchHit } from '../../chains/lists/search.ts';
import type { AddressBook } from './addressBook.ts';
import type { Entry } from './entry.ts';

/** A search hit that was found by its label. */
interface LabelHit extends Omit<SearchHit, 'what'> {
	what: 'label';
}

const WORDS: Readonly<Record<Entry['kind'], string>> = {
	pubkey: 'public key',
	address: 'address',
	token: 'token',
	chain: 'chain'
};

/**
 * Returns the page of the subject of an entry. Keys and addresses belong to no single chain: they lead to the
 * address book.
 */
function placeOf({ id, kind, value, chain }: Entry): string {
	if (kind === 'chain') return `/chains/${encodeURIComponent(value)}`;
	if (kind === 'token' && chain !== null)
		return `/chains/${encodeURIComponent(chain)}/token/${value}`;
	return `/address-book/${id}`;
}

/** Returns the entries that match a text, the closest first; none for an anonymous visitor. */
export async function searchLabels(
	{ app, account }: { app: { addressBook: AddressBook }; account: unknown },
	text: string,
	limit: number
): Promise<LabelHit[]> {
	if (account === null || text.trim() === '') return [];
	const found = await app.addressBook.find(text.slice(0, 200), limit);
	return found.map(({ entry }) => ({
		chain: entry.kind === 'chain' ? entry.value : (entry.chain ?? ''),
		what: 'label',
		words: entry.shown,
		note: `${WORDS[entry.kind]}, label of the address book`,
		href: placeOf(entry),
		// The search never redirects to a label: it is the team's name for something, not an identifier.
		exact: false
	}));
}
