/** Files that are complete or absent, also after a power cut. */
import { randomBytes } from 'node:crypto';
import {
	closeSync,
	existsSync,
	fsyncSync,
	linkSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HOUR_MS } from '#lib/text/units.ts';
import { giveToOwner } from './giveToOwner.ts';
import { makeFolder } from './makeFolder.ts';
import { onFile } from './onFile.ts';
import { syncFolder } from './syncFolder.ts';

/** Part of temporary names. Not the process id: in containers that share a folder it is often the same. */
const OWN = randomBytes(6).toString('hex');
const OWN_FORM = /^[0-9a-f]{12}$/;
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
			onFile(file, () => {
				writeFileSync(handle, text);
				fsyncSync(handle);
			});
		} finally {
			closeSync(handle);
		}
		giveToOwner(draft);
		const moved = move(draft);
		syncFolder(folder);
		removeOldDrafts(file);
		return moved;
	} finally {
		rmSync(draft, { force: true });
	}
}

/** Files of which this process has looked for drafts that killed processes left. */
const lookedFor = new Set<string>();
/** A draft exists for milliseconds. One of another process that still runs is never this old. */
const OLD_MS = HOUR_MS;

/**
 * Removes the drafts that killed processes left beside a file, once for each process and file. A draft of a key is
 * the key itself under another name.
 */
function removeOldDrafts(file: string): void {
	if (lookedFor.has(file)) return;
	lookedFor.add(file);
	const folder = dirname(file);
	const start = `${basename(file)}.`;
	for (const name of readdirSync(folder)) {
		if (!name.startsWith(start) || !OWN_FORM.test(name.slice(start.length))) continue;
		const path = join(folder, name);
		const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
		if (written < Date.now() - OLD_MS) rmSync(path, { force: true });
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
