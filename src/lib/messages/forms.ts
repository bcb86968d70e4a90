/** What every form says of its fields and buttons. */
import { count } from '#lib/text/plural.ts';

export const FIELD = {
	optional: 'optional',
	/** @param used bytes of the typed text */
	bytes: (used: number, most: number): string =>
		`${count(used)} of ${count(most)} bytes${used > most ? `, ${count(used - most)} too many` : ''}`
} as const;

export const BUTTON = { working: 'Working…' } as const;
