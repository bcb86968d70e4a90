/**
 * Folds a name for sorting and searching: removes accents, case, control and direction marks, so that "Café" is
 * found by "cafe" and invisible characters do not make a different name.
 */
export function foldName(name: string): string {
	return name
		.normalize('NFKD')
		.replace(/[\p{M}\p{C}]/gu, '')
		.toLowerCase()
		.replace(/\s+/gu, ' ')
		.trim();
}

/**
 * Characters of a name that are sorted, searched and compared; tokens created by the daemon's own method have at
 * most 32 bytes. A chain allows some 10,000, which PostgreSQL cannot index: its index entries have at most 2,704
 * bytes.
 */
const COMPARED = 64;

/** Returns the part of a text that is compared. */
export const comparedPart = (text: string): string =>
	text.length <= COMPARED ? text : [...text].slice(0, COMPARED).join('');

/** Returns the key by which a name is sorted and found. */
export const nameKeyOf = (name: string): string => comparedPart(foldName(name));
