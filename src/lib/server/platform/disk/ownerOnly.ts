/** Keeps everything that is written readable by its owner only, whatever the folder allows. */
import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;
const WRITES_OF_OTHERS = 0o022;

/**
 * Sets the umask so that new files and folders are accessible by their owner only. Call before anything is
 * written.
 */
export function ownerOnlyFromNow(): void {
	process.umask(OTHERS);
}

/** Names of Komodeck's files in a data folder; the folder may hold other files, too. */
const OURS = /^(?:(?:komodeck|index)\.sqlite|secret\.key|installation\.id|audit|devnet$)/;
/** Only the owner of a file may remove it from a folder with this bit. */
const STICKY = 0o1000;

/** Whether others may replace Komodeck's files in a data folder, such as the database and the key. */
export function isReplaceableByOthers(dataDir: string): boolean {
	const facts = statSync(dataDir, { throwIfNoEntry: false });
	if (process.platform === 'win32' || facts === undefined) return false;
	return (facts.mode & WRITES_OF_OTHERS) !== 0 && (facts.mode & STICKY) === 0;
}

/**
 * Removes the permissions of group and others from Komodeck's existing files in a data folder.
 * @returns how many files and folders group or others could access
 */
export function closeToOthers(dataDir: string): number {
	if (process.platform === 'win32' || !existsSync(dataDir)) return 0;
	return readdirSync(dataDir)
		.filter((name) => OURS.test(name))
		.reduce((count, name) => count + closeAll(join(dataDir, name)), 0);
}

/**
 * Closes a file, or a folder and everything in it. A path that another process removes in the meantime is
 * skipped.
 */
function closeAll(path: string): number {
	try {
		return closed(path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
		throw error;
	}
}

/** Symbolic links are left alone: their targets are not Komodeck's. */
function closed(path: string): number {
	const facts = lstatSync(path);
	if (facts.isSymbolicLink()) return 0;
	let count = 0;
	if ((facts.mode & OTHERS) !== 0) {
		chmodSync(path, facts.mode & 0o700);
		count += 1;
	}
	if (!facts.isDirectory()) return count;
	for (const name of readdirSync(path)) count += closeAll(join(path, name));
	return count;
}
