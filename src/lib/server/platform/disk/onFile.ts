/**
 * Runs what writes to an open file, and adds the file to its errors: the system names a file only in errors of
 * opening one, so that of a full disk would not say which disk.
 */
export function onFile<T>(path: string, act: () => T): T {
	try {
		return act();
	} catch (error) {
		if (error instanceof Error && 'syscall' in error && !('path' in error)) {
			Object.assign(error, { path });
		}
		throw error;
	}
}
