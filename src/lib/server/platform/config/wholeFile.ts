/** Files that are complete or absent, also after a power cut. */
import { randomBytes } from 'node:crypto';
import {
	closeSync,
	existsSync,
	fsyncSync,
	linkSync,
	openSync,
	renameSync,
	rmSync,
	writeFileSync
} from 'node:fs';
import { dirname } from 'node:path';
import { giveToOwner } from './giveToOwner.ts';
import { makeFolder } from './makeFolder.ts';
import { syncFolder } from './syncFolder.ts';

/** Part of temporary names. Not the process id: in containers that share a folder it is often the same. */
const OWN = randomBytes(6).toString('hex');
/** Error codes of file systems without hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Writes a file, readable by its owner only, in place of one of the same name. */
export function replaceFile(file: string, text: string): void {
	throughDraft(file, text, (draft) => renameSync(draft, file));
}

/** Writes a file, readable by its owner only, unless one exists. @returns whether it was written */
export function createFile(file: string, text: string): boolean {
	return throughDraft(file, text, (draft) => moveToNew(draft, file));
}

/** Writes the text to a file of a temporary name, which `move` gives its own name, and flushes both. */
function throughDraft<T>(file: string, text: string, move: (draft: string) => T): T {
	const folder = dirname(file);
	makeFolder(folder);
	const draft = `${file}.${OWN}`;
	try {
		const handle = openSync(draft, 'w', 0o600);
		try {
			writeFileSync(handle, text);
			fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
		giveToOwner(draft);
		const moved = move(draft);
		syncFolder(folder);
		return moved;
	} finally {
		rmSync(draft, { force: true });
	}
}

/** Moves a file to its name without replacing an existing one. @returns whether it was moved */
function moveToNew(draft: string, file: string): boolean {
	try {
		linkSync(draft, file);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'EEXIST') return false;
		if (!NO_LINKS.has(code)) throw error;
	}
	if (existsSync(file)) return false;
	renameSync(draft, file);
	return true;
}
