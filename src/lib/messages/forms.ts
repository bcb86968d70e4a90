/** Texts of the fields and buttons of all forms. */
import { count } from '#lib/text/plural.ts';

export const FIELD = {
	optional: 'optional',
	/** @param used bytes of the typed text */
	bytes: (used: number, most: number): string =>
		`${count(used)} of ${count(most)} bytes${used > most ? `, ${count(used - most)} too many` : ''}`
} as const;

/** Of the question before something that cannot be undone. */
export const SURE = { cancel: 'Cancel' } as const;

export const BUTTON = { working: 'Working…' } as const;
