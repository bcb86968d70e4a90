/**
 * Whether the file of an open SQLite database is still the one at its path. A process that goes on with a file
 * that was removed or replaced writes where nobody will ever read: what it calls done is lost with it.
 */
import { statSync } from 'node:fs';
import { AppError } from '../errors/appError.ts';

/** How long a look is good for statements that only read, in milliseconds. */
const GOOD_FOR_MS = 50;

/** Device and inode of what is at a path, and its size; null for nothing. A look takes some microseconds. */
function placeOf(path: string): { place: string; size: bigint } | null {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found === undefined ? null : { place: `${found.dev} ${found.ino}`, size: found.size };
}

/**
 * Throws `database.replaced` when the file was removed or replaced; put back, it is good again. Throws
 * `database.cut-off` when it was cut off.
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
			throw new AppError('database.replaced', { file: path });
		}
		const size = found?.size ?? 0n;
		if (size < largest) {
			goodUntil = 0;
			throw new AppError('database.cut-off', { file: path });
		}
		largest = size;
		goodUntil = now + GOOD_FOR_MS;
	};
}
