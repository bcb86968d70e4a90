/** What forms that take a key or an address offer out of the address book. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { markedText } from '#lib/text/confusables.ts';
import type { AddressBook } from './addressBook.ts';

/** More would make a page heavy; the address book itself finds the others. */
const MOST_SUGGESTIONS = 300;

/** A choice of a form: what is put into the field, and what it is called. */
interface Suggestions {
	value: string;
	label: string;
}

/** Keys, by label. */
export async function suggestedKeys(addressBook: AddressBook): Promise<Suggestions[]> {
	const entries = await addressBook.all(['pubkey'], MOST_SUGGESTIONS);
	return entries.map(({ value, label }) => ({ value, label: markedText(label) }));
}

/** Addresses for coins, by label: those that stand in the book, and those of its keys. */
export async function suggestedAddresses(addressBook: AddressBook): Promise<Suggestions[]> {
	const entries = await addressBook.all(['pubkey', 'address'], MOST_SUGGESTIONS);
	return entries.map(({ kind, value, label }) => ({
		value: kind === 'pubkey' ? addressOfPubkey(value) : value,
		label: markedText(label)
	}));
}
