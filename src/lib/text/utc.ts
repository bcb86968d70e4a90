/** Formats a time in UTC, to the second: `2026-11-21 05:24:07 UTC`. @param at Unix milliseconds */
export const utc = (at: number): string =>
	`${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Formats a time as ISO 8601. @param at Unix milliseconds */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** Formats hour and minute of a time in UTC: `12:03 UTC`. @param at Unix milliseconds */
export const utcClock = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;
