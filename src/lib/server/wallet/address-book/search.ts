/** Labels of the address book among what a search finds. */
import type { SearchHit } from '../../chains/lists/search.ts';
import type { AddressBook } from './addressBook.ts';
import type { Entry } from './entry.ts';

/** A thing that a label of the team leads to. */
interface LabelHit extends Omit<SearchHit, 'what'> {
	what: 'label';
}

const WORDS: Readonly<Record<Entry['kind'], string>> = {
	pubkey: 'public key',
	address: 'address',
	token: 'token',
	chain: 'chain'
};

/** Where the thing of an entry is shown. What belongs to no one chain is shown in the book. */
function placeOf({ id, kind, value, chain }: Entry): string {
	if (kind === 'chain') return `/chains/${encodeURIComponent(value)}`;
	if (kind === 'token' && chain !== null)
		return `/chains/${encodeURIComponent(chain)}/token/${value}`;
	return `/address-book/${id}`;
}

/** What a text names in the address book, the closest first; nothing for a visitor. */
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
		// A label never takes the reader away by itself: it is the team's word, not the thing's name.
		exact: false
	}));
}
