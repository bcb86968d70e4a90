import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveToOwner } from './giveToOwner.ts';
import { syncFolder } from './syncFolder.ts';

const isFolder = (path: string): boolean =>
	statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Creates a folder and its missing parents with mode 0700. Node's recursive `mkdirSync` never returns where the
 * system refuses with ENOENT, as in `/proc`.
 */
export function makeFolder(dir: string): void {
	if (isFolder(dir)) return;
	const missing = [dir];
	for (let at = dirname(dir); !existsSync(at) && dirname(at) !== at; at = dirname(at)) {
		missing.push(at);
	}
	for (const one of missing.toReversed()) {
		try {
			mkdirSync(one, { mode: 0o700 });
			giveToOwner(one);
			syncFolder(dirname(one));
		} catch (error) {
			// Another process may have created it in the meantime.
			if (!isFolder(one)) throw error;
		}
	}
}
