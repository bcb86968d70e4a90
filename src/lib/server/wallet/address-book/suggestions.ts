/** Suggestions from the address book for form fields that take a key or an address. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { markedText } from '#lib/text/confusables.ts';
import type { AddressBook } from './addressBook.ts';

/** More would make a page heavy; the address book itself finds the rest. */
const MOST_SUGGESTIONS = 300;

/** One suggestion: the value for the field, and the label that is shown. */
interface Suggestions {
	value: string;
	label: string;
}

/** Returns public keys, sorted by label. */
export async function suggestedKeys(addressBook: AddressBook): Promise<Suggestions[]> {
	const entries = await addressBook.all(['pubkey'], MOST_SUGGESTIONS);
	return entries.map(({ value, label }) => ({ value, label: markedText(label) }));
}

/** Returns addresses for coins, sorted by label: those in the address book, and those of its public keys. */
export async function suggestedAddresses(addressBook: AddressBook): Promise<Suggestions[]> {
	const entries = await addressBook.all(['pubkey', 'address'], MOST_SUGGESTIONS);
	return entries.map(({ kind, value, label }) => ({
		value: kind === 'pubkey' ? addressOfPubkey(value) : value,
		label: markedText(label)
	}));
}
