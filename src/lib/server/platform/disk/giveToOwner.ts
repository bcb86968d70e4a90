/**
 * Ownership of files that root creates. A command run as root writes into the data folder of a server that runs
 * as another user; a file left to root could not be read or replaced by the server, which would then fail to
 * start.
 */
import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives a new file to the owner of its folder, as SQLite does with its side files. Only root can; for others a
 * no-op.
 */
export function giveToOwner(path: string): void {
	if (process.getuid?.() !== 0) return;
	const { uid, gid } = statSync(dirname(path));
	if (uid === 0) return;
	try {
		// A path replaced by a symbolic link is not followed.
		lchownSync(path, uid, gid);
	} catch {
		// Root in a container or on a network drive may lack the right: the file stays root's, and root can
		// still use it.
	}
}
