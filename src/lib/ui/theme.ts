/** The reader's choice of colours; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme a cookie or form field names; anything else is the system's. */
export function themeOf(text: unknown): Theme {
	return text === 'light' || text === 'dark' ? text : 'system';
}
