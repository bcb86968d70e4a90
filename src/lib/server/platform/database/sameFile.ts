/**
 * Checks that the file of an open SQLite database is still the one at its path. A process that keeps writing to
 * a removed or replaced file loses everything that it reports as done.
 */
import { statSync } from 'node:fs';
import { AppError } from '../errors/appError.ts';

/** How long a check stays valid for read statements, in milliseconds. */
const GOOD_FOR_MS = 50;

/** Returns device, inode and size of the file at a path; null when there is none. Takes a few microseconds. */
function placeOf(path: string): { place: string; size: bigint } | null {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found === undefined ? null : { place: `${found.dev} ${found.ino}`, size: found.size };
}

/**
 * Throws `database.replaced` when the file was removed or replaced (moving the original back recovers), and
 * `database.cut-off` when it was truncated.
 * @param writes true checks now, false accepts a recent check
 */
export type SameFile = (writes: boolean) => void;

/** Remembers the file at a path, which was just opened, and its write-ahead log as soon as that exists. */
export function sameFile(path: string): SameFile {
	const opened = placeOf(path);
	const logPath = `${path}-wal`;
	let log = placeOf(logPath)?.place;
	// The database never shrinks (no VACUUM, no auto_vacuum), so a smaller file was truncated.
	let largest = opened?.size ?? 0n;
	let goodUntil = 0;
	return (writes) => {
		const now = performance.now();
		if (!writes && now < goodUntil) return;
		const logNow = placeOf(logPath)?.place;
		log ??= logNow;
		const found = placeOf(path);
		// SQLite keeps the write-ahead log while a connection is open. (sqlite.org/wal.html)
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
