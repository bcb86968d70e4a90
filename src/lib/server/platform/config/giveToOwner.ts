/**
 * Whose what root writes is. A command that root runs beside a server of somebody else writes into their data folder: what
 * stayed root's there the server could neither read nor replace, and would not start again.
 */
import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Gives what was just made to whom its folder belongs, as SQLite does with the files beside its own; only root can. */
export function giveToOwner(path: string): void {
	if (process.getuid?.() !== 0) return;
	const { uid, gid } = statSync(dirname(path));
	if (uid === 0) return;
	try {
		// What is a link by now is not followed.
		lchownSync(path, uid, gid);
	} catch {
		// Root of a container or of a network drive may not: it stays root's then, and root can go on with it.
	}
}
