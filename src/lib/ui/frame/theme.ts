/** Color theme; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

/** Parses a theme from a cookie or form field; anything else is `system`. */
export function themeOf(text: unknown): Theme {
	return text === 'light' || text === 'dark' ? text : 'system';
}
