/** Errors of a token draft that is to be saved. */
import { plural } from '#lib/text/plural.ts';

export const draftFaults = {
	tooLong: (most: number): string => `Too long to save: ${plural(most, 'character')} are the most.`,
	character: 'This has a character that cannot be saved.',
	tooMany: (most: number): string =>
		`This chain has ${plural(most, 'draft')}, and no more are possible. Finish or remove one first.`,
	noName: 'Give the draft a name, so that it can be found again.'
} as const;
