/** Hebrew, Arabic and the other scripts that are written from right to left. */
const RIGHT_TO_LEFT =
	/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Keeps the direction of a name to itself. In a sentence, digits after a name that is written from right to left
 * would be drawn before it, which changes an amount or an id that stands there. For texts without markup; elements
 * isolate a name by `<bdi>`.
 *
 * @param name with its invisible characters made visible already: they include the two marks that isolate
 */
export const isolated = (name: string): string =>
	RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
