/** Everything that is written is for its owner only, whatever the folder allows. */
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/** From here on new files and folders are readable by their owner only. To be called before anything is written. */
export function ownerOnlyFromNow(): void {
	process.umask(OTHERS);
}

/** What Komodeck writes into a data folder; the folder may hold other things, too. */
const OURS = /^(?:(?:komodeck|index)\.sqlite|secret\.key|audit|devnet$)/;

/**
 * Takes the rights of others from what Komodeck wrote into a data folder before.
 * @returns how many files and folders others could read or write
 */
export function closeToOthers(dataDir: string): number {
	if (process.platform === 'win32' || !existsSync(dataDir)) return 0;
	return readdirSync(dataDir)
		.filter((name) => OURS.test(name))
		.reduce((count, name) => count + closeAll(join(dataDir, name)), 0);
}

/** A file, or a folder and all that is in it; nothing of what another process took away meanwhile. */
function closeAll(path: string): number {
	try {
		return closed(path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
		throw error;
	}
}

/** Links are left alone: what they name is not ours. */
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
