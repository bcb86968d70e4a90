/** The address of the form of a daemon's method. */
export const methodPath = (method: string): string => `/console/${encodeURIComponent(method)}`;

/** The address of the form of a method that only the configuration knows. */
export const furtherPath = (method: string): string =>
	`/console/further/${encodeURIComponent(method)}`;

/** The address of the form of a trading node's method, by its key in the registry. */
export const kdfMethodPath = (method: string): string =>
	`/console/kdf/${encodeURIComponent(method)}`;
