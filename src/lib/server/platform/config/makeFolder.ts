import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveToOwner } from './giveToOwner.ts';

const isFolder = (path: string): boolean =>
	statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Makes a folder for its owner only, and those that it lies in. Node's own way of making several at once never ends
 * where the system takes none and says that there is no such folder, as in `/proc`.
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
		} catch (error) {
			// Unless another process was faster.
			if (!isFolder(one)) throw error;
		}
	}
}
