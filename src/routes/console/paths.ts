/** Returns the URL of the form for a daemon's method. */
export const methodPath = (method: string): string => `/console/${encodeURIComponent(method)}`;

/** Returns the URL of the form for a method that only the configuration declares. */
export const furtherPath = (method: string): string =>
	`/console/further/${encodeURIComponent(method)}`;

/** Returns the URL of the form for a trading node's method, by its key in the registry. */
export const kdfMethodPath = (method: string): string =>
	`/console/kdf/${encodeURIComponent(method)}`;
