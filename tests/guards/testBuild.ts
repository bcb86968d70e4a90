import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const TAKEN = [
	'src',
	'static',
	'package.json',
	'package-lock.json',
	'svelte.config.js',
	'tsconfig.json',
	'vite.config.ts'
];

/** The program as it is, but for one file: its guards have switches. */
export interface TestBuild {
	/** Its folder. */
	root: string;
	remove(): void;
}

/**
 * Copies the sources, puts `stands.ts` of this folder in the place of the program's own, and builds. The
 * program itself has no switch to be found or guessed.
 */
export function makeTestBuild(): TestBuild {
	const root = mkdtempSync(join(tmpdir(), 'komodeck-guards-'));
	for (const name of TAKEN) cpSync(join(ROOT, name), join(root, name), { recursive: true });
	symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
	cpSync(join(import.meta.dirname, 'stands.ts'), join(root, 'src/lib/server/guards/stands.ts'));
	const { status, stdout, stderr } = spawnSync(process.execPath, ['src/start/build.ts'], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, NODE_ENV: 'production' }
	});
	const remove = (): void => rmSync(root, { recursive: true, force: true });
	if (status !== 0) {
		remove();
		throw new Error(`The test build failed:\n${stdout}\n${stderr}`);
	}
	return { root, remove };
}
