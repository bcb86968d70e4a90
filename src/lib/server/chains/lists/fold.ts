/**
 * A name as it sorts and is searched: without accents, case, control and direction marks, so that "Café" is
 * found by "cafe" and a mark that cannot be seen makes no second name.
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
 * Letters of a name that are sorted, searched and compared; tokens that are made by the daemon's own call have 32
 * bytes. A chain allows some 10,000, of which PostgreSQL keeps no index: its entries have 2,704 bytes at most.
 */
const COMPARED = 64;

/** As much of a text as is compared. */
export const comparedPart = (text: string): string =>
	text.length <= COMPARED ? text : [...text].slice(0, COMPARED).join('');

/** What a name is sorted and found by. */
export const nameKeyOf = (name: string): string => comparedPart(foldName(name));
