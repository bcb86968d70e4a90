import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { controls } from './controls/index.ts';

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
/** Where `preload.ts` keeps the names of the controls that are off. */
export const SWITCH = 'komodeck.controls-off';
const STANDS = `const stands = (control: string): boolean => !(globalThis as Record<symbol, Set<string> | undefined>)[Symbol.for('${SWITCH}')]?.has(control);\n`;

/** The program as it is, but that each of its controls can be turned off by `preload.ts`. */
export interface TestBuild {
	/** Its folder. */
	root: string;
	remove(): void;
}

/**
 * Puts switches into a file's text.
 * @throws {Error} when a control's text does not stand in it exactly once
 */
function withSwitches(
	file: string,
	source: string,
	edits: readonly { text: string; replacement: string }[]
): string {
	let edited = source;
	for (const { text, replacement } of edits) {
		const times = source.split(text).length - 1;
		if (times !== 1) throw new Error(`${file} has this ${times} times, not once:\n${text}`);
		const now = edited.split(text);
		if (now.length !== 2) throw new Error(`Two controls change the same text of ${file}:\n${text}`);
		edited = now.join(replacement);
	}
	return STANDS + edited;
}

/** The sources of the files that controls change, with switches. */
function sourcesWithSwitches(): ReadonlyMap<string, string> {
	const perFile = Map.groupBy(
		controls.flatMap(({ edits }) => edits),
		({ file }) => file
	);
	return new Map(
		[...perFile].map(([file, edits]) => [
			file,
			withSwitches(file, readFileSync(join(ROOT, file), 'utf8'), edits)
		])
	);
}

/** Copies the sources, puts switches into the copy, and builds it. */
export function makeTestBuild(): TestBuild {
	const changed = sourcesWithSwitches();
	const root = mkdtempSync(join(tmpdir(), 'komodeck-attacks-'));
	for (const name of TAKEN) cpSync(join(ROOT, name), join(root, name), { recursive: true });
	symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
	for (const [file, source] of changed) writeFileSync(join(root, file), source);
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
