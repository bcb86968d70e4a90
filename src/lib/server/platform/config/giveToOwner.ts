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
	// What is a link by now is not followed.
	if (uid !== 0) lchownSync(path, uid, gid);
}
