/** Texts of transactions as the database can store them. */

/** PostgreSQL stores no zero byte in a text, but names of chains and tokens may contain one. */
export const storable = (text: string): string => text.replaceAll('\0', '\u{FFFD}');

/** Komodo daemon 0.9.0: length of the longest chain name. */
const LONGEST_SYMBOL = 64;

/** Returns the chain name of a payload. A name that is too long for any chain is cut off. */
export function symbolOf(text: string): string {
	const name = storable(text);
	return name.length <= LONGEST_SYMBOL ? name : `${[...name].slice(0, LONGEST_SYMBOL).join('')}…`;
}
