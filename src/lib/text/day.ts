const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The midnight in UTC that begins a day written YYYY-MM-DD, as Unix milliseconds; NaN where there is no such day.
 * `Date.parse` alone takes 30 February for 2 March.
 */
export function parseDay(text: string): number {
	const at = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
	return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at : NaN;
}
