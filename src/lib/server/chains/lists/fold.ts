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
