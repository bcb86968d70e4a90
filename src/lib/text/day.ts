const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Parses a day written YYYY-MM-DD to Unix milliseconds of its midnight in UTC; NaN when there is no such day.
 * `Date.parse` alone would accept 30 February as 2 March.
 */
export function parseDay(text: string): number {
	const at = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
	return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at : NaN;
}
