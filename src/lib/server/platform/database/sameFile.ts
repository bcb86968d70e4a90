/**
 * Whether the file of an open SQLite database is still the one at its path. A process that goes on with a file
 * that was removed or replaced writes where nobody will ever read: what it calls done is lost with it.
 */
import { statSync } from 'node:fs';

/** The file that was opened is not at its path any more. */
class DatabaseFileError extends Error {
	override readonly name = 'DatabaseFileError';
	readonly code = 'DATABASE_FILE_REPLACED';

	constructor(path: string) {
		super(`${path} is not the file that was opened: it was removed, or another is in its place.`);
	}
}

/** The file at the path became shorter than it was: its end was cut off. */
class DatabaseDamagedError extends Error {
	override readonly name = 'DatabaseDamagedError';
	readonly code = 'DATABASE_FILE_DAMAGED';

	constructor(path: string) {
		super(`${path} was cut off: it is shorter than it was.`);
	}
}

/** How long a look is good for statements that only read, in milliseconds. */
const GOOD_FOR_MS = 50;

/** Device and inode of what is at a path, and its size; null for nothing. A look takes some microseconds. */
function placeOf(path: string): { place: string; size: bigint } | null {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found === undefined ? null : { place: `${found.dev} ${found.ino}`, size: found.size };
}

/**
 * Throws {@link DatabaseFileError} when the file was removed or replaced; put back, it is good again. Throws
 * {@link DatabaseDamagedError} when it was cut off.
 * @param writes true looks now, false trusts a look of a moment ago
 */
export type SameFile = (writes: boolean) => void;

/** Remembers the file at a path, and its log as soon as there is one: both were just opened. */
export function sameFile(path: string): SameFile {
	const opened = placeOf(path);
	const logPath = `${path}-wal`;
	let log = placeOf(logPath)?.place;
	// Nothing here gives pages back to the disk (no VACUUM, no auto_vacuum), so the file only grows.
	let largest = opened?.size ?? 0n;
	let goodUntil = 0;
	return (writes) => {
		const now = performance.now();
		if (!writes && now < goodUntil) return;
		const logNow = placeOf(logPath)?.place;
		log ??= logNow;
		const found = placeOf(path);
		// SQLite keeps the log for as long as a connection is open. (sqlite.org/wal.html)
		if (found?.place !== opened?.place || logNow !== log) {
			goodUntil = 0;
			throw new DatabaseFileError(path);
		}
		const size = found?.size ?? 0n;
		if (size < largest) {
			goodUntil = 0;
			throw new DatabaseDamagedError(path);
		}
		largest = size;
		goodUntil = now + GOOD_FOR_MS;
	};
}
