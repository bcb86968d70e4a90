import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Inputs of the build. */
const FILES = [
	'package-lock.json',
	'svelte.config.js',
	'tsconfig.json',
	'vite.config.ts',
	// The files of src/start that shape the build.
	'src/start/routeTable.ts',
	'src/start/sharedScripts.ts',
	'src/start/sourceMaps.ts'
];
const FOLDERS = ['src', 'static'];
/** Run by Node directly, never bundled; `FILES` names the exceptions. */
const NOT_BUNDLED = new Set(['src/cli', 'src/devnet', 'src/start']);

function* filesUnder(root: string, folder: string): Generator<string> {
	const entries = readdirSync(join(root, folder), { withFileTypes: true });
	for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) {
			if (!NOT_BUNDLED.has(path)) yield* filesUnder(root, path);
		} else if (!entry.name.endsWith('.test.ts')) yield path;
	}
}

/** Returns the SHA-256, in hex, over the names and contents of all inputs of the build. */
export function sourceHash(root: string): string {
	const hash = createHash('sha256');
	for (const path of [...FILES, ...FOLDERS.flatMap((folder) => [...filesUnder(root, folder)])]) {
		const content = readFileSync(join(root, path));
		hash.update(`${path}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex');
}
