import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Errors of systems on which a folder cannot be opened or flushed, such as Windows and some network drives. */
const CANNOT: ReadonlySet<unknown> = new Set([
	'EACCES',
	'EBADF',
	'EINVAL',
	'EISDIR',
	'ENOTSUP',
	'EPERM'
]);

/**
 * Flushes the names in a folder to disk: without that a power cut can undo a rename or remove a new file, even
 * if the bytes of the file were flushed (fsync(2)).
 */
export function syncFolder(folder: string): void {
	try {
		const handle = openSync(folder, 'r');
		try {
			fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
	} catch (error) {
		if (!CANNOT.has((error as NodeJS.ErrnoException).code)) throw error;
	}
}
